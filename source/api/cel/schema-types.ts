// The types that schemas give to what an expression sees: structural schemas of custom resources, and the types of built-in kinds.
import {itemsOf, type Structural, valuesOf} from '../custom/structural.ts';
import {resolve, schemaOf, type Schema} from '../schema/types.ts';
import {celName, fieldName} from './names.ts';
import {BOOL, BYTES, type CelType, DOUBLE, DURATION, DYN, INT, listOf, mapOf, objectOf, STRING, TIMESTAMP} from './types.ts';

const known = new WeakMap<Structural, CelType>();
const METADATA = objectOf('object.metadata', {name: STRING, generateName: STRING});

/** The type of a value that a structural schema describes. */
export function structuralType(schema: Structural, name = 'object', isObject = false): CelType {
  const before = known.get(schema);
  if (before) return before;
  const made = typeOf(schema, name, isObject);
  known.set(schema, made);
  return made;
}

function typeOf(schema: Structural, name: string, isObject: boolean): CelType {
  if (schema['x-kubernetes-int-or-string']) return DYN;
  switch (schema.type) {
    case 'array': {
      const items = itemsOf(schema);
      return listOf(items ? structuralType(items, `${name}.@idx`) : DYN);
    }
    case 'object':
      return objectType(schema, name, isObject || schema['x-kubernetes-embedded-resource'] === true);
    case 'string':
      return TEXTS[schema.format ?? ''] ?? STRING;
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    default:
      return DYN;
  }
}

const TEXTS: Readonly<Record<string, CelType>> = {'date-time': TIMESTAMP, date: TIMESTAMP, duration: DURATION, byte: BYTES};

function objectType(schema: Structural, name: string, isObject: boolean): CelType {
  const values = valuesOf(schema);
  if (values) return mapOf(STRING, values === true ? DYN : structuralType(values, `${name}.@elem`));
  const {properties} = schema;
  if (!properties && !isObject) return schema['x-kubernetes-preserve-unknown-fields'] ? DYN : objectOf(name, {});
  const own = new Map(Object.entries(properties ?? {}).map(([field, inner]) => [celName(field), inner]));
  const meta: Readonly<Record<string, CelType>> = isObject ? {apiVersion: STRING, kind: STRING, metadata: METADATA} : {};
  return Object.freeze({
    kind: 'object',
    name,
    field: (field: string) => {
      if (Object.hasOwn(meta, field)) return meta[field];
      const inner = own.get(field);
      return inner && structuralType(inner, `${name}.${field}`);
    },
  });
}

const types = new Map<string, CelType>();

/** The type of a built-in kind, by its long name. */
export function builtinType(long: string): CelType {
  const before = types.get(long);
  if (before) return before;
  const made = builtin(schemaOf(long), long);
  types.set(long, made);
  return made;
}

function builtin(schema: Schema, name: string): CelType {
  if (schema.ref !== undefined) return wellKnown(schema.ref) ?? builtinType(schema.ref);
  if (schema.properties) {
    const {properties} = schema;
    return Object.freeze({
      kind: 'object',
      name,
      field: (field: string) => {
        const inner = properties[fieldName(field)];
        return inner && builtin(inner, `${name}.${field}`);
      },
    });
  }
  if (schema.type === 'array') return listOf(schema.items ? builtin(schema.items, name) : DYN);
  if (schema.values) return mapOf(STRING, builtin(resolve(schema.values).type === undefined ? {} : schema.values, name));
  const scalars: Readonly<Record<string, CelType>> = {
    boolean: BOOL,
    integer: INT,
    number: DOUBLE,
    string: TEXTS[schema.format ?? ''] ?? STRING,
  };
  return scalars[schema.type ?? ''] ?? DYN;
}

function wellKnown(ref: string): CelType | undefined {
  if (ref.endsWith('.intstr.IntOrString')) return DYN;
  if (ref.endsWith('.resource.Quantity')) return DYN;
  return /\.meta\.v1\.(Micro)?Time$/.test(ref) ? TIMESTAMP : undefined;
}
