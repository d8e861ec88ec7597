// The values of CEL as this engine holds them: ints are bigint, doubles are number, lists are arrays, maps with names for keys are plain
// objects and others are Maps; the rest are the classes here.
import {Uint} from './syntax.ts';

/** What goes wrong while an expression runs; it never leaves this room. */
export class CelError extends Error {}

const NANOS = 1_000_000n;
const SECOND = 1_000_000_000n;

/** A moment, in nanoseconds since 1970. */
export class Timestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  /** In milliseconds. */
  get ms(): number {
    return Number(this.nanos / NANOS);
  }
}

/** A length of time, in nanoseconds. */
export class Duration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A value that may be missing. */
export class Optional {
  readonly value: unknown;
  readonly isThere: boolean;
  constructor(isThere: boolean, value: unknown) {
    this.isThere = isThere;
    this.value = value;
  }
}

export const NOTHING = new Optional(false, undefined);

/** The type of a value, as a value. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A value of a library's own kind: an address, a quantity. */
export interface Special {
  readonly celType: string;
  equals(other: unknown): boolean;
}

/** Is it of a library's own kind? */
export function isSpecial(value: unknown): value is Special {
  return (
    typeof value === 'object' && value !== null && 'celType' in value && 'equals' in value && typeof value.equals === 'function'
  );
}

/** Is it a map with names for keys? */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** The entries of a map of either kind; undefined when it is no map. */
export function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...(value as ReadonlyMap<unknown, unknown>)].map(([key, part]) => [keyValue(key), part]);
  return isRecord(value) ? Object.entries(value) : undefined;
}

/** Keys of Maps are kept as text, so that equal ones are the same. */
export function keyText(key: unknown): unknown {
  if (typeof key === 'bigint') return `int ${key}`;
  if (key instanceof Uint) return `int ${key.value}`;
  if (typeof key === 'number' && Number.isInteger(key)) return `int ${BigInt(key)}`;
  return typeof key === 'string' ? `text ${key}` : key;
}

function keyValue(key: unknown): unknown {
  if (typeof key !== 'string') return key;
  return key.startsWith('int ') ? BigInt(key.slice(4)) : key.slice(5);
}

/** A map of pairs, a plain object when all keys are names. */
export function mapFrom(pairs: readonly (readonly [unknown, unknown])[]): unknown {
  if (pairs.every(([key]) => typeof key === 'string'))
    return Object.fromEntries(pairs as readonly (readonly [string, unknown])[]);
  return new Map(pairs.map(([key, value]) => [keyText(key), value]));
}

/** The value of a key; undefined when there is none. */
export function lookUp(map: unknown, key: unknown): unknown {
  if (map instanceof Map) return (map as ReadonlyMap<unknown, unknown>).get(keyText(key));
  return isRecord(map) && typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Are two values equal? Numbers of all kinds are compared by value. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const left = numberOf(a);
  const right = numberOf(b);
  // Bigints and numbers are compared by value.
  // eslint-disable-next-line eqeqeq
  if (left !== undefined && right !== undefined) return left == right;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  if (a instanceof Optional) return b instanceof Optional && a.isThere === b.isThere && equal(a.value, b.value);
  if (isSpecial(a)) return a.equals(b);
  const entries = entriesOf(a);
  const others = entriesOf(b);
  if (!entries || !others || entries.length !== others.length) return false;
  return entries.every(([key, value]) => {
    const other = lookUp(b, key);
    return other !== undefined && equal(value, other);
  });
}

/** The number in a value; undefined when it is none. */
export function numberOf(value: unknown): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof Uint ? value.value : undefined;
}

/** The name of a value's type. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'null_type';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number') return 'double';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof Optional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  return isSpecial(value) ? value.celType : 'map';
}

/** A length of time as Go prints it in seconds: `90s`. */
export function durationText({nanos}: Duration): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const rest = size % SECOND;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return `${sign}${size / SECOND}${fraction}s`;
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: NANOS,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};

/** Reads a length of time as Go does: `1h30m`, `-1.5s`. */
export function parseDuration(text: string): Duration | undefined {
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  const rest = text.slice(sign.length);
  if (rest === '0') return new Duration(0n);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let nanos = 0n;
  for (const [, number = '0', unit = 's'] of rest.matchAll(/([\d.]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const [whole = '', fraction = ''] = number.split('.');
    const size = UNITS[unit] ?? 1n;
    nanos += BigInt(whole || '0') * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  return new Duration(sign === '-' ? -nanos : nanos);
}
