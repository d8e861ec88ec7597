// Values as Go prints them in its own syntax (`%#v`), and plainly.
import {formatNumber} from '../yaml/number-form.ts';
import {compareStrings, goQuote, goValue} from '../meta/go-text.ts';

/** `map[string]interface {}{"a":1, "b":[]interface {}{"x"}}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => compareStrings(a, b));
    return `map[string]interface {}{${entries.map(([key, part]) => `${goQuote(key)}:${goSyntax(part)}`).join(', ')}}`;
  }
  return typeof value === 'string' ? goQuote(value) : sprint(value);
}

/** A value read from JSON as `fmt.Sprint` prints it. */
export function sprint(value: unknown): string {
  return typeof value === 'number' ? formatNumber(value) : goValue(value);
}
