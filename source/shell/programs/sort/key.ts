// What lines are sorted by: a part of the line (`-k 2,3.4nr`), and how two such parts are compared.

/** How a key is compared. */
export interface Ordering {
  readonly ignoresBlanks: boolean;
  readonly dictionary: boolean;
  readonly fold: boolean;
  readonly printable: boolean;
  readonly kind: 'text' | 'number' | 'general' | 'human' | 'month' | 'version' | 'random';
  readonly reverse: boolean;
}

interface Position {
  /** Counted from 0. */
  readonly field: number;
  readonly char: number;
  readonly ignoresBlanks: boolean;
}

/** A key: a part of the line, and its ordering where it has one of its own. */
export interface Key {
  readonly start: Position;
  readonly end: Position | undefined;
  readonly ordering: Ordering | undefined;
}

/** The ordering that option letters ask for; undefined when none of them does. */
export function orderingOf(letters: string): Ordering | undefined {
  if (!/[bdfghinMrRV]/.test(letters)) return undefined;
  const kinds = [...letters].flatMap(letter => KINDS[letter] ?? []);
  return {
    ignoresBlanks: letters.includes('b'),
    dictionary: letters.includes('d'),
    fold: letters.includes('f'),
    printable: letters.includes('i'),
    kind: kinds.at(-1) ?? 'text',
    reverse: letters.includes('r'),
  };
}

const KINDS: Readonly<Record<string, Ordering['kind']>> = {
  n: 'number',
  g: 'general',
  h: 'human',
  M: 'month',
  V: 'version',
  R: 'random',
};

/** Reads `2`, `2,3`, `1.2,1.4nr`; words when it is wrong. */
export function readKey(text: string): Key | string {
  const match = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)(?:,(\d+)(?:\.(\d+))?([a-zA-Z]*))?$/.exec(text);
  if (!match) {
    return /^\d/.test(text)
      ? `stray character in field spec: invalid field specification ‘${text}’`
      : `invalid number at field start: invalid count at start of ‘${text}’`;
  }
  const [, field = '', char, first = '', lastField, lastChar, last = ''] = match;
  if (Number(field) === 0 || lastField === '0') return `field number is zero: invalid field specification ‘${text}’`;
  if (char !== undefined && Number(char) === 0) return `character offset is zero: invalid field specification ‘${text}’`;
  const wrong = /[^bdfghinMrRV]/.exec(first + last);
  if (wrong) return `stray character in field spec: invalid field specification ‘${text}’`;
  return {
    start: {field: Number(field) - 1, char: Number(char ?? 1) - 1, ignoresBlanks: first.includes('b')},
    end:
      lastField === undefined
        ? undefined
        : {field: Number(lastField) - 1, char: Number(lastChar ?? 0), ignoresBlanks: last.includes('b')},
    ordering: orderingOf(first + last),
  };
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at++;
  return at;
}

/** Where `count` fields from the start end; blanks before a field belong to it. */
function skipFields(line: string, count: number, separator: string | undefined, takesLast: boolean): number {
  let at = 0;
  for (let left = count; left > 0 && at < line.length; left--) {
    if (separator !== undefined) {
      const next = line.indexOf(separator, at);
      if (next < 0) return line.length;
      at = next + (left > 1 || takesLast ? 1 : 0);
      continue;
    }
    at = skipBlanks(line, at);
    while (at < line.length && line[at] !== ' ' && line[at] !== '\t') at++;
  }
  return at;
}

/** The part of a line that a key means. */
export function partOf(line: string, {start, end}: Key, how: {separator: string | undefined; ignoresBlanks: boolean}): string {
  const {separator} = how;
  let from = skipFields(line, start.field, separator, true);
  if (start.ignoresBlanks || how.ignoresBlanks) from = skipBlanks(line, from);
  from += start.char;
  if (!end) return line.slice(from);
  const isWhole = end.char === 0;
  let to = skipFields(line, end.field + (isWhole ? 1 : 0), separator, !isWhole);
  if (!isWhole) {
    if (end.ignoresBlanks || how.ignoresBlanks) to = skipBlanks(line, to);
    to += end.char;
  }
  return line.slice(from, Math.max(from, to));
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const UNITS = 'KMGTPEZY';

/** What stands for a part when parts are compared. */
export type Value = string | number | readonly (string | number)[];

/** Prepares a part, so that comparing it often is cheap. */
export function valueOf(part: string, ordering: Ordering, seed: number): Value {
  switch (ordering.kind) {
    case 'number':
      return numberAt(part);
    case 'general': {
      const value = Number.parseFloat(part.trim());
      return Number.isNaN(value) ? -Infinity : value;
    }
    case 'human': {
      const match = /^\s*(-?)[\d,.]*([KkMGTPEZY])?/.exec(part);
      const unit = match?.[2] === undefined ? 0 : UNITS.indexOf(match[2].toUpperCase()) + 1;
      const value = numberAt(part);
      const sign = value < 0 ? -1 : value > 0 ? 1 : 0;
      return [sign, sign * unit, value];
    }
    case 'month':
      return MONTHS.indexOf(part.trimStart().slice(0, 3).toUpperCase());
    case 'version':
      return versionOf(part);
    case 'random':
      return scramble(part, seed);
    default:
      return textOf(part, ordering);
  }
}

function numberAt(part: string): number {
  return Number(/^\s*(-?\d*\.?\d*)/.exec(part)?.[1] ?? '') || 0;
}

function textOf(part: string, {dictionary, fold, printable, ignoresBlanks}: Ordering): string {
  let text = ignoresBlanks ? part.trimStart() : part;
  if (dictionary) text = text.replace(/[^A-Za-z0-9 \t]/g, '');
  if (printable) text = text.replace(/[^ -~]/g, '');
  return fold ? text.toUpperCase() : text;
}

/** Digits are numbers, `~` comes before all, letters before other signs. */
function versionOf(part: string): readonly (string | number)[] {
  return (part.match(/\d+|\D+/g) ?? []).map(piece =>
    /^\d/.test(piece)
      ? Number(piece)
      : piece.replace(/[^A-Za-z~]/g, char => String.fromCharCode(char.charCodeAt(0) + 0x100)).replaceAll('~', '\u0001'),
  );
}

/** A number that looks like chance, the same for the same text. */
function scramble(text: string, seed: number): number {
  let hash = seed | 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) ^ (hash >>> 13);
  return hash;
}

/** Negative, 0 or positive. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'object' && typeof b === 'object') {
    for (let index = 0; index < a.length || index < b.length; index++) {
      const [left, right] = [a[index], b[index]];
      if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
      if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
