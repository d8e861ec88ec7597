// Objects as YAML, byte for byte as kubectl prints them: sorted keys, lists not indented under their key, strings quoted by
// the rules of YAML 1.1, texts of several lines as literal blocks, other long texts broken at spaces behind column 80.
import {partsIn} from '../schema/parts.ts';
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

/** Lines that are given before more of them are made. */
const A_PIECE = 2000;
/** Parts of a value that are printed in one go. */
const A_GO = 500;

/** The same text in pieces: of what is long, others may have their turn between them. */
export function* yamlPieces(value: unknown): Iterable<string> {
  const lines: string[] = [];
  for (const _ of printLong(value, {lines, lead: '', indent: 0})) {
    if (lines.length >= A_PIECE) yield `${lines.splice(0).join('\n')}\n`;
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

/** Gives after each part of a long value, however deep it lies. */
function* printLong(value: unknown, place: Place): Iterable<void> {
  if (typeof value !== 'object' || value === null || partsIn(value, A_GO) < A_GO) return printNode(value, place);
  for (const part of partsOf(value, place)) {
    yield* printLong(part.value, part.place);
    yield;
  }
}

interface Place {
  readonly lines: string[];
  /** What already stands on the line: `key:` or `-`, with its indentation. */
  readonly lead: string;
  /** Where the content of a mapping that begins here is indented. */
  readonly indent: number;
}

function printNode(value: unknown, place: Place): void {
  if (typeof value === 'object' && value !== null) for (const part of partsOf(value, place)) printNode(part.value, part.place);
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

/** A part of a value, and where it is to be printed. */
interface Part {
  readonly value: unknown;
  readonly place: Place;
}

/** The parts of a list or a map, one after the other; each is to be printed before the next one is asked for. */
function partsOf(value: object, place: Place): Iterable<Part> {
  return Array.isArray(value) ? partsOfList(value, place) : partsOfMap(value as Readonly<Record<string, unknown>>, place);
}

function* partsOfMap(map: Readonly<Record<string, unknown>>, place: Place): Iterable<Part> {
  const keys = Object.keys(map)
    .filter(key => map[key] !== undefined)
    .sort(compareYamlKeys);
  if (keys.length === 0) return push(place, '{}');
  const {lines, indent} = place;
  const pad = ' '.repeat(indent);
  // The first key of a mapping in a list stands beside the dash.
  const beside = place.lead.endsWith('-');
  if (!beside && place.lead !== '') lines.push(place.lead);
  for (const [i, key] of keys.entries()) {
    const value = map[key];
    const lead = leadOf(key, {lines, lead: beside && i === 0 ? `${place.lead} ` : pad, indent});
    // A list stands under its key without indentation, where the key is on the same line.
    yield {value, place: {lines, lead, indent: Array.isArray(value) && lead !== `${pad}:` ? indent : indent + 2}};
  }
}

/** What stands before a value: its key and a colon; a long key has a line of its own. */
function leadOf(key: string, place: Place): string {
  const {lines, lead, indent} = place;
  const text = printKey(key);
  if (text.length <= LONGEST_SIMPLE_KEY && !/[\r\n\u0085\u2028\u2029]/.test(key)) return `${lead}${text}:`;
  printNode(key, {lines, lead: `${lead}?`, indent: indent + 2});
  return `${' '.repeat(indent)}:`;
}

function printKey(key: string): string {
  const style = scalarStyle(key, true);
  if (key === '') return '""';
  if (style === 'plain') return key;
  return style === 'single' ? singleQuoted(key) : doubleQuoted(key);
}

function* partsOfList(list: readonly unknown[], place: Place): Iterable<Part> {
  if (list.length === 0) return push(place, '[]');
  const {lines, indent} = place;
  const pad = ' '.repeat(indent);
  const beside = place.lead.endsWith('-');
  if (!beside && place.lead !== '') lines.push(place.lead);
  for (const [i, value] of list.entries()) {
    yield {value, place: {lines, lead: beside && i === 0 ? `${place.lead} -` : `${pad}-`, indent: indent + 2}};
  }
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
