// Kubernetes quantities: `100m`, `1.5Gi`, `1e3`. A quantity is an exact number of billionths with a family of suffixes
// (decimal, binary, exponent). The server never keeps what was typed: it prints the canonical form, with the largest suffix
// that leaves no fraction (`0.5Gi` becomes `512Mi`, `1000m` becomes `1`).
//
// A cluster uses few different quantities and reads them very often, so every text is parsed once and kept. Sums that the
// hot paths need are made with plain numbers (`milliValue`, `unitValue`); exact sums (`addQuantities`) go through BigInt.

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A quantity that was read: exact in billionths, and as plain numbers for arithmetic. */
export interface ParsedQuantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** As the server prints it. */
  readonly canonical: string;
  /** In thousandths, rounded up (away from zero). */
  readonly milli: number;
  /** In whole units, rounded up (away from zero). */
  readonly units: number;
}

/** What the server says of a text that is no quantity. */
export interface QuantityError {
  readonly error: string;
}

export const QUANTITY_SYNTAX = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NANO = 1_000_000_000n;
const LARGEST = (2n ** 63n - 1n) * NANO;
const CACHE_LIMIT = 20_000;
const DECIMAL = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_SUFFIX = new Map([...DECIMAL].map(([suffix, exponent]) => [exponent, suffix]));
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const cache = new Map<string, ParsedQuantity>();

/** Reads a quantity as the server does, or says why it cannot. */
export function parseQuantity(text: string | number): ParsedQuantity | QuantityError {
  const key = typeof text === 'number' ? String(text) : text;
  const known = cache.get(key);
  if (known) return known;
  const read = readQuantity(key);
  if ('error' in read) return read;
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(key, read);
  return read;
}

/** Thousandths of a quantity, rounded up; 0 for what is absent or no quantity. */
export function milliValue(text: string | number | undefined): number {
  if (text === undefined) return 0;
  const parsed = parseQuantity(text);
  return 'error' in parsed ? 0 : parsed.milli;
}

/** Whole units of a quantity, rounded up; 0 for what is absent or no quantity. */
export function unitValue(text: string | number | undefined): number {
  if (text === undefined) return 0;
  const parsed = parseQuantity(text);
  return 'error' in parsed ? 0 : parsed.units;
}

/** The canonical text of a quantity; what is no quantity stays as it is. */
export function canonicalQuantity(text: string | number): string {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? String(text) : parsed.canonical;
}

/** Below 0, 0 or above 0, as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: string | number, b: string | number): number {
  const difference = nanosOf(a) - nanosOf(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact sum, in the family of suffixes of the first that is not zero. */
export function addQuantities(a: string | number, b: string | number): string {
  return combine(a, b, 1n);
}

/** The exact difference. */
export function subtractQuantities(a: string | number, b: string | number): string {
  return combine(a, b, -1n);
}

/** The canonical text of so many thousandths. */
export function formatMilli(milli: number, format: QuantityFormat = 'DecimalSI'): string {
  return formatNanos(BigInt(Math.ceil(milli)) * 1_000_000n, format);
}

/** The canonical text of so many whole units (bytes, pods). */
export function formatUnits(units: number, format: QuantityFormat = 'DecimalSI'): string {
  return formatNanos(BigInt(Math.ceil(units)) * NANO, format);
}

function combine(a: string | number, b: string | number, sign: bigint): string {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  if ('error' in left) return canonicalQuantity(b);
  if ('error' in right) return left.canonical;
  return formatNanos(left.nanos + sign * right.nanos, left.nanos === 0n ? right.format : left.format);
}

function nanosOf(text: string | number): bigint {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? 0n : parsed.nanos;
}

function readQuantity(text: string): ParsedQuantity | QuantityError {
  const parts = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (!parts || text === '') return {error: QUANTITY_SYNTAX};
  const [, sign = '', whole = '', fraction = '', suffix = ''] = parts;
  if (whole === '' && fraction === '') return {error: 'unable to parse numeric part of quantity'};
  const scale = readSuffix(suffix);
  if (!scale) return {error: "unable to parse quantity's suffix"};
  const digits = BigInt(whole + fraction);
  const tens = scale.exponent - fraction.length + 9;
  const raised = digits * (tens > 0 ? 10n ** BigInt(Math.min(tens, 60)) : 1n) * scale.factor;
  const nanos = tens < 0 ? divideUp(raised, 10n ** BigInt(Math.min(-tens, 400))) : raised;
  return describe(sign === '-' ? -least(nanos) : least(nanos), scale.format);
}

function least(nanos: bigint): bigint {
  return nanos > LARGEST ? LARGEST : nanos;
}

function readSuffix(suffix: string): {factor: bigint; exponent: number; format: QuantityFormat} | undefined {
  const decimal = DECIMAL.get(suffix);
  if (decimal !== undefined) return {factor: 1n, exponent: decimal, format: 'DecimalSI'};
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return {factor: 1024n ** BigInt(binary), exponent: 0, format: 'BinarySI'};
  if (/^[eE][-+]?[0-9]+$/.test(suffix)) return {factor: 1n, exponent: Number(suffix.slice(1)), format: 'DecimalExponent'};
  return undefined;
}

function describe(nanos: bigint, format: QuantityFormat): ParsedQuantity {
  return Object.freeze({
    nanos,
    format,
    canonical: formatNanos(nanos, format),
    milli: Number(awayFromZero(nanos, 1_000_000n)),
    units: Number(awayFromZero(nanos, NANO)),
  });
}

function awayFromZero(nanos: bigint, unit: bigint): bigint {
  return nanos < 0n ? -divideUp(-nanos, unit) : divideUp(nanos, unit);
}

function divideUp(amount: bigint, unit: bigint): bigint {
  return (amount + unit - 1n) / unit;
}

function formatNanos(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return '0';
  const small = nanos > -1024n * NANO && nanos < 1024n * NANO;
  // A binary suffix cannot show a fraction, and small numbers read better without one.
  if (format === 'BinarySI' && !small && nanos % NANO === 0n) return formatBinary(nanos / NANO);
  return formatDecimal(nanos, format === 'DecimalExponent');
}

function formatBinary(units: bigint): string {
  let left = units;
  let steps = 0;
  while (left % 1024n === 0n && steps < BINARY.length - 1) {
    left /= 1024n;
    steps++;
  }
  return `${left}${BINARY[steps] ?? ''}`;
}

function formatDecimal(nanos: bigint, exponents: boolean): string {
  let left = nanos;
  let exponent = -9;
  while (left % 1000n === 0n && exponent < 18) {
    left /= 1000n;
    exponent += 3;
  }
  if (exponents) return exponent === 0 ? `${left}` : `${left}e${exponent}`;
  return `${left}${DECIMAL_SUFFIX.get(exponent) ?? ''}`;
}
