// `type`, `command`, `builtin`, `hash`: what a name stands for, and running it as that.
import {findProgram} from '../interpreter/lookup.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {functionText} from '../syntax/functions.ts';
import {readOptions} from './options.ts';

/** Words of the language. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  '!',
  '[[',
  ']]',
  '{',
  '}',
  'case',
  'coproc',
  'do',
  'done',
  'elif',
  'else',
  'esac',
  'fi',
  'for',
  'function',
  'if',
  'in',
  'select',
  'then',
  'time',
  'until',
  'while',
]);

interface Meaning {
  readonly kind: 'alias' | 'keyword' | 'function' | 'builtin' | 'file';
  /** For a file its path, for an alias its text. */
  readonly text: string;
}

function meaningsOf(shell: Shell, name: string): Meaning[] {
  const meanings: Meaning[] = [];
  const alias = shell.isInteractive ? shell.aliases.get(name) : undefined;
  if (alias !== undefined) meanings.push({kind: 'alias', text: alias});
  if (KEYWORDS.has(name)) meanings.push({kind: 'keyword', text: name});
  if (shell.functions.has(name)) meanings.push({kind: 'function', text: name});
  if (shell.interpreter.builtins.has(name) && !shell.disabled.has(name)) meanings.push({kind: 'builtin', text: name});
  const found = findProgram(shell, name);
  if (found.kind === 'program') meanings.push({kind: 'file', text: found.path});
  return meanings;
}

function sentence(shell: Shell, name: string, meaning: Meaning): string {
  switch (meaning.kind) {
    case 'alias':
      return `${name} is aliased to \`${meaning.text}'`;
    case 'keyword':
      return `${name} is a shell keyword`;
    case 'function': {
      const defined = shell.functions.get(name);
      return `${name} is a function${defined ? `\n${functionText(name, defined.node)}` : ''}`;
    }
    case 'builtin':
      return `${name} is a shell builtin`;
    default:
      return `${name} is ${meaning.text}`;
  }
}

/** `type [-aftpP] name …` */
export function* type(shell: Shell, args: readonly string[]): Steps<number> {
  const {letters, rest} = readOptions(args, 'afptP');
  let status = 0;
  for (const name of rest) {
    let meanings = meaningsOf(shell, name);
    if (letters.has('P') || letters.has('p')) meanings = meanings.filter(meaning => meaning.kind === 'file');
    if (meanings.length === 0) {
      status = 1;
      if (!letters.has('t') && !letters.has('p') && !letters.has('P')) yield* shell.complain(`type: ${name}: not found`);
      continue;
    }
    for (const meaning of letters.has('a') ? meanings : meanings.slice(0, 1)) {
      const text = letters.has('t')
        ? meaning.kind
        : letters.has('p') || letters.has('P')
          ? meaning.text
          : sentence(shell, name, meaning);
      yield* shell.print(`${text}\n`);
    }
  }
  return status;
}

/** `command [-pvV] name [argument …]`: no function of that name is called. */
export function* command(shell: Shell, args: readonly string[]): Steps<number> {
  const {letters, rest} = readOptions(args, 'pvV');
  if (!letters.has('v') && !letters.has('V')) return rest.length === 0 ? 0 : yield* shell.interpreter.words(shell, rest, true);
  let status = 1;
  for (const name of rest) {
    const [meaning] = meaningsOf(shell, name);
    if (!meaning) {
      if (letters.has('V')) yield* shell.complain(`command: ${name}: not found`);
      continue;
    }
    status = 0;
    const short = meaning.kind === 'alias' ? `alias ${name}='${meaning.text}'` : meaning.kind === 'file' ? meaning.text : name;
    yield* shell.print(`${letters.has('V') ? sentence(shell, name, meaning) : short}\n`);
  }
  return status;
}

/** `builtin name [argument …]` */
export function* builtin(shell: Shell, args: readonly string[]): Steps<number> {
  const [name] = args;
  if (name === undefined) return 0;
  const found = shell.interpreter.builtins.get(name);
  if (!found) return yield* shell.complain(`builtin: ${name}: not a shell builtin`);
  const result = found(shell, args.slice(1));
  return typeof result === 'number' ? result : yield* result;
}

/** `hash [-r] [name …]`: nothing is remembered here, as looking up costs nothing. */
export function* hash(shell: Shell, args: readonly string[]): Steps<number> {
  const {rest} = readOptions(args, 'dlp:rt');
  let status = 0;
  for (const name of rest) {
    if (findProgram(shell, name).kind === 'missing') status = yield* shell.complain(`hash: ${name}: not found`);
  }
  if (args.length === 0) yield* shell.print('hash: hash table empty\n');
  return status;
}
