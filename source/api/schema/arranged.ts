// Objects with their fields in the order in which a real server prints them: kind and apiVersion, then the struct's own order, and the
// keys of maps sorted. Custom resources have no struct: all of their keys are sorted.
//
// In memory objects keep the order in which they were given; only who writes bytes needs this one.
import {type Fields, isFields} from '../meta/fields.ts';
import {sortStrings} from '../meta/go-text.ts';
import {printOrder} from './go-fields.ts';
import {printed} from './printed.ts';
import {resolve, type Schema, schemaOf, typeOfKind} from './types.ts';

const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
/** Kinds that no schema describes and that are made in their order. */
const OWN_GROUPS = new Set(['meta.k8s.io', 'apidiscovery.k8s.io']);

/** Whatever a server answers, in its order. */
export function arrangedBody(body: unknown): unknown {
  return isList(body) ? arrangedList(body) : isFields(body) ? arranged(body) : body;
}

/** An object in the server's order; a value that is no object of a kind stays as it is. */
export function arranged(value: Fields): Fields {
  const {kind, apiVersion} = value;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return value;
  const type = typeOfKind(apiVersion, kind);
  if (type !== undefined) {
    const {kind: _kind, apiVersion: _version, ...rest} = shown(value);
    return {kind, apiVersion, ...(inOrder(rest, type) as Fields)};
  }
  const group = apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
  if (!OWN_GROUPS.has(group)) return group.includes('.') ? (sorted(value) as Fields) : value;
  const {metadata, rows} = value;
  return {
    ...value,
    ...(kind === 'PartialObjectMetadata' ? {metadata: inOrder(metadata, METADATA)} : {}),
    ...(kind === 'Table' && Array.isArray(rows) ? {rows: rows.map(arrangedRow)} : {}),
  };
}

/** An object as it is printed, its fields in whatever order. */
export function shown(value: Fields): Fields {
  const {kind, apiVersion} = value;
  if (typeof kind !== 'string' || typeof apiVersion !== 'string') return value;
  const full = kind === 'Status' && value['metadata'] === undefined ? {...value, metadata: {}} : value;
  return printed(full as Fields & {kind: string; apiVersion: string});
}

/** Something that is still to be put in order, and by what. */
export interface Unordered {
  readonly value: unknown;
  readonly by: Schema;
}

/** By no schema: all keys are sorted. */
const SORTED: Schema = Object.freeze({});
/** As it is already. */
const AS_IS: Schema = Object.freeze({});

/** The fields of an object in the server's order, each still to be put in order itself: for who writes long ones part by part. */
export function* fieldsInOrder(value: Fields, withKind = true): Iterable<readonly [name: string, part: Unordered]> {
  const {kind, apiVersion} = value;
  const type = typeof kind === 'string' && typeof apiVersion === 'string' ? typeOfKind(apiVersion, kind) : undefined;
  if (type === undefined) return yield* partsInOrder({value: withKind ? arranged(value) : withoutKind(value), by: AS_IS});
  const {kind: _kind, apiVersion: _version, ...rest} = shown(value);
  if (withKind) {
    yield ['kind', {value: kind, by: AS_IS}];
    yield ['apiVersion', {value: apiVersion, by: AS_IS}];
  }
  yield* partsInOrder({value: rest, by: {ref: type}});
}

/** The same for any part of one; the items of a list have no names that count. */
export function* partsInOrder({value, by}: Unordered): Iterable<readonly [name: string, part: Unordered]> {
  if (Array.isArray(value)) {
    for (const item of value) yield ['', {value: item, by: itemsBy(by)}];
  } else if (isFields(value)) {
    const properties = by.ref === undefined ? undefined : resolve(by).properties;
    const keys = properties
      ? new Set([...printOrder(by.ref ?? ''), ...Object.keys(value)])
      : by === AS_IS
        ? Object.keys(value)
        : sortStrings(Object.keys(value));
    const other = by === AS_IS || properties ? AS_IS : (by.values ?? SORTED);
    for (const key of keys) if (value[key] !== undefined) yield [key, {value: value[key], by: properties?.[key] ?? other}];
  }
}

function itemsBy(by: Schema): Schema {
  if (by === AS_IS || by === SORTED || by.ref !== undefined) return by === AS_IS ? AS_IS : SORTED;
  return by.items && (by.items.ref !== undefined || by.items.values) ? by.items : AS_IS;
}

/** Something whole in the server's order. */
export function wholeInOrder({value, by}: Unordered): unknown {
  return by === AS_IS ? value : ofSchema(value, by);
}

export interface List extends Fields {
  readonly items: readonly unknown[];
}

/** Discovery has items too; a list of objects is known by its metadata's revision. */
export function isList(value: unknown): value is List {
  if (!isFields(value) || !Array.isArray(value['items']) || typeof value['kind'] !== 'string') return false;
  return value['kind'].endsWith('List') && isFields(value['metadata']) && 'resourceVersion' in value['metadata'];
}

/** Items of a built-in kind do not say what they are: the list does. */
export function keepsKinds(items: readonly unknown[]): boolean {
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

/** An item in the server's order, of a list that says what it is. */
export function withoutKind(item: Fields): Fields {
  const {kind: _kind, apiVersion: _apiVersion, ...rest} = arranged(item);
  return rest;
}

/** A row of a table, with its object in the server's order. */
export function arrangedRow(row: unknown): unknown {
  return isFields(row) && isFields(row['object']) ? {...row, object: arranged(row['object'])} : row;
}

function inOrder(value: unknown, type: string): unknown {
  return isFields(value) ? inStruct(value, type, schemaOf(type)) : value;
}

function inStruct(value: Fields, type: string, schema: Schema): Fields {
  const out: Record<string, unknown> = {};
  const {properties = {}} = schema;
  const place = (name: string): void => {
    const part = value[name];
    if (part === undefined || Object.hasOwn(out, name)) return;
    const field = properties[name];
    out[name] = field ? ofSchema(part, field) : part;
  };
  for (const name of printOrder(type)) place(name);
  for (const name of Object.keys(value)) place(name);
  return out;
}

function ofSchema(value: unknown, schema: Schema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema.ref !== undefined) {
    const target = resolve(schema);
    return target.properties ? inOrder(value, schema.ref) : sorted(value);
  }
  if (Array.isArray(value)) {
    const {items} = schema;
    return items && (items.ref !== undefined || items.values) ? value.map(item => ofSchema(item, items)) : value;
  }
  const {values} = schema;
  if (!values) return sorted(value);
  return sortedMap(value as Fields, part => ofSchema(part, values));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts = value.map(sorted);
    return parts.every((part, at) => part === value[at]) ? value : parts;
  }
  return isFields(value) ? sortedMap(value, sorted) : value;
}

/** A map with sorted keys and its parts in order; the same map where it is so already. */
function sortedMap(map: Fields, partOf: (part: unknown) => unknown): Fields {
  const before = Object.keys(map);
  const keys = sortStrings([...before]);
  let isSame = true;
  const entries = keys.map((key, at): [string, unknown] => {
    const part = partOf(map[key]);
    isSame &&= key === before[at] && part === map[key];
    return [key, part];
  });
  return isSame ? map : Object.fromEntries(entries);
}
