// The standard functions of CEL: sizes, conversions, texts, times, optional values.
import {offsetAt, timeZone} from '../../meta/time-zone.ts';
import {parseTime, formatTime} from '../../meta/time.ts';
import {compileRegex} from '../../regex/regex.ts';
import type {Declaration} from '../signatures.ts';
import {Uint} from '../syntax.ts';
import {
  CelError,
  Duration,
  durationText,
  entriesOf,
  NOTHING,
  Optional,
  parseDuration,
  Timestamp,
  typeName,
  TypeValue,
} from '../values.ts';
import {int, uint} from './operators.ts';

const letters = (text: string): bigint => BigInt([...text].length);
const count = (list: readonly unknown[]): bigint => BigInt(list.length);
const entries = (map: unknown): bigint => BigInt(entriesOf(map)?.length ?? 0);

const SIZES: readonly Declaration[] = [
  ['size(string): int', letters],
  ['size(bytes): int', (bytes: Uint8Array) => BigInt(bytes.length)],
  ['size(list<A>): int', count],
  ['size(map<A, B>): int', entries],
  ['string.size(): int', letters],
  ['bytes.size(): int', (bytes: Uint8Array) => BigInt(bytes.length)],
  ['list<A>.size(): int', count],
  ['map<A, B>.size(): int', entries],
];

/** Does a text match an expression? */
function matches(text: string, pattern: string): boolean {
  const regex = compileRegex(pattern);
  if ('error' in regex) throw new CelError(regex.error);
  return regex.test(text);
}

const TEXTS: readonly Declaration[] = [
  ['string.contains(string): bool', (text: string, part: string) => text.includes(part)],
  ['string.startsWith(string): bool', (text: string, part: string) => text.startsWith(part)],
  ['string.endsWith(string): bool', (text: string, part: string) => text.endsWith(part)],
  ['string.matches(string): bool', matches],
  ['matches(string, string): bool', matches],
];

function unreadable(from: string, to: string): never {
  throw new CelError(`type conversion error from '${from}' to '${to}'`);
}

function intOfText(text: string): bigint {
  return /^[-+]?\d+$/.test(text) ? int(BigInt(text.replace('+', ''))) : unreadable('string', 'int');
}

function doubleOfText(text: string): number {
  const number = Number(text);
  return text.trim() === '' || (Number.isNaN(number) && !/^nan$/i.test(text)) ? unreadable('string', 'double') : number;
}

/** A double as Go prints it. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : value < 0 ? '-Inf' : 'NaN';
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e21)) return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  return String(value);
}

function readTimestamp(text: string): Timestamp {
  const ms = parseTime(text);
  if (ms === undefined) return unreadable('string', 'google.protobuf.Timestamp');
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return new Timestamp(BigInt(Math.floor(ms / 1000)) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9)));
}

function timestampText(moment: Timestamp): string {
  const rest = moment.nanos % 1_000_000_000n;
  const fraction = rest === 0n ? '' : `.${String(rest).padStart(9, '0').replace(/0+$/, '')}`;
  return formatTime(moment.ms).replace(/(\.\d+)?Z$/, `${fraction}Z`);
}

const CONVERSIONS: readonly Declaration[] = [
  ['int(int): int', (value: bigint) => value],
  ['int(uint): int', (value: Uint) => int(value.value)],
  ['int(double): int', (value: number) => (Number.isFinite(value) ? int(BigInt(Math.trunc(value))) : int(2n ** 63n))],
  ['int(string): int', intOfText],
  ['int(timestamp): int', ({nanos}: Timestamp) => nanos / 1_000_000_000n],
  ['int(duration): int', ({nanos}: Duration) => nanos],
  ['uint(uint): uint', (value: Uint) => value],
  ['uint(int): uint', (value: bigint) => uint(value)],
  ['uint(double): uint', (value: number) => uint(BigInt(Math.trunc(value)))],
  ['uint(string): uint', (text: string) => (/^\d+$/.test(text) ? uint(BigInt(text)) : unreadable('string', 'uint'))],
  ['double(double): double', (value: number) => value],
  ['double(int): double', Number],
  ['double(uint): double', (value: Uint) => Number(value.value)],
  ['double(string): double', doubleOfText],
  ['string(string): string', (text: string) => text],
  ['string(int): string', String],
  ['string(uint): string', (value: Uint) => String(value.value)],
  ['string(double): string', doubleText],
  ['string(bool): string', String],
  ['string(bytes): string', (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')],
  ['string(timestamp): string', timestampText],
  ['string(duration): string', durationText],
  ['bytes(bytes): bytes', (bytes: Uint8Array) => bytes],
  ['bytes(string): bytes', (text: string) => Uint8Array.from(Buffer.from(text))],
  ['bool(bool): bool', (value: boolean) => value],
  [
    'bool(string): bool',
    (text: string) =>
      /^(1|t|T|TRUE|true|True)$/.test(text)
        ? true
        : /^(0|f|F|FALSE|false|False)$/.test(text)
          ? false
          : unreadable('string', 'bool'),
  ],
  ['timestamp(timestamp): timestamp', (value: Timestamp) => value],
  ['timestamp(string): timestamp', readTimestamp],
  ['timestamp(int): timestamp', (seconds: bigint) => new Timestamp(seconds * 1_000_000_000n)],
  ['duration(duration): duration', (value: Duration) => value],
  ['duration(string): duration', (text: string) => parseDuration(text) ?? unreadable('string', 'google.protobuf.Duration')],
  ['duration(int): duration', (nanos: bigint) => new Duration(nanos)],
  ['dyn(A): dyn', (value: unknown) => value],
  ['type(A): type<A>', (value: unknown) => new TypeValue(typeName(value))],
];

interface Calendar {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly yearDay: number;
  readonly secondOfDay: number;
}

/** Zones are told by their distance from UTC, or by name. */
function calendar(moment: Timestamp, zone = 'UTC'): Calendar {
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  const named = offset ? undefined : timeZone(zone === '' ? 'UTC' : zone);
  if (!offset && !named) throw new CelError(`unknown time zone ${zone}`);
  const minutes = named
    ? offsetAt(named, moment.ms).minutes
    : (Number(offset?.[2]) * 60 + Number(offset?.[3])) * (offset?.[1] === '-' ? -1 : 1);
  const date = new Date(moment.ms + minutes * 60_000);
  const yearDay = Math.floor(
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000,
  );
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    yearDay,
    secondOfDay: date.getUTCHours() * 3600 + date.getUTCMinutes() * 60 + date.getUTCSeconds(),
  };
}

const PARTS: Readonly<Record<string, (at: Calendar) => number>> = {
  getFullYear: at => at.year,
  getMonth: at => at.month,
  getDate: at => at.day,
  getDayOfMonth: at => at.day - 1,
  getDayOfWeek: at => at.weekday,
  getDayOfYear: at => at.yearDay,
  getHours: at => Math.floor(at.secondOfDay / 3600),
  getMinutes: at => Math.floor(at.secondOfDay / 60) % 60,
  getSeconds: at => at.secondOfDay % 60,
};

const TIMES: readonly Declaration[] = [
  ...Object.entries(PARTS).flatMap(([name, part]): readonly Declaration[] => {
    const run = (moment: Timestamp, zone?: string) => BigInt(part(calendar(moment, zone)));
    return [
      [`timestamp.${name}(): int`, run],
      [`timestamp.${name}(string): int`, run],
    ];
  }),
  ['timestamp.getMilliseconds(): int', ({nanos}: Timestamp) => (nanos % 1_000_000_000n) / 1_000_000n],
  ['duration.getHours(): int', ({nanos}: Duration) => nanos / 3_600_000_000_000n],
  ['duration.getMinutes(): int', ({nanos}: Duration) => nanos / 60_000_000_000n],
  ['duration.getSeconds(): int', ({nanos}: Duration) => nanos / 1_000_000_000n],
  ['duration.getMilliseconds(): int', ({nanos}: Duration) => (nanos % 1_000_000_000n) / 1_000_000n],
];

function isZero(value: unknown): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (value instanceof Uint) return value.value === 0n;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return entriesOf(value)?.length === 0;
}

function present(value: Optional): unknown {
  if (!value.isThere) throw new CelError('optional.none() dereference');
  return value.value;
}

const OPTIONALS: readonly Declaration[] = [
  ['optional::of(A): optional<A>', (value: unknown) => new Optional(true, value)],
  ['optional::none(): optional<A>', () => NOTHING],
  ['optional::ofNonZeroValue(A): optional<A>', (value: unknown) => (isZero(value) ? NOTHING : new Optional(true, value))],
  ['optional<A>.hasValue(): bool', (value: Optional) => value.isThere],
  ['optional<A>.value(): A', present],
  ['optional<A>.orValue(A): A', (value: Optional, other: unknown) => (value.isThere ? value.value : other)],
  ['optional<A>.or(optional<A>): optional<A>', (value: Optional, other: Optional) => (value.isThere ? value : other)],
];

export const STANDARD: readonly Declaration[] = [...SIZES, ...TEXTS, ...CONVERSIONS, ...TIMES, ...OPTIONALS];
