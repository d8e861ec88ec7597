// Objects as YAML, byte for byte as kubectl prints them: sorted keys, lists not indented under their key, strings quoted by
// the rules of YAML 1.1, texts of several lines as literal blocks, other long texts broken at spaces behind column 80.
import {foldText} from './folding.ts';
import {doubleQuoted, scalarStyle} from './scalar-form.ts';
import {compareYamlKeys} from './key-order.ts';
import {formatNumber} from './number-form.ts';

const LONGEST_SIMPLE_KEY = 128;

/** A value as one YAML document, with a line break at its end. */
export function printYaml(value: unknown): string {
  const lines: string[] = [];
  printNode(value, {lines, lead: '', indent: 0});
  return `${lines.join('\n')}\n`;
}

interface Place {
  readonly lines: string[];
  /** What already stands on the line: `key:` or `-`, with its indentation. */
  readonly lead: string;
  /** Where the content of a mapping that begins here is indented. */
  readonly indent: number;
}

function printNode(value: unknown, place: Place): void {
  if (Array.isArray(value)) printList(value, place);
  else if (typeof value === 'object' && value !== null) printMap(value as Readonly<Record<string, unknown>>, place);
  else if (typeof value === 'string') printString(value, place);
  else push(place, printScalar(value));
}

function printScalar(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return value === undefined || value === null ? 'null' : JSON.stringify(value);
}

function push({lines, lead}: Place, text: string): void {
  lines.push(lead === '' ? text : `${lead} ${text}`);
}

function printMap(map: Readonly<Record<string, unknown>>, place: Place): void {
  const keys = Object.keys(map)
    .filter(key => map[key] !== undefined)
    .sort(compareYamlKeys);
  if (keys.length === 0) return push(place, '{}');
  const pad = ' '.repeat(place.indent);
  // The first key of a mapping in a list stands beside the dash.
  const beside = place.lead.endsWith('-');
  if (!beside && place.lead !== '') place.lines.push(place.lead);
  keys.forEach((key, i) => {
    const start = beside && i === 0 ? `${place.lead} ` : pad;
    printPair({key, value: map[key]}, {lines: place.lines, lead: start, indent: place.indent});
  });
}

function printPair({key, value}: {key: string; value: unknown}, place: Place): void {
  const {lines, indent} = place;
  const text = printKey(key);
  if (text.length > LONGEST_SIMPLE_KEY || /[\r\n\u0085\u2028\u2029]/.test(key)) {
    printNode(key, {lines, lead: `${place.lead}?`, indent: indent + 2});
    return printNode(value, {lines, lead: `${' '.repeat(indent)}:`, indent: indent + 2});
  }
  const lead = `${place.lead}${text}:`;
  // A list stands under its key without indentation.
  printNode(value, {lines, lead, indent: Array.isArray(value) ? indent : indent + 2});
}

function printKey(key: string): string {
  const style = scalarStyle(key, true);
  if (key === '') return '""';
  if (style === 'plain') return key;
  return style === 'single' ? singleQuoted(key) : doubleQuoted(key);
}

function printList(list: readonly unknown[], place: Place): void {
  if (list.length === 0) return push(place, '[]');
  const pad = ' '.repeat(place.indent);
  const beside = place.lead.endsWith('-');
  if (!beside && place.lead !== '') place.lines.push(place.lead);
  list.forEach((item, i) => {
    const lead = beside && i === 0 ? `${place.lead} -` : `${pad}-`;
    printNode(item, {lines: place.lines, lead, indent: place.indent + 2});
  });
}

function printString(text: string, place: Place): void {
  const style = scalarStyle(text, false);
  if (style === 'literal') return printLiteral(text, place);
  const quoted = style === 'plain' ? text : style === 'single' ? singleQuoted(text) : doubleQuoted(text);
  const {lead} = place;
  if (lead.length + quoted.length <= SHORT || !text.includes(' ')) return push(place, quoted);
  const mark = style === 'plain' ? '' : style === 'single' ? "'" : '"';
  const write =
    style === 'single' ? (letter: string) => (letter === "'" ? "''" : letter) : style === 'double' ? inDoubleQuotes : same;
  const column = (lead === '' ? 0 : lead.length + 1) + mark.length;
  push(place, `${mark}${foldText(text, {style, column, indent: lead === '' ? 2 : place.indent, write})}${mark}`);
}

/** Nothing as short as this is broken. */
const SHORT = 79;

function same(letter: string): string {
  return letter;
}

function inDoubleQuotes(letter: string): string {
  return doubleQuoted(letter).slice(1, -1);
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function printLiteral(text: string, place: Place): void {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  push(place, `|${hint}${chomp}`);
  const indent = place.lead === '' ? 2 : place.indent;
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  for (const line of body.split('\n')) place.lines.push(line === '' ? '' : `${' '.repeat(indent)}${line}`);
}
