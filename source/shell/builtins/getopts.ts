import {assign} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `getopts optstring name [argument …]`. How far it is within a word of joined letters stands in `shell.optionAt`. */
export function* getopts(shell: Shell, args: readonly string[]): Steps<number> {
  const [known, name, ...given] = args;
  if (known === undefined || name === undefined) {
    yield* shell.printError('getopts: usage: getopts optstring name [arg ...]\n');
    return 2;
  }
  const words = args.length > 2 ? given : shell.positional;
  const index = Number(shell.variables.text('OPTIND') ?? 1);
  if (index !== shell.optionIndex) {
    shell.optionIndex = index;
    shell.optionAt = 1;
  }
  const word = words[index - 1];
  if (word === undefined || !word.startsWith('-') || word === '-') return end(shell, name, index);
  if (word === '--') return end(shell, name, index + 1);
  return yield* take(shell, {known, name, words, word, index});
}

interface Task {
  readonly known: string;
  readonly name: string;
  readonly words: readonly string[];
  readonly word: string;
  readonly index: number;
}

function end(shell: Shell, name: string, index: number): number {
  assign(shell, {name}, '?');
  moveTo(shell, index, 1);
  return 1;
}

function moveTo(shell: Shell, index: number, at: number): void {
  shell.optionIndex = index;
  shell.optionAt = at;
  assign(shell, {name: 'OPTIND'}, String(index));
}

function* take(shell: Shell, {known, name, words, word, index}: Task): Steps<number> {
  const letter = word[shell.optionAt] ?? '';
  const place = letter === ':' ? -1 : known.replace(/^:/, ' ').indexOf(letter);
  const isLast = shell.optionAt + 1 >= word.length;
  const silent = known.startsWith(':');
  shell.variables.remove('OPTARG');
  if (place < 0 || letter === '') {
    moveTo(shell, isLast ? index + 1 : index, isLast ? 1 : shell.optionAt + 1);
    assign(shell, {name}, '?');
    if (silent) assign(shell, {name: 'OPTARG'}, letter);
    else yield* shell.printError(`${shell.name}: illegal option -- ${letter}\n`);
    return 0;
  }
  if (known[place + 1] !== ':') {
    moveTo(shell, isLast ? index + 1 : index, isLast ? 1 : shell.optionAt + 1);
    assign(shell, {name}, letter);
    return 0;
  }
  const value = isLast ? words[index] : word.slice(shell.optionAt + 1);
  moveTo(shell, isLast ? index + 2 : index + 1, 1);
  if (value === undefined) {
    assign(shell, {name}, silent ? ':' : '?');
    if (silent) assign(shell, {name: 'OPTARG'}, letter);
    else yield* shell.printError(`${shell.name}: option requires an argument -- ${letter}\n`);
    return 0;
  }
  assign(shell, {name: 'OPTARG'}, value);
  assign(shell, {name}, letter);
  return 0;
}
