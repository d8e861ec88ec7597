// The operators of CEL. Those that may leave a side unevaluated (&&, ||, ?:) are the evaluator's; here they have their types.
import type {Declaration} from '../signatures.ts';
import {Uint} from '../syntax.ts';
import {CelError, Duration, entriesOf, equal, lookUp, NOTHING, numberOf, Optional, Timestamp} from '../values.ts';

const MAX = 2n ** 63n - 1n;
const MIN = -(2n ** 63n);
const UMAX = 2n ** 64n - 1n;

/** An int that fits. */
export function int(value: bigint): bigint {
  if (value > MAX || value < MIN) throw new CelError('integer overflow');
  return value;
}

/** A uint that fits. */
export function uint(value: bigint): Uint {
  if (value > UMAX || value < 0n) throw new CelError('unsigned integer overflow');
  return new Uint(value);
}

function divisor(value: bigint, word = 'division'): bigint {
  if (value === 0n) throw new CelError(`${word} by zero`);
  return value;
}

const ARITHMETIC: readonly Declaration[] = [
  ['_+_(int, int): int', (a: bigint, b: bigint) => int(a + b)],
  ['_+_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value + b.value)],
  ['_+_(double, double): double', (a: number, b: number) => a + b],
  ['_+_(string, string): string', (a: string, b: string) => a + b],
  ['_+_(bytes, bytes): bytes', (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b])],
  ['_+_(list<A>, list<A>): list<A>', (a: unknown[], b: unknown[]) => [...a, ...b]],
  ['_+_(duration, duration): duration', (a: Duration, b: Duration) => new Duration(int(a.nanos + b.nanos))],
  ['_+_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => new Timestamp(a.nanos + b.nanos)],
  ['_+_(duration, timestamp): timestamp', (a: Duration, b: Timestamp) => new Timestamp(a.nanos + b.nanos)],
  ['_-_(int, int): int', (a: bigint, b: bigint) => int(a - b)],
  ['_-_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value - b.value)],
  ['_-_(double, double): double', (a: number, b: number) => a - b],
  ['_-_(duration, duration): duration', (a: Duration, b: Duration) => new Duration(int(a.nanos - b.nanos))],
  ['_-_(timestamp, timestamp): duration', (a: Timestamp, b: Timestamp) => new Duration(int(a.nanos - b.nanos))],
  ['_-_(timestamp, duration): timestamp', (a: Timestamp, b: Duration) => new Timestamp(a.nanos - b.nanos)],
  ['_*_(int, int): int', (a: bigint, b: bigint) => int(a * b)],
  ['_*_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value * b.value)],
  ['_*_(double, double): double', (a: number, b: number) => a * b],
  ['_/_(int, int): int', (a: bigint, b: bigint) => int(a / divisor(b))],
  ['_/_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value / divisor(b.value))],
  ['_/_(double, double): double', (a: number, b: number) => a / b],
  ['_%_(int, int): int', (a: bigint, b: bigint) => int(a % divisor(b, 'modulus'))],
  ['_%_(uint, uint): uint', (a: Uint, b: Uint) => uint(a.value % divisor(b.value, 'modulus'))],
  ['-_(int): int', (a: bigint) => int(-a)],
  ['-_(double): double', (a: number) => -a],
];

/** Less, equal or more. */
export function compare(a: unknown, b: unknown): number {
  const left = orderOf(a);
  const right = orderOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function orderOf(value: unknown): bigint | number | string {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Timestamp || value instanceof Duration) return value.nanos;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return numberOf(value) ?? (typeof value === 'string' ? value : '');
}

const NUMBERS = ['int', 'uint', 'double'];
const ORDERED = [
  'bool, bool',
  'string, string',
  'bytes, bytes',
  'timestamp, timestamp',
  'duration, duration',
  ...NUMBERS.flatMap(a => NUMBERS.map(b => `${a}, ${b}`)),
];
const ORDERS: Readonly<Record<string, (order: number) => boolean>> = {
  '<': o => o < 0,
  '<=': o => o <= 0,
  '>': o => o > 0,
  '>=': o => o >= 0,
};

const COMPARISONS: readonly Declaration[] = Object.entries(ORDERS).flatMap(([sign, says]) =>
  ORDERED.map((pair): Declaration => [`_${sign}_(${pair}): bool`, (a: unknown, b: unknown) => says(compare(a, b))]),
);

/** The item at an index. */
function item(list: readonly unknown[], index: unknown): unknown {
  const at = indexOf(index);
  if (at === undefined || at < 0 || at >= list.length)
    throw new CelError(`index out of bounds: ${String(numberOf(index) ?? index)}`);
  return list[at];
}

function indexOf(index: unknown): number | undefined {
  const number = numberOf(index);
  return number === undefined || (typeof number === 'number' && !Number.isInteger(number)) ? undefined : Number(number);
}

/** The value of a key. */
export function valueOf(map: unknown, key: unknown): unknown {
  const found = lookUp(map, key);
  if (found === undefined) throw new CelError(`no such key: ${String(numberOf(key) ?? key)}`);
  return found;
}

/** What a key or an index leads to, if it does. */
export function valueIfAny(of: unknown, key: unknown): Optional {
  if (of instanceof Optional) return of.isThere ? valueIfAny(of.value, key) : NOTHING;
  if (Array.isArray(of)) {
    const at = indexOf(key);
    return at !== undefined && at >= 0 && at < of.length ? new Optional(true, of[at]) : NOTHING;
  }
  if (!entriesOf(of)) throw new CelError('no such overload');
  const found = lookUp(of, key);
  return found === undefined ? NOTHING : new Optional(true, found);
}

const LOOKUPS: readonly Declaration[] = [
  ['_[_](list<A>, int): A', item],
  ['_[_](map<A, B>, A): B', valueOf],
  ['_[_](optional<list<A>>, int): optional<A>', valueIfAny],
  ['_[_](optional<map<A, B>>, A): optional<B>', valueIfAny],
  ['_[?_](list<A>, int): optional<A>', valueIfAny],
  ['_[?_](map<A, B>, A): optional<B>', valueIfAny],
  ['_[?_](optional<list<A>>, int): optional<A>', valueIfAny],
  ['_[?_](optional<map<A, B>>, A): optional<B>', valueIfAny],
  ['@in(A, list<A>): bool', (value: unknown, list: readonly unknown[]) => list.some(each => equal(each, value))],
  ['@in(A, map<A, B>): bool', (key: unknown, map: unknown) => lookUp(map, key) !== undefined],
];

const LOGIC: readonly Declaration[] = [
  ['_&&_(bool, bool): bool', (a: boolean, b: boolean) => a && b],
  ['_||_(bool, bool): bool', (a: boolean, b: boolean) => a || b],
  ['!_(bool): bool', (a: boolean) => !a],
  ['_?_:_(bool, A, A): A', (c: boolean, a: unknown, b: unknown) => (c ? a : b)],
  ['_==_(A, A): bool', equal],
  ['_!=_(A, A): bool', (a: unknown, b: unknown) => !equal(a, b)],
];

export const OPERATORS: readonly Declaration[] = [...LOGIC, ...ARITHMETIC, ...COMPARISONS, ...LOOKUPS];
