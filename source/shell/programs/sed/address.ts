// Addresses: which lines a command is for.
import {compileRegex} from '../../text/regex/regex.ts';
import {plainPattern} from './escapes.ts';
import type {Address, Command, Pattern} from './script.ts';
import type {SourceText} from './source-text.ts';

/** Reads up to the delimiter; undefined when the text ends first. The delimiter behind a backslash loses it. */
export function readDelimited(source: SourceText, delimiter: string, isPattern: boolean): string | undefined {
  let text = '';
  for (;;) {
    if (isPattern && source.peek === '[' && delimiter !== '[') {
      text += source.match(/\[\^?\]?(?:\[([:.=])[^\]]*\1\]|[^\]])*\]?/y);
      continue;
    }
    const char = source.next();
    if (char === undefined || (char === '\n' && isPattern && delimiter !== '\n')) return undefined;
    if (char === delimiter) return text;
    if (char !== '\\') {
      text += char;
      continue;
    }
    const next = source.next();
    if (next === undefined) return undefined;
    if (next === delimiter) text += isPattern ? next : `\\${next}`;
    else text += next === '\n' && isPattern ? '\n' : `\\${next}`;
  }
}

/** Reads the flags behind an expression and makes it. */
export function makePattern(
  source: SourceText,
  text: string,
  how: {extended: boolean; ignoreCase: boolean; multiline: boolean},
): Pattern {
  if (text === '') return undefined;
  const regex = compileRegex(plainPattern(text), {...how, rules: 'sed'});
  if (!regex.ok) throw source.problem(regex.words);
  return regex;
}

/** Reads one address; undefined when there is none. */
export function readAddress(source: SourceText, extended: boolean, isSecond: boolean): Address | undefined {
  const char = source.peek ?? '';
  if (/[0-9]/.test(char)) {
    const first = Number(source.match(/\d+/y));
    source.match(/[ \t]*/y);
    if (isSecond || source.peek !== '~') return {kind: 'line', line: first};
    source.next();
    return {kind: 'step', first, step: Number(source.match(/\d*/y))};
  }
  if (isSecond && (char === '+' || char === '~')) {
    source.next();
    const count = Number(source.match(/\d*/y));
    return char === '+' ? {kind: 'plus', count} : {kind: 'multiple', of: count};
  }
  if (char === '$') {
    source.next();
    return {kind: 'last'};
  }
  if (char !== '/' && char !== '\\') return undefined;
  source.next();
  const delimiter = char === '/' ? '/' : (source.next() ?? '');
  const text = readDelimited(source, delimiter, true);
  if (text === undefined) throw source.problem('unterminated address regex');
  const flags = source.match(/[ \t]*[IM]*/y);
  return {
    kind: 'match',
    pattern: makePattern(source, text, {extended, ignoreCase: flags.includes('I'), multiline: flags.includes('M')}),
  };
}

/** What an address is asked about. */
export interface Place {
  readonly line: number;
  readonly isLast: () => Promise<boolean>;
  readonly matches: (pattern: Pattern) => boolean;
}

/** Is the command for this line? */
export async function isFor(command: Command, place: Place): Promise<boolean> {
  return (await isIn(command, place)) !== command.isNegated;
}

async function isIn(command: Command, place: Place): Promise<boolean> {
  const {first, second} = command;
  if (!first) return true;
  if (!second) return fits(first, place);
  if (command.range === 'active') return goesOn(command, second, place);
  if (command.range === 'closed' && first.kind === 'line') return false;
  if (!(await fits(first, place))) return false;
  const {line} = place;
  if (second.kind === 'line' && second.line <= line) {
    command.range = first.kind === 'line' ? 'closed' : 'inactive';
    return true;
  }
  if (second.kind === 'plus') command.rangeEnd = line + second.count;
  else if (second.kind === 'multiple') command.rangeEnd = second.of > 0 ? Math.ceil(line / second.of) * second.of : line;
  else command.rangeEnd = second.kind === 'line' ? second.line : -1;
  command.range = command.rangeEnd === line ? 'closed' : 'active';
  return true;
}

/** A range that began on an earlier line. */
async function goesOn(command: Command, second: Address, place: Place): Promise<boolean> {
  if (second.kind === 'line' || second.kind === 'plus' || second.kind === 'multiple') {
    const end = second.kind === 'line' ? second.line : command.rangeEnd;
    if (place.line >= end) command.range = 'closed';
    return place.line <= end;
  }
  if (await fits(second, place)) command.range = 'closed';
  return true;
}

async function fits(address: Address, place: Place): Promise<boolean> {
  switch (address.kind) {
    case 'line':
      return place.line === address.line;
    case 'step':
      return address.step > 0
        ? place.line >= address.first && (place.line - address.first) % address.step === 0
        : place.line === address.first;
    case 'last':
      return place.isLast();
    case 'match':
      return place.matches(address.pattern);
    default:
      return false;
  }
}
