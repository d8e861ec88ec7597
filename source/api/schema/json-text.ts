// Objects as the bytes that a real server sends: fields in its order, the signs of HTML escaped as Go does it.
//
// Objects are frozen and shared, so what was written once is remembered beside the object: a list of 5,000 pods that ten clients ask
// for is put together from the same 5,000 texts. A long list is given in pieces, so that its writer may let others pass.
// Whoever shows bytes speaks so: the TLS port, `kubectl --raw`, curl and wget.
import {
  arranged,
  arrangedBody,
  arrangedRow,
  fieldsInOrder,
  isList,
  keepsKinds,
  partsInOrder,
  wholeInOrder,
  withoutKind,
  type Unordered,
} from './arranged.ts';
import {ownersText} from './ownership/text.ts';
import {isTracked} from './ownership/tracked.ts';
import {partsIn} from './parts.ts';
import {type Fields, isFields} from '../meta/fields.ts';
import type {ManagedFieldsEntry} from '../kinds/meta.ts';

const PIECE = 64 * 1024;

const whole = new WeakMap<object, string>();
const bare = new WeakMap<object, string>();

/** A value as JSON in one line, without a line break. */
export function jsonText(value: unknown): string {
  return isFields(value) ? remembered(whole, value, () => escaped(JSON.stringify(arranged(value)))) : plainJson(value);
}

/** A value as JSON in one line, its fields in the order in which they stand. */
export function plainJson(value: unknown): string {
  return escaped(JSON.stringify(value));
}

/** A body as JSON with its line break, in pieces of some length where it is a list or a table. */
export function* jsonPieces(value: unknown): Iterable<string> {
  const long = longOf(value);
  if (!long && isLong(value)) {
    yield* longPieces(value, '');
    return yield '\n';
  }
  if (!long) return yield `${jsonText(value)}\n`;
  const {head, name, parts, textOf} = long;
  const begin = `${escaped(JSON.stringify(head)).slice(0, -1)},"${name}":[`;
  const piecesOf = (part: Fields): Iterable<string> => longPieces(part, '', keepsKinds(parts));
  yield* pieces(parts, {begin, between: ',', end: ']}\n', textOf, ...(name === 'items' ? {piecesOf} : {})});
}

/** An object with so many parts is written part by part. */
const MANY = 4000;

/** Is an object large by itself? Its owners are not looked at: they may have to be worked out. */
export function isLong(value: unknown): value is Fields {
  if (!isFields(value) || whole.has(value) || bare.has(value)) return false;
  const {metadata, ...rest} = value;
  const {managedFields: _owners, ...own} = isFields(metadata) ? metadata : {};
  return partsIn(rest, MANY) + partsIn(own, MANY) >= MANY;
}

/** A large object, put in order as it is written. An empty piece only says that some work was done. */
function* longPieces(value: Fields, indent: string, withKind = true): Iterable<string> {
  yield '';
  yield '';
  let piece = '';
  const parts = fieldsInOrder(value, withKind);
  for (const text of writtenParts({parts, isList: false}, {indent, pad: indent === '' ? '' : '\n'})) {
    // What took long without a word yet is handed on as such.
    if (text === '') yield '';
    piece += text;
    if (piece.length < PIECE) continue;
    yield escaped(piece);
    piece = '';
  }
  yield escaped(piece);
}

/** Whoever looks at the owners of a large object first has them worked out, which takes a while by itself. */
export function workOutOwners({metadata}: Fields): number {
  const owners = isFields(metadata) ? metadata['managedFields'] : undefined;
  return Array.isArray(owners) ? owners.length : 0;
}

interface Parts {
  readonly parts: Iterable<readonly [name: string, part: Unordered]>;
  readonly isList: boolean;
}

/** How lines begin where there are any. */
interface Layout {
  readonly indent: string;
  readonly pad: string;
}

function* writtenParts({parts, isList: isArray}: Parts, {indent, pad}: Layout): Iterable<string> {
  const inner = pad + indent;
  let lead = isArray ? '[' : '{';
  for (const [name, part] of parts) {
    const key = isArray ? '' : `${JSON.stringify(name)}:${indent === '' ? '' : ' '}`;
    const {value} = part;
    if (indent === '' && isTracked(value)) {
      yield `${lead}${key}`;
      yield* ownersText(value as readonly ManagedFieldsEntry[]);
    } else if (hasOwners(value) || partsIn(value, A_GO) >= A_GO) {
      yield `${lead}${inner}${key}`;
      yield* writtenParts({parts: partsInOrder(part), isList: Array.isArray(value)}, {indent, pad: inner});
    } else {
      const text = JSON.stringify(wholeInOrder(part), null, indent) ?? 'null';
      yield `${lead}${inner}${key}${indent === '' ? text : text.replaceAll('\n', inner)}`;
    }
    lead = ',';
  }
  yield `${pad}${isArray ? ']' : '}'}`;
}

function hasOwners(value: unknown): boolean {
  return isFields(value) && isTracked(value['managedFields']);
}

/** Parts that are written in one go. */
const A_GO = 500;

/** A body as its text; none is empty, and what is no text is JSON in one line, with its line break. */
export function bodyText(body: unknown): string {
  if (body === undefined || body === null) return '';
  return typeof body === 'string' ? body : [...jsonPieces(body)].join('');
}

/** What flows behind an answer: an event of a watch as a line, or a piece of text. */
export function frameText(frame: unknown): string {
  if (!isFields(frame) || frame['type'] === undefined) return bodyText(frame);
  return `{"type":${jsonText(frame['type'])},"object":${jsonText(frame['object'])}}\n`;
}

/** A body for people: two spaces, a line for each field. */
export function* prettyPieces(value: unknown): Iterable<string> {
  const long = longOf(value);
  if (!long && isLong(value)) return yield* longPieces(value, '  ');
  if (!long || long.parts.length === 0) return yield prettyText(arrangedBody(value));
  const {head, name, parts, plainOf} = long;
  const begin = `${prettyText(head).slice(0, -2)},\n  "${name}": [\n    `;
  const textOf = (part: unknown): string => prettyText(plainOf(part)).replaceAll('\n', '\n    ');
  yield* pieces(parts, {begin, between: ',\n    ', end: '\n  ]\n}', textOf});
}

/** A value as JSON in lines, with two spaces for each level. */
export function prettyText(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** A body with one field that is long; it is the last one. */
interface Long {
  readonly head: Fields;
  readonly name: string;
  readonly parts: readonly unknown[];
  readonly textOf: (part: unknown) => string;
  /** A part as what is to be written, in its order. */
  readonly plainOf: (part: unknown) => unknown;
}

/** A list or a table, its long field by itself; undefined for what is neither. */
export function longOf(value: unknown): Long | undefined {
  if (isList(value)) {
    const {items, ...rest} = value;
    const {items: _none, ...head} = arranged(rest);
    const keepKinds = keepsKinds(items);
    const textOf = (item: unknown): string => (keepKinds || !isFields(item) ? jsonText(item) : bareText(item));
    const plainOf = (item: unknown): unknown => (isFields(item) ? (keepKinds ? arranged(item) : withoutKind(item)) : item);
    return {head, name: 'items', parts: items, textOf, plainOf};
  }
  if (!isTable(value)) return undefined;
  const {rows, ...head} = value;
  return {head, name: 'rows', parts: rows, textOf: rowText, plainOf: arrangedRow};
}

interface Written {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  readonly textOf: (part: unknown) => string;
  /** A part that is large by itself, piece by piece. */
  readonly piecesOf?: (part: Fields) => Iterable<string>;
}

function* pieces(parts: readonly unknown[], {begin, between, end, textOf, piecesOf}: Written): Iterable<string> {
  let piece = begin;
  let first = true;
  for (const part of parts) {
    if (!first) piece += between;
    first = false;
    if (piecesOf && isLong(part)) {
      yield piece;
      piece = '';
      yield* piecesOf(part);
      continue;
    }
    piece += textOf(part);
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece + end;
}

function isTable(value: unknown): value is Fields & {readonly rows: readonly unknown[]} {
  return isFields(value) && value['kind'] === 'Table' && Array.isArray(value['rows']);
}

/** A row; its object is written once for all who ask for it. */
function rowText(row: unknown): string {
  if (!isFields(row) || !isFields(row['object'])) return escaped(JSON.stringify(row));
  const {object, ...rest} = row;
  return `${escaped(JSON.stringify(rest)).slice(0, -1)},"object":${jsonText(object)}}`;
}

function bareText(item: Fields): string {
  return remembered(bare, item, () => escaped(JSON.stringify(withoutKind(item))));
}

function remembered(texts: WeakMap<object, string>, value: object, make: () => string): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = make();
  if (Object.isFrozen(value)) texts.set(value, text);
  return text;
}

const SIGNS = /[<>&\u2028\u2029]/;

function escaped(text: string | undefined): string {
  if (text === undefined) return 'null';
  return SIGNS.test(text)
    ? text.replaceAll(/[<>&\u2028\u2029]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
}
