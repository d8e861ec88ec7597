// Objects in the shape in which a server writes them: fields in the order of the types' declarations, the keys of maps sorted,
// the nulls that Go prints, and the items of a list without their kinds, as the list names them. In memory objects keep the
// order in which they were given; only who writes bytes needs this one.
import {compareStrings} from '../meta/go-text.ts';
import {fieldOrder} from './field-order.ts';
import {printed} from './printed.ts';
import {resolve, type Schema, schemaOf, shortType, typeOfKind} from './types.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A value as a server writes it; what is no object of the API stays as it is. */
export function arranged(value: unknown): unknown {
  if (!isFields(value) || typeof value['kind'] !== 'string' || typeof value['apiVersion'] !== 'string') return value;
  const object = value as Fields & {readonly apiVersion: string; readonly kind: string};
  const {items} = object;
  if (object.kind.endsWith('List') && Array.isArray(items)) return arrangedList(object, items);
  if (object.kind === 'Table' && Array.isArray(object['rows'])) return arrangedTable(object, object['rows']);
  // Discovery is made in its order.
  if (object['metadata'] === undefined) return object;
  const type = typeOfKind(object.apiVersion, object.kind);
  return type === undefined ? kindFirst(object) : inType(printed(object), type, true);
}

function arrangedList(list: Fields & {readonly apiVersion: string}, items: readonly unknown[]): Fields {
  const {kind, apiVersion, metadata} = list;
  const arrangedItems = items.map(item => {
    const whole = arranged(item);
    return isFields(whole) && isBuiltIn(whole) ? withoutKind(whole) : whole;
  });
  return {kind, apiVersion, metadata: inType(metadata ?? {}, LIST_META, false), items: arrangedItems};
}

function arrangedTable(table: Fields, rows: readonly unknown[]): Fields {
  const {kind, apiVersion, metadata, ...rest} = table;
  const arrangedRows = rows.map(row => (isFields(row) ? {...row, object: arranged(row['object'])} : row));
  return {kind, apiVersion, metadata: inType(metadata ?? {}, LIST_META, false), ...rest, rows: arrangedRows};
}

const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const FIRST = ['kind', 'apiVersion', 'metadata', 'spec'];

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBuiltIn({apiVersion, kind}: Fields): boolean {
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeOfKind(apiVersion, kind) !== undefined;
}

function withoutKind({kind: _kind, apiVersion: _apiVersion, ...rest}: Fields): Fields {
  return rest;
}

/** Custom resources are maps inside, whose keys are sorted, with metadata in its own order. */
function kindFirst(object: Fields): Fields {
  const {apiVersion, kind, metadata, ...rest} = object;
  const head = {apiVersion, kind, ...(metadata === undefined ? {} : {metadata: inType(metadata, OBJECT_META, false)})};
  return {...head, ...(sorted(rest) as Fields)};
}

function inType(value: unknown, type: string, whole: boolean): unknown {
  if (!isFields(value)) return value;
  const schema = schemaOf(type);
  const order = fieldOrder(shortType(type)) ?? [];
  const names = [...(whole ? FIRST : []), ...order, ...Object.keys(value)];
  const last = whole && value['status'] !== undefined && !order.includes('status') ? 'status' : undefined;
  const out: Record<string, unknown> = {};
  for (const name of names) {
    const part = value[name];
    if (part === undefined || name === last || Object.hasOwn(out, name)) continue;
    out[name] = inSchema(part, schema.properties?.[name]);
  }
  if (last !== undefined) out[last] = inSchema(value[last], schema.properties?.[last]);
  return out;
}

function inSchema(value: unknown, schema: Schema | undefined): unknown {
  if (typeof value !== 'object' || value === null || schema === undefined) return value;
  if (Array.isArray(value)) return value.map(item => inSchema(item, schema.items));
  if (schema.ref !== undefined && resolve(schema).properties) return inType(value, schema.ref, false);
  const {values} = resolve(schema);
  return values ? sorted(value, part => inSchema(part, values)) : sorted(value);
}

function sorted(value: unknown, each: (part: unknown) => unknown = part => sorted(part)): unknown {
  if (Array.isArray(value)) return value.map(item => sorted(item));
  if (!isFields(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
  return Object.fromEntries(entries.map(([key, part]) => [key, each(part)]));
}
