// `declare`, `typeset`, `local`, `export` and `readonly`: variables with attributes. What stood between parentheses waits in
// `shell.compounds`.
import {declarationOf} from '../expansion/transformations.ts';
import {assignElements} from '../interpreter/assignments.ts';
import {asList, assign} from '../state/assign.ts';
import type {Shell, ShellFunction} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {isName} from '../state/variables.ts';
import type {Variable} from '../state/variables.ts';
import {functionText} from '../syntax/functions.ts';
import {readOptions} from './options.ts';
import type {Given} from './options.ts';

const USAGE: Readonly<Record<string, string>> = {
  declare: 'declare [-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]',
  local: 'local [option] name[=value] ...',
  export: 'export [-fn] [name[=value] ...] or export -p',
  readonly: 'readonly [-aAf] [name[=value] ...] or readonly -p',
};

/** `declare [-aAfFgiIlnrtux] [name[=value] …]` */
export function* declare(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'aAfFgiIlnprtux', '-+');
  if (given.wrong) return yield* misused(shell, 'declare', given.wrong);
  if (given.letters.has('f') || given.letters.has('F')) {
    if (given.letters.has('r')) for (const name of given.rest) shell.readonlyFunctions.add(name);
    if (given.letters.has('r') || given.letters.has('x')) return 0;
    return yield* functions(shell, given);
  }
  if (given.letters.has('p') || given.rest.length === 0) return yield* print(shell, given);
  const isLocal = shell.variables.isInFunction && !given.letters.has('g');
  return yield* each(shell, args, {who: 'declare', given, isLocal});
}

/** `local [option] name[=value] …` */
export function* local(shell: Shell, args: readonly string[]): Steps<number> {
  if (!shell.variables.isInFunction) return yield* shell.complain('local: can only be used in a function');
  if (args.includes('-')) {
    shell.keptOptions ??= shell.options.fork();
    return args.length > 1
      ? yield* local(
          shell,
          args.filter(arg => arg !== '-'),
        )
      : 0;
  }
  const given = readOptions(args, 'aAfFgiIlnprtux', '-+');
  if (given.wrong) return yield* misused(shell, 'local', given.wrong);
  if (given.rest.length === 0) {
    const names = shell.variables.localNames();
    yield* shell.print(names.map(name => `${name}=${shell.variables.text(name) ?? ''}\n`).join(''));
    return 0;
  }
  return yield* each(shell, args, {who: 'local', given, isLocal: true});
}

/** `export [-fnp] [name[=value] …]` */
export function* exportNames(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'fnp');
  if (given.wrong) return yield* misused(shell, 'export', given.wrong);
  if (given.rest.length === 0) return yield* printAll(shell, variable => variable.exported);
  const missing = given.letters.has('f') ? given.rest.find(name => !shell.functions.has(name)) : undefined;
  if (missing !== undefined) return yield* shell.complain(`export: ${missing}: not a function`);
  if (given.letters.has('f')) {
    for (const name of given.rest)
      if (given.letters.has('n')) shell.exportedFunctions.delete(name);
      else shell.exportedFunctions.add(name);
    return 0;
  }
  const letters = new Set([given.letters.has('n') ? '+x' : 'x']);
  return yield* each(shell, args, {who: 'export', given: {...given, letters}, isLocal: false});
}

/** `readonly [-aAfp] [name[=value] …]` */
export function* readonlyNames(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'aAfp');
  if (given.wrong) return yield* misused(shell, 'readonly', given.wrong);
  if (given.rest.length === 0) return yield* printAll(shell, variable => variable.readonly);
  return yield* each(shell, args, {
    who: 'readonly',
    given: {...given, letters: new Set([...given.letters, 'r'])},
    isLocal: false,
  });
}

function* misused(shell: Shell, who: string, wrong: NonNullable<Given['wrong']>): Steps<number> {
  yield* shell.complain(`${who}: ${wrong.option}: ${wrong.words}`, 2);
  yield* shell.printError(`${who}: usage: ${USAGE[who]}\n`);
  return 2;
}

interface Task {
  readonly who: string;
  readonly given: Given;
  readonly isLocal: boolean;
}

function* each(shell: Shell, args: readonly string[], task: Task): Steps<number> {
  const {given, who} = task;
  const first = args.length - given.rest.length;
  let status = 0;
  for (const [index, arg] of given.rest.entries()) {
    const match = /^([^=+[]*)(\[[^\]]*\])?(?:(\+?=)(.*))?$/s.exec(arg);
    const name = match?.[1] ?? '';
    if (!match || !isName(name)) {
      status = yield* shell.complain(`${who}: \`${arg}': not a valid identifier`);
      continue;
    }
    // The words of a declaration are counted without the name of the builtin.
    const elements = shell.compounds.get(first + index);
    const words = yield* declareOne(shell, task, {name, subscript: match[2], sign: match[3], text: match[4] ?? '', elements});
    if (words !== undefined) status = yield* shell.complain(`${who}: ${words}`);
    if (shell.unwind) return 1;
  }
  shell.compounds.clear();
  return status;
}

interface One {
  readonly name: string;
  readonly subscript: string | undefined;
  readonly sign: string | undefined;
  readonly text: string;
  readonly elements: Parameters<typeof assignElements>[1]['elements'] | undefined;
}

function* declareOne(shell: Shell, {given, isLocal}: Task, one: One): Steps<string | undefined> {
  const {letters} = given;
  const {name, sign} = one;
  const isReference = letters.has('n') || letters.has('+n');
  const variable = isLocal
    ? shell.variables.makeLocal(name)
    : isReference
      ? shell.variables.obtainOwn(name)
      : shell.variables.obtain(name);
  if (variable.readonly && (sign !== undefined || letters.has('+r'))) return `${name}: readonly variable`;
  const kind = shapeOf(variable, letters, name);
  if (kind !== undefined) return kind;
  if (letters.has('i')) variable.integer = true;
  if (letters.has('+i')) variable.integer = false;
  if (letters.has('l')) variable.letters = 'lower';
  if (letters.has('u')) variable.letters = 'upper';
  if (letters.has('+l') || letters.has('+u')) variable.letters = undefined;
  if (isReference) return refer(variable, letters, one);
  let words: string | undefined;
  if (one.elements) words = yield* assignElements(shell, {name, elements: one.elements, append: sign === '+='});
  else if (sign !== undefined) {
    words = assign(shell, {name, key: one.subscript?.slice(1, -1), append: sign === '+='}, one.text);
  }
  if (letters.has('x')) variable.exported = true;
  if (letters.has('+x')) variable.exported = false;
  if (letters.has('r')) variable.readonly = true;
  return words;
}

function refer(variable: Variable, letters: ReadonlySet<string>, one: One): undefined {
  variable.reference = letters.has('n');
  if (one.sign !== undefined) variable.text = one.text;
}

function shapeOf(variable: Variable, letters: ReadonlySet<string>, name: string): string | undefined {
  if (letters.has('A')) {
    if (variable.list) return `${name}: cannot convert indexed to associative array`;
    variable.table ??= new Map(variable.text === undefined ? [] : [['0', variable.text]]);
    variable.text = undefined;
  } else if (letters.has('a')) {
    if (variable.table) return `${name}: cannot convert associative to indexed array`;
    asList(variable);
  }
  return undefined;
}

function* print(shell: Shell, given: Given): Steps<number> {
  if (given.rest.length === 0) {
    const wanted = [...given.letters].filter(letter => letter !== 'p' && letter !== 'g');
    if (!given.letters.has('p') && wanted.length === 0) return yield* plainList(shell);
    return yield* printAll(shell, variable => wanted.every(letter => hasAttribute(variable, letter)));
  }
  let status = 0;
  for (const name of given.rest) {
    const variable = shell.variables.own(name);
    if (variable) yield* shell.print(`${declarationOf(name, variable)}\n`);
    else status = yield* shell.complain(`declare: ${name}: not found`);
  }
  return status;
}

/** All variables and functions, as `set` prints them. */
export function* plainList(shell: Shell): Steps<number> {
  let text = '';
  for (const name of shell.variables.names()) {
    const variable = shell.variables.own(name);
    const shown = variable && declarationOf(name, variable).replace(/^declare -\S+ /, '');
    if (shown?.includes('=')) text += `${variable?.text === undefined ? shown : `${name}=${simplest(variable.text)}`}\n`;
  }
  yield* shell.print(text);
  for (const [name, defined] of [...shell.functions].sort(byName)) yield* shell.print(`${functionText(name, defined.node)}\n`);
  return 0;
}

function simplest(text: string): string {
  if (/^[\w@%+:,./-]*$/.test(text)) return text;
  return /[\u0000-\u001f]/.test(text)
    ? `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}'`
    : `'${text.replaceAll("'", "'\\''")}'`;
}

function hasAttribute(variable: Variable, letter: string): boolean {
  switch (letter) {
    case 'a':
      return variable.list !== undefined;
    case 'A':
      return variable.table !== undefined;
    case 'i':
      return variable.integer;
    case 'l':
      return variable.letters === 'lower';
    case 'u':
      return variable.letters === 'upper';
    case 'n':
      return variable.reference;
    case 'r':
      return variable.readonly;
    default:
      return letter !== 'x' || variable.exported;
  }
}

function* printAll(shell: Shell, wanted: (variable: Variable) => boolean): Steps<number> {
  let text = '';
  for (const name of shell.variables.names()) {
    const variable = shell.variables.own(name);
    if (variable && wanted(variable)) text += `${declarationOf(name, variable)}\n`;
  }
  yield* shell.print(text);
  return 0;
}

function byName(a: readonly [string, ShellFunction], b: readonly [string, ShellFunction]): number {
  return a[0] < b[0] ? -1 : 1;
}

function* functions(shell: Shell, given: Given): Steps<number> {
  const onlyNames = given.letters.has('F');
  if (given.rest.length === 0) {
    for (const [name, defined] of [...shell.functions].sort(byName)) {
      yield* shell.print(onlyNames ? `declare -f ${name}\n` : `${functionText(name, defined.node)}\n`);
    }
    return 0;
  }
  let status = 0;
  for (const name of given.rest) {
    const defined = shell.functions.get(name);
    if (!defined) status = 1;
    else yield* shell.print(onlyNames ? `${name}\n` : `${functionText(name, defined.node)}\n`);
  }
  return status;
}
