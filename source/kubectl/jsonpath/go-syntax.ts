// Values as Go prints them in its own syntax (`%#v`), and numbers as it prints them plainly.
import {compareStrings, goQuote, goValue} from '../../api/meta/go-text.ts';

/** `map[string]interface {}{"a":1, "b":[]interface {}{"x"}}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => compareStrings(a, b));
    return `map[string]interface {}{${entries.map(([key, part]) => `${goQuote(key)}:${goSyntax(part)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? goQuote(value) : typeof value === 'number' ? numberText(value) : String(value);
}

/** A number as `%v` prints it: whole numbers in full, very small and very large fractions with an exponent. */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 21) return String(value);
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** A value read from JSON as `fmt.Sprint` prints it. */
export function sprint(value: unknown): string {
  return typeof value === 'number' ? numberText(value) : goValue(value);
}
