// Lists that are sets or keyed lists hold nothing twice.
import {duplicate, FieldPath, type FieldError} from '../meta/field-error.ts';
import {isFields} from '../meta/fields.ts';
import {fieldOf, itemKey, itemsOf, type Structural} from './structural.ts';

/** What stands twice where nothing may. */
export function duplicates(value: unknown, schema: Structural | undefined, path = new FieldPath('')): readonly FieldError[] {
  if (!schema) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return [...inList(value, schema, path), ...value.flatMap((item, i) => duplicates(item, items, path.index(i)))];
  }
  if (!isFields(value)) return [];
  const named = (name: string): FieldPath =>
    schema.properties && Object.hasOwn(schema.properties, name) ? path.child(name) : path.key(name);
  return Object.entries(value).flatMap(([name, part]) => duplicates(part, fieldOf(schema, name), named(name)));
}

function inList(list: readonly unknown[], schema: Structural, path: FieldPath): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const seen = new Set<string>();
  return list.flatMap((item, i) => {
    const key = type === 'map' ? itemKey(schema, item) : JSON.stringify(item);
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [duplicate(path.index(i), type === 'map' ? keysOf(item, schema) : item)];
  });
}

function keysOf(item: unknown, schema: Structural): unknown {
  if (!isFields(item)) return {};
  const keys = [...(schema['x-kubernetes-list-map-keys'] ?? [])].sort();
  return Object.fromEntries(keys.filter(key => item[key] !== undefined).map(key => [key, item[key]]));
}
