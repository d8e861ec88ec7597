// Functions on texts, lists and sets that Kubernetes adds to CEL.
import {compileRegex, type GoRegex} from '../../regex/regex.ts';
import type {Declaration} from '../signatures.ts';
import {Uint} from '../syntax.ts';
import {CelError, Duration, durationText, entriesOf, equal, Timestamp} from '../values.ts';
import {compare, int, uint} from './operators.ts';

/** How many letters a text has. */
function letters(text: string): bigint {
  return BigInt([...text].length);
}

function at(text: string, index: bigint): number {
  const place = Number(index);
  if (place < 0 || place > [...text].length) throw new CelError(`index out of range: ${index}`);
  return place;
}

function slice(text: string, from: bigint, to?: bigint): string {
  const end = to === undefined ? [...text].length : at(text, to);
  const start = at(text, from);
  if (start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  return [...text].slice(start, end).join('');
}

function find(text: string, part: string, from: bigint = 0n): bigint {
  const rest = [...text].slice(at(text, from)).join('');
  const found = rest.indexOf(part);
  return found < 0 ? -1n : from + letters(rest.slice(0, found));
}

function findLast(text: string, part: string, before?: bigint): bigint {
  const all = [...text];
  const wanted = [...part];
  const start = before === undefined ? all.length - wanted.length : Math.min(at(text, before), all.length - wanted.length);
  for (let i = start; i >= 0; i--) if (wanted.every((letter, k) => all[i + k] === letter)) return BigInt(i);
  return -1n;
}

function replace(text: string, part: string, by: string, most: bigint = -1n): string {
  let left = most < 0n ? Number.POSITIVE_INFINITY : Number(most);
  return text.split(part).reduce((sum, piece) => sum + (left-- > 0 ? by : part) + piece);
}

function split(text: string, by: string, most: bigint = -1n): string[] {
  if (most === 0n) return [];
  const parts = by === '' ? [...text] : text.split(by);
  if (most < 0n || parts.length <= Number(most)) return parts;
  const head = parts.slice(0, Number(most) - 1);
  return [...head, parts.slice(Number(most) - 1).join(by)];
}

const ascii = (text: string, from: RegExp, change: (letter: string) => string): string => text.replace(from, change);

/** A value in a formatted text. */
function shown(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return durationText(value);
  if (value instanceof Timestamp) return new Date(value.ms).toISOString().replace('.000', '');
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  const entries = entriesOf(value);
  if (entries)
    return `{${entries
      .map(([key, part]) => `${shown(key)}: ${shown(part)}`)
      .sort()
      .join(', ')}}`;
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function format(text: string, args: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(/%(?:%|(?:\.(\d+))?([a-zA-Z]))/g, (whole, digits: string | undefined, verb: string | undefined) => {
    if (verb === undefined) return '%';
    if (next >= args.length) throw new CelError(`index ${next} out of range`);
    const value = args[next++];
    const number = typeof value === 'bigint' ? value : value instanceof Uint ? value.value : undefined;
    switch (verb) {
      case 's':
        return shown(value);
      case 'd':
        return number === undefined ? bad('decimal') : String(number);
      case 'f':
        return Number(number ?? (value as number)).toFixed(digits === undefined ? 6 : Number(digits));
      case 'e':
        return Number(number ?? (value as number))
          .toExponential(digits === undefined ? 6 : Number(digits))
          .replace(/e([+-])(\d)$/, 'e$10$2');
      case 'b':
        return typeof value === 'boolean' ? (value ? '1' : '0') : (number?.toString(2) ?? bad('binary'));
      case 'o':
        return number?.toString(8) ?? bad('octal');
      case 'x':
      case 'X': {
        const hex =
          number?.toString(16) ?? Buffer.from(typeof value === 'string' ? value : (value as Uint8Array)).toString('hex');
        return verb === 'X' ? hex.toUpperCase() : hex;
      }
      default:
        throw new CelError(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
    }
  });
}

function bad(form: string): never {
  throw new CelError(`error during formatting: ${form} clause can only be used on integers`);
}

function compiled(pattern: string): GoRegex {
  const regex = compileRegex(pattern);
  if ('error' in regex) throw new CelError(`Illegal regex: ${regex.error}`);
  return regex;
}

function findAll(text: string, pattern: string, most: bigint = -1n): string[] {
  const regex = compiled(pattern);
  const letters = [...text];
  const found: string[] = [];
  for (let from = 0; from <= letters.length && (most < 0n || found.length < Number(most));) {
    const match = regex.find(letters, from);
    if (!match) break;
    const [start = 0, end = 0] = match;
    found.push(letters.slice(start, end).join(''));
    from = end > start ? end : end + 1;
  }
  return found;
}

const STRINGS: readonly Declaration[] = [
  ['string.charAt(int): string', (text: string, index: bigint) => [...text][at(text, index)] ?? ''],
  ['string.indexOf(string): int', find],
  ['string.indexOf(string, int): int', find],
  ['string.lastIndexOf(string): int', findLast],
  ['string.lastIndexOf(string, int): int', findLast],
  ['string.lowerAscii(): string', (text: string) => ascii(text, /[A-Z]/g, letter => letter.toLowerCase())],
  ['string.upperAscii(): string', (text: string) => ascii(text, /[a-z]/g, letter => letter.toUpperCase())],
  ['string.replace(string, string): string', replace],
  ['string.replace(string, string, int): string', replace],
  ['string.split(string): list<string>', split],
  ['string.split(string, int): list<string>', split],
  ['string.substring(int): string', slice],
  ['string.substring(int, int): string', slice],
  ['string.trim(): string', (text: string) => text.trim()],
  ['string.reverse(): string', (text: string) => [...text].reverse().join('')],
  ['string.format(list<dyn>): string', format],
  ['strings::quote(string): string', (text: string) => JSON.stringify(text)],
  ['list<string>.join(): string', (list: readonly string[]) => list.join('')],
  ['list<string>.join(string): string', (list: readonly string[], by: string) => list.join(by)],
  ['string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? ''],
  ['string.findAll(string): list<string>', findAll],
  ['string.findAll(string, int): list<string>', findAll],
];

const SUMMABLE: Readonly<Record<string, readonly [zero: unknown, plus: (a: never, b: never) => unknown]>> = {
  int: [0n, (a: bigint, b: bigint) => int(a + b)],
  uint: [new Uint(0n), (a: Uint, b: Uint) => uint(a.value + b.value)],
  double: [0, (a: number, b: number) => a + b],
  duration: [new Duration(0n), (a: Duration, b: Duration) => new Duration(int(a.nanos + b.nanos))],
};
const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

function extreme(list: readonly unknown[], sign: number, name: string): unknown {
  if (list.length === 0) throw new CelError(`${name} called on empty list`);
  return list.reduce((best, each) => (compare(each, best) * sign > 0 ? each : best));
}

const LISTS: readonly Declaration[] = [
  ...COMPARABLE.flatMap((type): readonly Declaration[] => [
    [
      `list<${type}>.isSorted(): bool`,
      (list: readonly unknown[]) => list.every((each, i) => i === 0 || compare(list[i - 1], each) <= 0),
    ],
    [`list<${type}>.min(): ${type}`, (list: readonly unknown[]) => extreme(list, -1, 'min')],
    [`list<${type}>.max(): ${type}`, (list: readonly unknown[]) => extreme(list, 1, 'max')],
  ]),
  ...Object.entries(SUMMABLE).map(([type, [zero, plus]]): Declaration => [
    `list<${type}>.sum(): ${type}`,
    (list: readonly unknown[]) => list.reduce((sum, each) => plus(sum as never, each as never), zero),
  ]),
  ['list<A>.indexOf(A): int', (list: readonly unknown[], value: unknown) => BigInt(list.findIndex(each => equal(each, value)))],
  [
    'list<A>.lastIndexOf(A): int',
    (list: readonly unknown[], value: unknown) => BigInt(list.findLastIndex(each => equal(each, value))),
  ],
  ['sets::contains(list<A>, list<A>): bool', (list: readonly unknown[], part: readonly unknown[]) => holdsAll(list, part)],
  [
    'sets::equivalent(list<A>, list<A>): bool',
    (a: readonly unknown[], b: readonly unknown[]) => holdsAll(a, b) && holdsAll(b, a),
  ],
  [
    'sets::intersects(list<A>, list<A>): bool',
    (a: readonly unknown[], b: readonly unknown[]) => a.some(each => b.some(other => equal(each, other))),
  ],
];

function holdsAll(list: readonly unknown[], part: readonly unknown[]): boolean {
  return part.every(each => list.some(other => equal(each, other)));
}

export const TEXT_AND_LISTS: readonly Declaration[] = [...STRINGS, ...LISTS];
