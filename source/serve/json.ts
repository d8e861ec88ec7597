// Objects as the bytes that a real server sends: fields in its order, the signs of HTML escaped as Go does it.
//
// Objects are frozen and shared, so what was written once is remembered beside the object: a list of 5,000 pods that ten clients ask
// for is put together from the same 5,000 texts. A long list is given in pieces, so that its writer may let others pass.
import {arranged, isFields, type Fields} from './arrange.ts';

const PIECE = 64 * 1024;

const whole = new WeakMap<object, string>();
const bare = new WeakMap<object, string>();

/** A value as JSON in one line, without a line break. */
export function jsonText(value: unknown): string {
  return isFields(value)
    ? remembered(whole, value, () => escaped(JSON.stringify(arranged(value))))
    : escaped(JSON.stringify(value));
}

/** A value as JSON for people: two spaces, a line for each field. */
export function prettyText(value: unknown): string {
  return escaped(JSON.stringify(isList(value) ? {...arrangedList(value)} : isFields(value) ? arranged(value) : value, null, 2));
}

/** A body as JSON with its line break, in pieces of some length where it is a list. */
export function* jsonPieces(value: unknown): Iterable<string> {
  if (!isList(value)) {
    yield `${jsonText(value)}\n`;
    return;
  }
  const {items, ...rest} = value;
  const {items: _none, ...head} = arranged(rest);
  const keepKinds = keepsKinds(items);
  let piece = `${escaped(JSON.stringify(head)).slice(0, -1)},"items":[`;
  let first = true;
  for (const item of items) {
    piece += `${first ? '' : ','}${keepKinds || !isFields(item) ? jsonText(item) : bareText(item)}`;
    first = false;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}\n`;
}

interface List extends Fields {
  readonly items: readonly unknown[];
}

/** Discovery has items too; a list of objects is known by its metadata's revision. */
function isList(value: unknown): value is List {
  if (!isFields(value) || !Array.isArray(value['items']) || typeof value['kind'] !== 'string') return false;
  return value['kind'].endsWith('List') && isFields(value['metadata']) && 'resourceVersion' in value['metadata'];
}

/** Items of a built-in kind do not say what they are: the list does. */
function keepsKinds(items: readonly unknown[]): boolean {
  const [first] = items;
  if (!isFields(first) || typeof first['apiVersion'] !== 'string') return true;
  const group = first['apiVersion'].split('/').length > 1 ? (first['apiVersion'].split('/')[0] ?? '') : '';
  return group === 'meta.k8s.io' || (group.includes('.') && !group.endsWith('.k8s.io'));
}

function arrangedList({items, ...head}: List): Fields {
  const keepKinds = keepsKinds(items);
  return {
    ...arranged(head),
    items: items.map(item => (isFields(item) ? (keepKinds ? arranged(item) : withoutKind(item)) : item)),
  };
}

function withoutKind(item: Fields): Fields {
  const {kind: _kind, apiVersion: _apiVersion, ...rest} = arranged(item);
  return rest;
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
