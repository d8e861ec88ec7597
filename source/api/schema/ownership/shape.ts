// What ownership needs of a schema: which parts are owned field by field and which as a whole. Structs and maps go field by field
// unless they are atomic; lists as a whole, unless they are sets or have keys. What no schema describes goes by what it is: maps field
// by field, lists as a whole. A shape is made once for each type, when it is first needed.
import {nullFields} from '../go-facts.ts';
import {resolve, type Schema, schemaOf, shortType} from '../types.ts';

/** The shape of a place. */
export type Shape = LeafShape | StructShape | MapShape | KeyedShape | SetShape | AnyShape;

/** A scalar, or something that is owned as a whole. */
export interface LeafShape {
  readonly sort: 'leaf';
  /** What values it takes: for errors. */
  readonly takes: 'string' | 'numeric' | 'boolean' | 'scalar' | 'list' | 'map';
}

export interface StructShape {
  readonly sort: 'struct';
  /** The shape of a field; undefined for one that the schema does not know. */
  field(name: string): Shape | undefined;
  /** Fields that are printed as null when they are not there. */
  readonly nulls: readonly string[];
}

export interface MapShape {
  readonly sort: 'map';
  readonly of: Shape;
}

/** A list whose items are known by some of their fields. */
export interface KeyedShape {
  readonly sort: 'keyed';
  readonly keys: readonly {readonly name: string; readonly otherwise: unknown}[];
  readonly of: Shape;
}

/** A list whose items are known by their values. */
export interface SetShape {
  readonly sort: 'set';
}

/** Whatever it is. */
export interface AnyShape {
  readonly sort: 'any';
}

export const ANY: AnyShape = Object.freeze({sort: 'any'});
export const SET: SetShape = Object.freeze({sort: 'set'});

const leaves = new Map<string, LeafShape>();

/** A leaf. */
export function leaf(takes: LeafShape['takes']): LeafShape {
  const known = leaves.get(takes) ?? Object.freeze({sort: 'leaf' as const, takes});
  leaves.set(takes, known);
  return known;
}

const named = new Map<string, Shape>();

/** The shape of a built-in type, by its long name. */
export function shapeOfType(name: string): Shape {
  const known = named.get(name);
  if (known) return known;
  const made = makeShape(schemaOf(name), name);
  named.set(name, made);
  return made;
}

function makeShape(schema: Schema, name = ''): Shape {
  if (schema.ref !== undefined) return shapeOfType(schema.ref);
  if (schema.oneOf !== undefined || schema.format === 'int-or-string') return leaf('scalar');
  if (schema.properties)
    return schema['map-type'] === 'atomic' ? leaf('map') : structShape(schema.properties, nullsOf(schema, name));
  if (schema.type === 'array') return listShape(schema);
  if (schema.values) return schema['map-type'] === 'atomic' ? leaf('map') : {sort: 'map', of: makeShape(schema.values)};
  if (schema.type === 'string') return leaf(isWord(name) ? 'scalar' : 'string');
  if (schema.type === 'integer' || schema.type === 'number') return leaf('numeric');
  return schema.type === 'boolean' ? leaf('boolean') : ANY;
}

/** Times and amounts are words to JSON, and untyped scalars to ownership. */
function isWord(name: string): boolean {
  return name.endsWith('Time') || name.endsWith('.Quantity') || name.endsWith('.IntOrString');
}

/** Beside the times and lists that Go prints as null, a list that is required is there in an object that was just made. */
function nullsOf(schema: Schema, name: string): readonly string[] {
  const printed = name === '' ? [] : nullFields(shortType(name));
  const required = (schema.required ?? []).filter(field => schema.properties?.[field]?.type === 'array');
  return [...new Set([...printed, ...required])].filter(field => schema.properties?.[field] !== undefined);
}

function structShape(properties: Readonly<Record<string, Schema>>, nulls: readonly string[]): StructShape {
  const fields = new Map<string, Shape>();
  return {
    sort: 'struct',
    nulls,
    field: name => {
      const known = fields.get(name);
      if (known || !Object.hasOwn(properties, name)) return known;
      const made = makeShape(properties[name] ?? {});
      fields.set(name, made);
      return made;
    },
  };
}

function listShape(schema: Schema): Shape {
  if (schema['list-type'] === 'set') return SET;
  if (schema['list-type'] !== 'map') return leaf('list');
  const {items = {}} = schema;
  const {properties} = resolve(items);
  const keys = (schema['list-map-keys'] ?? []).map(name => ({name, otherwise: properties?.[name]?.default}));
  return {sort: 'keyed', keys, of: makeShape(items)};
}
