// The formats that a schema may ask of a string. Formats that nobody knows are not checked.
import {parseTime} from '../meta/time.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {parseCidr, parseIp} from '../meta/ip.ts';

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuidOf =
  (version: number) =>
  (text: string): boolean =>
    new RegExp(
      `^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[${version === 3 ? '0-9a-f' : '89ab'}][0-9a-f]{3}-?[0-9a-f]{12}$`,
      'i',
    ).test(text);
const HOST = /^([a-zA-Z0-9_]{1}[a-zA-Z0-9_-]{0,62}){1}(\.[a-zA-Z0-9_]{1}[a-zA-Z0-9_-]{0,62})*[._]?$/;
const DURATION = /^[-+]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/;
/** Beside Go's own form, words are allowed: `3 days`. */
const WORDY =
  /^(?:\d+\s*(?:ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)\s*)+$/;

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: text => /^[0-9a-f]{24}$/i.test(text),
  byte: text => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  cidr: text => parseCidr(text) !== undefined,
  creditcard: text => isLuhn(text.replaceAll(/[^0-9]/g, '')),
  date: text => /^\d{4}-\d\d-\d\d$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined,
  'date-time': isTime,
  datetime: isTime,
  duration: text => text === '0' || DURATION.test(text) || WORDY.test(text),
  email: text => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hexcolor: text => /^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  hostname: text => HOST.test(text) && text.length <= 255,
  ipv4: text => parseIp(text)?.family === 4,
  ipv6: text => parseIp(text)?.family === 6,
  isbn: text => isIsbn(text),
  isbn10: text => isIsbn(text, 10),
  isbn13: text => isIsbn(text, 13),
  'k8s-long-name': text => checkSubdomain(text).length === 0,
  'k8s-short-name': text => checkLabel(text).length === 0,
  mac: text =>
    /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:[0-9a-f]{2}\1?){1,3}$/i.test(text) ||
    /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2,3}$/i.test(text),
  password: () => true,
  rgbcolor: text =>
    /^rgb\(\s*(?:(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*){2}(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/.test(text),
  ssn: text => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  uri: isUri,
  uuid: text => UUID.test(text),
  uuid3: uuidOf(3),
  uuid4: uuidOf(4),
  uuid5: uuidOf(5),
};

/** Does a string have a format? */
export function hasFormat(text: string, format: string): boolean {
  return FORMATS[format]?.(text) ?? true;
}

/** Is it a format that is looked at? */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, format);
}

function isTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)?$/.test(text) &&
    parseTime(text.toUpperCase().replace(/(?<![Z\d][+-]\d\d:?\d\d)(?<!Z)$/, 'Z')) !== undefined
  );
}

/** As a request line may name it: with a scheme, or a path from the root. */
function isUri(text: string): boolean {
  if (text === '' || /[\s\x00-\x1F\x7F]/.test(text) || /%(?![0-9a-fA-F]{2})/.test(text)) return false;
  return text.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:./.test(text);
}

function isLuhn(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const doubled = i % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

function isIsbn(text: string, length?: number): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (length === undefined) return isIsbn(text, 10) || isIsbn(text, 13);
  if (length === 10)
    return (
      /^\d{9}[\dX]$/.test(digits) &&
      [...digits].reduce((sum, digit, i) => sum + (10 - i) * (digit === 'X' ? 10 : Number(digit)), 0) % 11 === 0
    );
  return (
    /^\d{13}$/.test(digits) && [...digits].reduce((sum, digit, i) => sum + (i % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0
  );
}
