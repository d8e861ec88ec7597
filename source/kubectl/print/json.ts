// JSON as Go writes it: the keys of maps sorted, letters escaped that HTML would read, four spaces a level when indented.
import {compareStrings} from '../../api/meta/go-text.ts';

const HTML: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** The same value with the keys of all maps sorted. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value).toSorted(([a], [b]) => compareStrings(a, b))) put(sorted, key, sortKeys(part));
  return sorted;
}

/** One line, keys sorted. */
export function compactJson(value: unknown): string {
  return escapeHtml(stringify(sortKeys(value), ''));
}

/** Several lines, keys sorted. */
export function indentedJson(value: unknown, indent = '    '): string {
  return escapeHtml(stringify(sortKeys(value), indent));
}

/** Several lines, keys in the order in which they are: as objects of a Go type are printed. */
export function typedJson(value: unknown, indent = '    '): string {
  return escapeHtml(stringify(value, indent));
}

/** JSON.stringify moves keys such as `10` to the front of an object; so the text is put together here. */
function stringify(value: unknown, indent: string, margin = '\n'): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = indent === '' ? '' : margin + indent;
  const outer = indent === '' ? '' : margin;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[${inner}${value.map(part => stringify(part, indent, margin + indent)).join(`,${inner}`)}${outer}]`;
  }
  const keys = keysOf(value);
  if (keys.length === 0) return '{}';
  const colon = indent === '' ? ':' : ': ';
  const parts = keys.map(
    key => `${JSON.stringify(key)}${colon}${stringify((value as Record<string, unknown>)[key], indent, margin + indent)}`,
  );
  return `{${inner}${parts.join(`,${inner}`)}${outer}}`;
}

/** A number-like key comes out of order from every object, so sorted maps are sorted once more where they hold one. */
function keysOf(value: object): string[] {
  const keys = Object.keys(value).filter(key => (value as Record<string, unknown>)[key] !== undefined);
  return keys.some(key => /^\d+$/.test(key)) ? keys.sort(compareStrings) : keys;
}

function put(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, {value, enumerable: true, configurable: true, writable: true});
  else target[key] = value;
}

function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, letter => HTML[letter] ?? letter);
}
