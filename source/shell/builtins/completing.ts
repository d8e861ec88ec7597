// `compgen`, `complete`, `compopt`, `bind`: what scripts of completion call. The line editor here completes by itself, so what they
// arrange is only kept to be listed; `compgen` answers.
import {expandGlob} from '../expansion/globs.ts';
import {escapePattern} from '../expansion/patterns.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {KEYWORDS} from './type.ts';

/** What each letter of `compgen`, and each name behind `-A`, stands for. */
const ACTIONS: Readonly<Record<string, string>> = {
  a: 'alias',
  b: 'builtin',
  c: 'command',
  d: 'directory',
  e: 'export',
  f: 'file',
  j: 'job',
  k: 'keyword',
  v: 'variable',
};

/** `compgen [-abcdefjkv] [-A action] [-W words] [-P prefix] [-S suffix] [word]` */
export function* compgen(shell: Shell, args: readonly string[]): Steps<number> {
  const actions: string[] = [];
  let list = '';
  let word = '';
  let [prefix, suffix] = ['', ''];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      word = args[at + 1] ?? '';
      break;
    }
    const value = /^-[AWPSFCXo]$/.test(arg) ? (args[++at] ?? '') : '';
    if (arg === '-A') actions.push(value);
    else if (arg === '-W') list = value;
    else if (arg === '-P') prefix = value;
    else if (arg === '-S') suffix = value;
    else if (/^-[abcdefjkv]+$/.test(arg)) for (const letter of arg.slice(1)) actions.push(ACTIONS[letter] ?? '');
    else if (!arg.startsWith('-')) word = arg;
  }
  const words = [...actions.flatMap(action => namesOf(shell, action, word)), ...list.split(/[ \t\n]+/)];
  const found = words.filter(each => each !== '' && each.startsWith(word));
  yield* shell.print(found.map(each => `${prefix}${each}${suffix}\n`).join(''));
  return found.length > 0 ? 0 : 1;
}

function namesOf(shell: Shell, action: string, word: string): readonly string[] {
  const {process, interpreter} = shell;
  const builtins = [...interpreter.builtins.keys()].sort();
  switch (action) {
    case 'alias':
      return [...shell.aliases.keys()].sort();
    case 'builtin':
      return builtins;
    case 'keyword':
      return [...KEYWORDS];
    case 'function':
      return [...shell.functions.keys()].sort();
    case 'variable':
      return shell.variables.names();
    case 'export':
      return [...shell.variables.environment().keys()].sort();
    case 'command':
      return [...shell.aliases.keys(), ...KEYWORDS, ...shell.functions.keys(), ...builtins, ...process.machine.programNames()];
    case 'job':
      return shell.jobs.all.map(job => job.text);
    case 'file':
    case 'directory': {
      const options = {dotFiles: false, ignoreCase: false, globstar: false};
      const paths = expandGlob(process.machine.files, process.folder, `${escapePattern(word)}*`, options);
      return paths.filter(path => action === 'file' || process.machine.files.isFolder(process.path(path)));
    }
    default:
      return [];
  }
}

/** `complete [-pr] [-F function | -W words …] [name …]` */
export function* complete(shell: Shell, args: readonly string[]): Steps<number> {
  if (args.length > 0 && args[0] !== '-p') {
    for (const name of args.filter((arg, index) => !arg.startsWith('-') && !/^-[oAGWFCXPS]$/.test(args[index - 1] ?? '')))
      if (args[0] === '-r') shell.completions.delete(name);
      else shell.completions.set(name, `complete ${args.filter(arg => arg !== name).join(' ')} ${name}`);
    return 0;
  }
  for (const text of shell.completions.values()) yield* shell.print(`${text}\n`);
  return 0;
}
