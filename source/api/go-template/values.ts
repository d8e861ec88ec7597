// The values of templates: what JSON has, where a whole number is an int64 and another one a float64; the ints that templates
// themselves make; and no value at all (undefined), which is not nil (null).
import {goQuote} from '../meta/go-text.ts';
import {sprint} from '../jsonpath/go-syntax.ts';

/** From here on numbers are read as floats. */
const MOST_WHOLE = 2 ** 63;

/** An `int`. */
export class GoInt {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** A float64 that is a whole number, as `3.0` in a template. */
export class GoFloat {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** The whole number in a value; undefined when it is none. */
export function wholeOf(value: unknown): number | undefined {
  if (value instanceof GoInt) return value.value;
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < MOST_WHOLE ? value : undefined;
}

/** The name of a value's type. */
export function typeName(value: unknown): string {
  if (value instanceof GoInt) return 'int';
  if (value instanceof GoFloat) return 'float64';
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return wholeOf(value) === undefined ? 'float64' : 'int64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

/** Does it count as true? */
export function isTrue(value: unknown): boolean {
  if (value instanceof GoInt || value instanceof GoFloat) return value.value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** As `%v` prints it. */
export function valueText(value: unknown): string {
  if (value instanceof GoInt) return String(value.value);
  if (value instanceof GoFloat) return floatText(value.value);
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(' ')}]`;
  if (typeof value === 'object' && value !== null)
    return `map[${sortedKeys(value)
      .map(key => `${key}:${valueText((value as Readonly<Record<string, unknown>>)[key])}`)
      .join(' ')}]`;
  return sprint(value);
}

/** The keys of a map in their order. */
export function sortedKeys(map: object): string[] {
  return Object.keys(map).toSorted((a, b) => (a < b ? -1 : 1));
}

/** A float64 as `%v` prints it: with an exponent from 1e+21 on, and below 0.0001. */
function floatText(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return value.toString();
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** A value quoted where it is a text. */
export function quotedText(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : valueText(value);
}
