// Objects as the bytes that a real server sends: kind and apiVersion first, then metadata with its fields in their usual order, the
// signs of HTML escaped as Go does it. Inside spec and status fields stand as they were stored.
//
// Objects are frozen and shared, so what was written once is remembered beside the object: a list of 5,000 pods that ten clients ask
// for is put together from the same 5,000 texts. A long list is given in pieces, so that its writer may let others pass.
import {printed} from '../api/schema/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const METADATA_ORDER = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];
const STATUS_ORDER = ['kind', 'apiVersion', 'metadata', 'status', 'message', 'reason', 'details', 'code'];
const DETAILS_ORDER = ['name', 'group', 'kind', 'uid', 'causes', 'retryAfterSeconds'];
const OBJECT_ORDER = ['kind', 'apiVersion', 'metadata', 'spec'];
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
  const {items, ...head} = value;
  const keepKinds = keepsKinds(items);
  let piece = `${escaped(JSON.stringify(arranged(head))).slice(0, -1)},"items":[`;
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** An object with its fields in the server's order. */
function arranged(value: Fields): Fields {
  if (typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') return value;
  if (value['kind'] === 'Status' && value['apiVersion'] === 'v1') return arrangedStatus(value);
  const object: Fields = printed(value as Fields & {kind: string; apiVersion: string});
  const metadata = object['metadata'];
  const ordered = isFields(metadata) && 'name' in metadata ? {...object, metadata: inOrder(metadata, METADATA_ORDER)} : object;
  const rows = ordered['rows'];
  if (value['kind'] === 'Table' && Array.isArray(rows)) return {...inOrder(ordered, OBJECT_ORDER), rows: rows.map(arrangedRow)};
  return inOrder(ordered, OBJECT_ORDER);
}

function arrangedRow(row: unknown): unknown {
  return isFields(row) && isFields(row['object']) ? {...row, object: arranged(row['object'])} : row;
}

function arrangedStatus(status: Fields): Fields {
  const details = status['details'];
  const full = {
    ...status,
    metadata: status['metadata'] ?? {},
    ...(isFields(details) ? {details: inOrder(details, DETAILS_ORDER)} : {}),
  };
  return inOrder(full, STATUS_ORDER);
}

function inOrder(fields: Fields, order: readonly string[]): Fields {
  const out: Record<string, unknown> = {};
  for (const key of order) if (fields[key] !== undefined) out[key] = fields[key];
  for (const [key, part] of Object.entries(fields)) if (key !== 'status' && !Object.hasOwn(out, key)) out[key] = part;
  if (fields['status'] !== undefined) out['status'] ??= fields['status'];
  return out;
}

const SIGNS = /[<>&\u2028\u2029]/;

function escaped(text: string | undefined): string {
  if (text === undefined) return 'null';
  return SIGNS.test(text)
    ? text.replaceAll(/[<>&\u2028\u2029]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : text;
}
