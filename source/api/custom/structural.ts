// Structural schemas: what a CustomResourceDefinition says of the objects of one version. This file knows how to step through one;
// pruning, defaults and validation are walks of their own beside it.
import type {JSONSchemaProps} from '../kinds/apiextensions-v1.ts';
import {isFields} from '../meta/fields.ts';

export type Structural = JSONSchemaProps;

/** The schema of a list's items. */
export function itemsOf(schema: Structural | undefined): Structural | undefined {
  const items = schema?.items;
  return isFields(items) ? (items as Structural) : undefined;
}

/** What a map's values may be: a schema, anything (true), or nothing is said of values. */
export function valuesOf(schema: Structural | undefined): Structural | true | undefined {
  const values = schema?.additionalProperties;
  if (values === true) return true;
  return isFields(values) ? (values as Structural) : undefined;
}

/** The schema of one field: a named one, or that of a map's values. */
export function fieldOf(schema: Structural | undefined, name: string): Structural | undefined {
  const {properties} = schema ?? {};
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  const values = valuesOf(schema);
  return values === true ? undefined : values;
}

/** The fields that every object has, which no schema describes. */
export const OBJECT_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Can an old and a new list be compared item by item? */
export function isKeyed(schema: Structural): boolean {
  return schema['x-kubernetes-list-type'] === 'map' && (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0;
}

/** What tells an item of a keyed list from the others. */
export function itemKey(schema: Structural, item: unknown): string {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return JSON.stringify(keys.map(key => (isFields(item) ? (item[key] ?? null) : null)));
}
