// What Tab offers: programs where a command begins, variables after a `$`, what a program's own completer says of its words, and
// files for everything else. Only the command under the cursor counts: what stands before a `|`, `;`, `&` or `$(` is another one.
import {parentOf, resolvePath} from '../../sim/files.ts';
import type {Machine} from '../../sim/process/machine.ts';

/** Runs a command (its program first) and gives what it prints: names that only a server knows. */
export type Ask = (words: readonly string[]) => Promise<string>;

/** What a program knows of a word: whole words, and the files that are offered where there are none (all, none, or by their endings). */
export interface Known {
  readonly words: readonly string[];
  readonly files: boolean | readonly string[];
}

/** A program's own knowledge of the word at an index. */
export type Completer = (words: readonly string[], index: number, ask: Ask) => Promise<Known>;

export interface Completing {
  readonly line: string;
  /** In characters (code points) from the start. */
  readonly cursor: number;
  readonly machine: Machine;
  readonly environment: ReadonlyMap<string, string>;
  readonly folder: string;
  readonly completers: ReadonlyMap<string, Completer>;
  readonly ask: Ask;
}

/** Words that could stand from `start` (in characters) up to the cursor. */
export interface Completion {
  readonly start: number;
  readonly words: readonly string[];
}

const BUILTINS = [
  'alias',
  'cd',
  'declare',
  'echo',
  'exit',
  'export',
  'help',
  'history',
  'jobs',
  'kill',
  'printf',
  'pwd',
  'read',
  'set',
  'source',
  'type',
  'unset',
  'wait',
];

/** The completions of a line. */
export async function complete(completing: Completing): Promise<Completion> {
  const letters = [...completing.line].slice(0, completing.cursor);
  const words = wordsOf(letters.join(''));
  const word = words.at(-1) ?? '';
  const start = letters.length - [...word].length;
  const found = await candidates(completing, words, word);
  return {start, words: [...new Set(found)].filter(each => each.startsWith(word)).sort()};
}

async function candidates(completing: Completing, words: readonly string[], word: string): Promise<readonly string[]> {
  const {machine, environment, completers, ask} = completing;
  if (/^\$\w*$/.test(word)) return [...environment.keys()].map(name => `$${name}`);
  if (words.length === 1 && !word.includes('/')) return [...machine.programNames(), ...BUILTINS];
  const [program = ''] = words;
  const known = (await completers.get(program)?.(words, words.length - 1, ask)) ?? {words: [], files: true};
  const fitting = known.words.filter(each => each.startsWith(word));
  if (fitting.length > 0 || known.files === false) return fitting;
  const endings = known.files === true ? undefined : known.files;
  const offered = files(completing, word);
  return endings ? offered.filter(path => path.endsWith('/') || endings.some(ending => path.endsWith(`.${ending}`))) : offered;
}

/** The words of the command under the cursor; the last one is what is being typed, perhaps empty. */
export function wordsOf(text: string): readonly string[] {
  const words = [''];
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (quote !== '') {
      if (letter === quote) quote = '';
      else words.push((words.pop() ?? '') + letter);
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ' ' || letter === '\t') words.push('');
    else if (/[|;&\n]/.test(letter) || (letter === '(' && text[at - 1] === '$')) words.splice(0, words.length, '');
    else words.push((words.pop() ?? '') + letter);
  }
  const [last = ''] = words.slice(-1);
  return [...words.slice(0, -1).filter(word => word !== ''), last];
}

/** Files and folders (with a slash) that begin like the word. */
function files({machine, environment, folder}: Completing, word: string): readonly string[] {
  const slash = word.lastIndexOf('/');
  const shown = word.slice(0, slash + 1);
  const typed = shown.replace(/^~(?=\/)/, environment.get('HOME') ?? '~');
  const where = resolvePath(folder, typed === '' ? '.' : typed);
  const hidden = word.slice(slash + 1).startsWith('.');
  const names = machine.files.list(where === '' ? parentOf(where) : where) ?? [];
  return names
    .filter(name => hidden || !name.startsWith('.'))
    .map(name => `${shown}${name}${machine.files.isFolder(resolvePath(where, name)) ? '/' : ''}`);
}
