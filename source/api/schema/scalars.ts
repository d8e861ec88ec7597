// Reads the scalars that have a form of their own: quantities, times, bytes in base64, integers with a width. Each reader
// gives the canonical value or what Go says of it.
import {goQuote} from '../meta/go-text.ts';
import {formatMilli, parseQuantity} from '../meta/quantity.ts';
import {formatMicroTime, formatTime, parseGoDuration, parseTime} from '../meta/time.ts';

/** The canonical value, or why there is none. */
export type Read = {readonly value: unknown} | {readonly error: string};

/** Quantities are kept in canonical form. */
export function readQuantity(value: unknown): Read {
  const parsed = parseQuantity(typeof value === 'string' || typeof value === 'number' ? value : '');
  return 'error' in parsed ? parsed : {value: parsed.canonical};
}

const MILLI = 1_000_000n;

/** Amounts of resources are kept in thousandths at the finest, rounded up. */
export function readAmount(value: unknown): Read {
  const parsed = parseQuantity(typeof value === 'string' || typeof value === 'number' ? value : '');
  if ('error' in parsed) return parsed;
  return {value: parsed.nanos % MILLI === 0n ? parsed.canonical : formatMilli(parsed.milli, parsed.format)};
}

/** Many objects carry the same few seconds. */
const canonicalTimes = new Set<string>();
const TIMES_KEPT = 4096;

/** Times are kept in UTC, with whole seconds. */
export function readTime(text: string): Read {
  if (canonicalTimes.has(text)) return {value: text};
  const ms = parseTime(text);
  if (ms === undefined) return {error: timeError(text, '')};
  const canonical = formatTime(ms);
  if (canonicalTimes.size >= TIMES_KEPT) canonicalTimes.clear();
  canonicalTimes.add(canonical);
  return {value: canonical};
}

/** Durations are kept as they were written. */
export function readDuration(text: string): Read {
  const read = parseGoDuration(text);
  return 'error' in read ? read : {value: text};
}

/** Times with microseconds need six digits of fraction. */
export function readMicroTime(text: string): Read {
  const ms = parseTime(text);
  if (ms === undefined || !/\.\d{6}(Z|[+-]\d\d:\d\d)$/.test(text)) return {error: timeError(text, '.000000')};
  return {value: text.endsWith('Z') ? text : formatMicroTime(ms)};
}

const TIME_PARTS: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
];

function timeError(text: string, fraction: '' | '.000000'): string {
  const layout = `2006-01-02T15:04:05${fraction}Z07:00`;
  const head = `parsing time ${goQuote(text)}`;
  let rest = text;
  const parts = [
    ...TIME_PARTS,
    ...(fraction === '' ? [] : [[fraction, /^\.\d{6}/] as const]),
    ['Z07:00', /^(Z|[+-]\d\d:\d\d)/] as const,
  ];
  for (const [name, form] of parts) {
    const found = form.exec(rest);
    if (!found) return `${head} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(name)}`;
    rest = rest.slice(found[0].length);
    // Seconds may carry a fraction that the layout does not show.
    if (name === '05' && fraction === '') rest = rest.replace(/^[.,]\d+/, '');
  }
  if (rest !== '') return `${head}: extra text: ${goQuote(rest)}`;
  return `${head}: ${outOfRange(text)} out of range`;
}

function outOfRange(text: string): string {
  const month = Number(text.slice(5, 7));
  if (month < 1 || month > 12) return 'month';
  if (Number(text.slice(11, 13)) > 23) return 'hour';
  if (Number(text.slice(14, 16)) > 59) return 'minute';
  return Number(text.slice(17, 19)) > 59 ? 'second' : 'day';
}

const CANONICAL_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Bytes stay base64, without line breaks. */
export function readBytes(text: string): Read {
  if (CANONICAL_BASE64.test(text)) return {value: text};
  const at = base64Fault(text);
  return at === undefined ? {value: text.replaceAll(/[\r\n]/g, '')} : {error: `illegal base64 data at input byte ${at}`};
}

/** Where Go's decoder stops: at the first wrong letter, or at the start of a group of four that is not whole. */
function base64Fault(text: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\n' || letter === '\r') continue;
    if (letter === '=') return paddingFault(text, at, inGroup);
    if (!/[A-Za-z0-9+/]/.test(letter)) return at;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : text.length - inGroup;
}

function paddingFault(text: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at;
  const rest = text.slice(at + 1);
  const skip = (from: string) => from.length - from.replace(/^[\r\n]+/, '').length;
  let next = at + 1 + skip(rest);
  if (inGroup === 2) {
    if (next >= text.length) return text.length;
    if (text.charAt(next) !== '=') return next;
    next++;
  }
  next += skip(text.slice(next));
  return next < text.length ? next : undefined;
}

const INT32 = 2_147_483_647;

/** Does a number fit into an integer field of a format? */
export function fitsInteger(value: number, format: string | undefined): boolean {
  if (!Number.isInteger(value)) return false;
  if (format === 'int32') return value >= -INT32 - 1 && value <= INT32;
  return value >= -(2 ** 63) && value < 2 ** 63;
}
