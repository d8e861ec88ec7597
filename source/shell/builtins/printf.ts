// `printf`. The format is used again until all arguments are; missing arguments are empty or 0.
import {assign} from '../state/assign.ts';
import {unescapeAnsi, unescapeEcho} from '../expansion/escapes.ts';
import {quoteWithBackslashes} from '../expansion/transformations.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {placeOf} from '../state/variables.ts';
import {byteLength} from '../text/bytes.ts';
import {write} from './echo.ts';
import {strftime} from '../text/dates.ts';

/** What printf prints, what it complains of, and its status. */
export interface Printed {
  readonly text: string;
  readonly complaints: readonly string[];
  /** Complaints that are no failure. */
  readonly warnings: readonly string[];
}

/** Times that `%(…)T` may name. */
export interface PrintfTimes {
  readonly nowMs: number;
  readonly startedMs: number;
}

const CONVERSION = /%(?:%|([-+ #0']*)(\*|\d+)?(?:\.(\*|-?\d*))?(?:hh|h|ll|l|L|q(?=[a-z])|j|z|t)?(\([^)]*\)T|[a-zA-Z]))/y;
const MOST_TEXT = 4 * 1024 * 1024;
const MOST_INTEGER = 2n ** 63n - 1n;

/** Formats arguments. */
export function format(source: string, args: readonly string[], times: PrintfTimes): Printed {
  const state: State = {args, at: 0, complaints: [], warnings: [], stops: false, times};
  let text = '';
  do {
    const before = state.at;
    text += once(source, state);
    if (state.at === before || state.stops || text.length > MOST_TEXT) break;
  } while (state.at < args.length);
  return {text, complaints: state.complaints, warnings: state.warnings};
}

interface State {
  readonly args: readonly string[];
  at: number;
  readonly complaints: string[];
  readonly warnings: string[];
  stops: boolean;
  readonly times: PrintfTimes;
}

function once(source: string, state: State): string {
  let text = '';
  let at = 0;
  while (at < source.length && !state.stops) {
    const next = source.indexOf('%', at);
    const plain = unescapeAnsi(source.slice(at, next < 0 ? undefined : next));
    text += plain.text;
    if (next < 0) break;
    CONVERSION.lastIndex = next;
    const match = CONVERSION.exec(source);
    if (!match) {
      const rest = source.slice(next, next + 2);
      state.complaints.push(rest === '%' ? "`%': missing format character" : `\`${rest.slice(1)}': invalid format character`);
      state.stops = true;
      break;
    }
    text += match[0] === '%%' ? '%' : convert(match, state);
    at = CONVERSION.lastIndex;
  }
  return text;
}

interface Shape {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
}

function convert(match: RegExpExecArray, state: State): string {
  let flags = match[1] ?? '';
  let width = match[2] === '*' ? Number(integer(take(state), state)) : Number(match[2] ?? 0);
  if (width < 0) {
    flags += '-';
    width = -width;
  }
  const digits = match[3];
  const precision = digits === undefined ? undefined : digits === '*' ? Number(integer(take(state), state)) : Number(digits || 0);
  const shape: Shape = {
    flags,
    width: Math.min(width, MOST_TEXT),
    precision: precision !== undefined && precision < 0 ? undefined : precision,
  };
  return byLetter(match[4] ?? '', shape, state);
}

function take(state: State): string | undefined {
  return state.args[state.at++];
}

function byLetter(letter: string, shape: Shape, state: State): string {
  if (letter.startsWith('(')) return pad(time(letter.slice(1, -2), state), shape);
  switch (letter) {
    case 's':
      return pad(cut(take(state) ?? '', shape), shape);
    case 'b': {
      const unescaped = unescapeEcho(take(state) ?? '', true);
      if (unescaped.stops) state.stops = true;
      return pad(cut(unescaped.text, shape), shape);
    }
    case 'q':
      return pad(quoteWithBackslashes(take(state) ?? ''), shape);
    case 'c':
      return pad((take(state) ?? '').slice(0, 1), shape);
    case 'd':
    case 'i':
      return number(integer(take(state), state), 10, shape);
    case 'u':
      return number(BigInt.asUintN(64, integer(take(state), state)), 10, shape);
    case 'x':
    case 'X': {
      const text = number(BigInt.asUintN(64, integer(take(state), state)), 16, shape, shape.flags.includes('#') ? '0x' : '');
      return letter === 'X' ? text.toUpperCase() : text;
    }
    case 'o':
      return number(BigInt.asUintN(64, integer(take(state), state)), 8, shape, shape.flags.includes('#') ? '0' : '');
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
      return fraction(letter, real(take(state), state), shape);
    default:
      state.complaints.push(`\`${letter}': invalid format character`);
      state.stops = true;
      return '';
  }
}

function cut(text: string, {precision}: Shape): string {
  return precision === undefined ? text : text.slice(0, precision);
}

/** Widths count bytes, as bash's do. */
function pad(text: string, {flags, width}: Shape): string {
  const blanks = width > text.length ? ' '.repeat(Math.max(0, width - byteLength(text))) : '';
  return flags.includes('-') ? text + blanks : blanks + text;
}

function time(source: string, state: State): string {
  const argument = take(state);
  const seconds = argument === undefined || argument === '-1' ? undefined : Number(integer(argument, state));
  const ms = seconds === undefined ? state.times.nowMs : seconds === -2 ? state.times.startedMs : seconds * 1000;
  return strftime(source === '' ? '%X' : source, ms);
}

function integer(argument: string | undefined, state: State): bigint {
  if (argument === undefined || argument === '') return 0n;
  if (/^["']/.test(argument)) return BigInt(argument.codePointAt(1) ?? 0);
  const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)(.*)$/s.exec(argument);
  if (!match || match[3] !== '')
    state.complaints.push(`${argument}: invalid ${/^\s*[-+]?0\d/.test(argument) ? 'octal ' : ''}number`);
  if (!match) return 0n;
  const digits = match[2] ?? '0';
  const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = match[1] === '-' ? -size : size;
  if (value <= MOST_INTEGER && value >= -MOST_INTEGER - 1n) return value;
  state.warnings.push(`warning: ${argument}: Numerical result out of range`);
  return value > 0 ? MOST_INTEGER : -MOST_INTEGER - 1n;
}

function real(argument: string | undefined, state: State): number {
  if (argument === undefined || argument === '') return 0;
  if (/^["']/.test(argument)) return argument.codePointAt(1) ?? 0;
  const match = /^\s*[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?|0[xX][0-9a-fA-F]+|inf|nan)/i.exec(argument);
  if (!match || match[0].length !== argument.length) state.complaints.push(`${argument}: invalid number`);
  return match ? Number(match[0].trim()) : 0;
}

function number(value: bigint, base: number, shape: Shape, prefix = ''): string {
  const {flags, width, precision} = shape;
  const isNegative = value < 0n;
  let digits = (isNegative ? -value : value).toString(base);
  if (precision !== undefined) digits = digits.padStart(precision, '0');
  const sign = (isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '') + (value === 0n ? '' : prefix);
  if (flags.includes('0') && !flags.includes('-') && precision === undefined) digits = digits.padStart(width - sign.length, '0');
  return pad(sign + digits, shape);
}

function fraction(letter: string, value: number, shape: Shape): string {
  const {flags, width, precision} = shape;
  const size = Math.abs(value);
  let digits = Number.isFinite(size) ? digitsOf(letter, size, precision ?? 6) : Number.isNaN(size) ? 'nan' : 'inf';
  if (letter === letter.toUpperCase()) digits = digits.toUpperCase();
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (flags.includes('0') && !flags.includes('-')) digits = digits.padStart(width - sign.length, '0');
  return pad(sign + digits, shape);
}

function digitsOf(letter: string, size: number, precision: number): string {
  const places = Math.min(precision, 100);
  if (letter === 'f' || letter === 'F') return size.toFixed(places);
  if (letter === 'e' || letter === 'E') return twoDigitExponent(size.toExponential(places));
  const significant = Math.max(1, places);
  const exponent = size === 0 ? 0 : Number(size.toExponential(significant - 1).split('e')[1]);
  if (exponent < -4 || exponent >= significant) {
    return twoDigitExponent(size.toExponential(significant - 1).replace(/\.?0+e/, 'e'));
  }
  const fixed = size.toFixed(Math.max(0, significant - 1 - exponent));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

function twoDigitExponent(text: string): string {
  return text.replace(/e([-+])(\d)$/, 'e$10$2');
}

/** `printf [-v name] format [argument …]` */
export function* printf(shell: Shell, args: readonly string[]): Steps<number> {
  let rest = args;
  let variable: string | undefined;
  if (rest[0] === '-v') {
    variable = rest[1] ?? '';
    rest = rest.slice(2);
  }
  if (rest[0] === '--') rest = rest.slice(1);
  const [source] = rest;
  if (source === undefined) {
    yield* shell.printError('printf: usage: printf [-v var] format [arguments]\n');
    return 2;
  }
  const times = {nowMs: shell.process.machine.wall(), startedMs: shell.process.machine.wall()};
  const printed = format(source, rest.slice(1), times);
  for (const complaint of [...printed.warnings, ...printed.complaints]) yield* shell.complain(`printf: ${complaint}`);
  let status = printed.complaints.length > 0 ? 1 : 0;
  if (variable !== undefined) {
    const place = placeOf(variable);
    const words = assign(shell, {name: place.name, key: place.subscript}, printed.text);
    return words === undefined ? status : yield* shell.complain(`printf: ${words}`, 2);
  }
  const written = write(shell, 'printf', printed.text);
  status ||= typeof written === 'number' ? written : yield* written;
  return status;
}
