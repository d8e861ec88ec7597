// Values of awk: numbers, texts, and texts that came from outside and look like numbers, which compare as numbers.
import {format} from '../../builtins/printf.ts';

/** A text from outside that looks like a number. */
export interface Numeric {
  readonly text: string;
  readonly number: number;
}

/** `undefined` was never set: it is both empty and 0. */
export type Value = string | number | Numeric | undefined;

const LOOKS_NUMERIC = /^\s*[-+]?(\d+\.?\d*([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?)\s*$/;
const BEGINS_NUMERIC = /^\s*([-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?))/;
const LARGEST_WHOLE = 1e16;

/** A text that came from a field, a file or the command line. */
export function fromOutside(text: string): Value {
  return text !== '' && LOOKS_NUMERIC.test(text) ? {text, number: Number(text)} : text;
}

export function numberOf(value: Value): number {
  if (typeof value === 'number') return value;
  if (value === undefined) return 0;
  if (typeof value === 'object') return value.number;
  return Number(BEGINS_NUMERIC.exec(value)?.[1] ?? 0);
}

/** A text; numbers that are not whole by a format. */
export function textOf(value: Value, how: string): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (typeof value === 'object') return value.text;
  if (Number.isInteger(value) && Math.abs(value) < LARGEST_WHOLE) return String(value === 0 ? 0 : value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  return formatted(how, [value], how);
}

export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value !== '';
  return numberOf(value) !== 0;
}

/** Negative, 0 or positive: as numbers where both are or look like it. */
export function compared(a: Value, b: Value, how: string): number {
  if (typeof a !== 'string' && typeof b !== 'string') {
    const [left, right] = [numberOf(a), numberOf(b)];
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN;
  }
  const [left, right] = [textOf(a, how), textOf(b, how)];
  return left < right ? -1 : left > right ? 1 : 0;
}

const CONVERSION = /%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]*([a-zA-Z]))/g;
const NO_TIMES = {nowMs: 0, startedMs: 0};

/** `sprintf` */
export function formatted(source: string, args: readonly Value[], how: string): string {
  let next = 0;
  return source.replace(
    CONVERSION,
    (whole, flags: string | undefined, width: string | undefined, precision: string | undefined, letter: string | undefined) => {
      if (letter === undefined) return '%';
      const wide = width === '*' ? String(Math.trunc(numberOf(args[next++]))) : (width ?? '');
      const exact = precision === '*' ? String(Math.trunc(numberOf(args[next++]))) : precision;
      const head = `%${flags ?? ''}${wide}${exact === undefined ? '' : `.${exact}`}`;
      const value = args[next++];
      const made = (as: string, text: string): string => format(head + as, [text], NO_TIMES).text;
      if (letter === 's') return made('s', textOf(value, how));
      if (letter === 'c') {
        return made(
          's',
          typeof value === 'number'
            ? String.fromCodePoint(Math.min(0x10ffff, Math.max(0, Math.trunc(value))))
            : textOf(value, how).slice(0, 1),
        );
      }
      const number = numberOf(value);
      if ('diuoxX'.includes(letter)) return made(letter === 'u' ? 'd' : letter, wholeText(number));
      if ('eEfFgG'.includes(letter)) return made(letter, Number.isFinite(number) ? String(number) : number > 0 ? 'inf' : '-inf');
      return whole;
    },
  );
}

function wholeText(number: number): string {
  return Number.isFinite(number) ? BigInt(Math.trunc(number)).toString() : '0';
}
