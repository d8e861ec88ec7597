// Objects as JSON, as kubectl prints them: sorted keys, four spaces, and the signs of HTML escaped.
import {compareStrings} from '../meta/go-text.ts';

export interface JsonForm {
  /** Spaces of a level; 0 for one line. */
  readonly indent?: number;
  /** Does `<` become `\u003c`? It does in `-o json`. */
  readonly escapeHtml?: boolean;
  /** Are keys sorted? What comes from the server as it is keeps its order. */
  readonly sorted?: boolean;
}

/** A value as JSON, without a line break at its end. */
export function printJson(value: unknown, {indent = 4, escapeHtml = true, sorted = true}: JsonForm = {}): string {
  return print(value, {pad: '\n', step: ' '.repeat(indent), escapeHtml, sorted});
}

interface Place {
  readonly pad: string;
  readonly step: string;
  readonly escapeHtml: boolean;
  readonly sorted: boolean;
}

function print(value: unknown, place: Place): string {
  if (typeof value === 'string') return printString(value, place.escapeHtml);
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const inside = {...place, pad: place.pad + place.step};
  const parts = Array.isArray(value) ? value.map(item => print(item, inside)) : printPairs(value, inside);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  if (place.step === '') return `${open}${parts.join(',')}${close}`;
  return `${open}${inside.pad}${parts.join(`,${inside.pad}`)}${place.pad}${close}`;
}

function printPairs(value: object, place: Place): string[] {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  if (place.sorted) entries.sort(([a], [b]) => compareStrings(a, b));
  const colon = place.step === '' ? ':' : ': ';
  return entries.map(([key, part]) => `${printString(key, place.escapeHtml)}${colon}${print(part, place)}`);
}

function printString(text: string, escapeHtml: boolean): string {
  const plain = JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
  return escapeHtml ? plain.replaceAll(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`) : plain;
}
