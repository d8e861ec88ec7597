// What a schema says of how a field is patched.
import {resolve, type Schema} from '../types.ts';

/** How one field of an object is patched. */
export interface FieldMeta {
  /** The schema of the field, or of the items of its list; undefined when the schema does not know the field. */
  readonly schema: Schema | undefined;
  readonly merge: boolean;
  readonly replace: boolean;
  readonly retainKeys: boolean;
  readonly mergeKey: string;
}

const UNKNOWN: FieldMeta = {schema: undefined, merge: false, replace: false, retainKeys: false, mergeKey: ''};

const known = new WeakMap<Schema, Map<string, FieldMeta>>();

/** How a field under a schema is patched. */
export function fieldMeta(schema: Schema | undefined, key: string): FieldMeta {
  if (!schema) return UNKNOWN;
  const metas = known.get(schema) ?? new Map<string, FieldMeta>();
  const found = metas.get(key);
  if (found) return found;
  const made = readMeta(schema, key);
  // Keys of maps are anybody's words: they are not collected.
  if (schema.properties && Object.hasOwn(schema.properties, key)) known.set(schema, metas.set(key, made));
  return made;
}

function readMeta(schema: Schema, key: string): FieldMeta {
  const field = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : schema.values;
  if (!field) return UNKNOWN;
  const strategies = new Set((field['patch-strategy'] ?? '').split(','));
  return {
    schema: resolve(field.type === 'array' ? (field.items ?? {}) : field),
    merge: strategies.has('merge'),
    replace: strategies.has('replace'),
    retainKeys: strategies.has('retainKeys'),
    mergeKey: field['patch-merge-key'] ?? '',
  };
}
