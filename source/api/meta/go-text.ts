// How Go prints values in messages: `%q` of a string, `%v` of what came from JSON.

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};

/** A string as `%q` prints it. */
export function goQuote(text: string): string {
  if (/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/.test(text)) return `"${text}"`;
  let out = '';
  for (const letter of text) out += ESCAPES[letter] ?? (isPrintable(letter) ? letter : escapeLetter(letter));
  return `"${out}"`;
}

function isPrintable(letter: string): boolean {
  return letter === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(letter);
}

function escapeLetter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Several messages as Go's aggregate of errors tells them: each once, in brackets when there are several; undefined when none is. */
export function aggregated(messages: readonly string[]): string | undefined {
  const each = [...new Set(messages)];
  return each.length > 1 ? `[${each.join(', ')}]` : each[0];
}

/** A value read from JSON as `%v` prints it: `map[a:1 b:[x y]]`, `<nil>`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, part]) => `${key}:${goValue(part)}`).join(' ')}]`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A list of strings as `%#v` prints it: `[]string{"a", "b"}`. */
export function goStrings(values: readonly string[]): string {
  return `[]string{${values.map(goQuote).join(', ')}}`;
}

/** Compares as Go sorts strings: by bytes of UTF-8. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    // Halves of a pair stand for code points above all others, though their units are below U+E000.
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Sorts a list as Go sorts strings: a long one by the engine's own order, which is Go's where no letter is made of two halves. */
export function sortStrings(list: string[]): string[] {
  // oxlint-disable-next-line require-array-sort-compare
  return list.length > FEW && !list.some(text => HALVES.test(text)) ? list.sort() : list.sort(compareStrings);
}

const FEW = 32;
const HALVES = /[\ud800-\udfff]/;

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A value as Go's `%v` prints it: `map[a:1 b:[x y] c:<nil>]`. */
export function goMapText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goMapText).join(' ')}]`;
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return `map[${entries.map(([key, part]) => `${key}:${goMapText(part)}`).join(' ')}]`;
}

/** Bytes in powers of a thousand, with two digits at least: `20 kB`, `2.1 GB`. */
export function goBytes(bytes: number): string {
  if (bytes < 10) return `${bytes} B`;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const rounded = Math.floor(value * 10 + 0.5) / 10;
  return `${rounded < 10 && unit > 0 ? rounded.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** What Go calls a JSON value, when it is not of the type that was wanted. */
export function jsonKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
