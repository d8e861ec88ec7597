// The types of the API, as data: every type that a v1.35 server serves, by its long name. Everything the engine does is a
// walk over these. Custom resources bring schemas of the same shape. The files that components are configured by have types too,
// which no server serves.
import componentFacts from '../data/component-types.json' with {type: 'json'};
import facts from '../data/types.json' with {type: 'json'};

/** One node of a schema. A node has a `ref`, or a `type`, or neither (then anything goes). */
export interface Schema {
  readonly ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly oneOf?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  /** The schema of a map's values. */
  readonly values?: Schema;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  /** Built-in types come without. */
  readonly description?: string;
  readonly 'list-type'?: 'atomic' | 'set' | 'map';
  readonly 'list-map-keys'?: readonly string[];
  readonly 'map-type'?: 'atomic';
  /** For strategic merge: `merge`, `retainKeys`, or both. */
  readonly 'patch-strategy'?: string;
  readonly 'patch-merge-key'?: string;
  readonly 'group-version-kind'?: readonly {readonly group: string; readonly version: string; readonly kind: string}[];
}

const TYPES = new Map(Object.entries(facts as unknown as Readonly<Record<string, Schema>>));
const COMPONENT_TYPES = new Map(Object.entries(componentFacts as unknown as Readonly<Record<string, Schema>>));
const ANYTHING: Schema = Object.freeze({});

const byKind = new Map<string, string>();
for (const [name, schema] of TYPES) {
  for (const {group, version, kind} of schema['group-version-kind'] ?? []) byKind.set(`${group}/${version}/${kind}`, name);
}

/** The long names of all types. */
export const TYPE_NAMES: readonly string[] = [...TYPES.keys()];

/** The schema of a long name; anything goes for a name that is not known. */
export function schemaOf(name: string): Schema {
  return TYPES.get(name) ?? COMPONENT_TYPES.get(name) ?? ANYTHING;
}

/** The long name of the type of an `apiVersion` and kind. */
export function typeOfKind(apiVersion: string, kind: string): string | undefined {
  return byKind.get(apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`);
}

/** Follows a `ref`. */
export function resolve(schema: Schema): Schema {
  return schema.ref === undefined ? schema : schemaOf(schema.ref);
}

/** The group and short name of a long one: `core.Container`, `meta.ObjectMeta`. */
export function shortType(name: string): string {
  const words = name.split('.');
  return `${words.at(-3)}.${words.at(-1)}`;
}

/** How Go names the type: `v1.Container`. */
export function goTypeName(name: string): string {
  return name.split('.').slice(-2).join('.');
}

/** A schema under a path of field names: list items and map values are stepped through without a name of their own. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let at: Schema = resolve(schema);
  for (const step of path) {
    const inside = throughLists(at);
    const next = inside.properties?.[step] ?? inside.values;
    if (!next || (inside.properties && !Object.hasOwn(inside.properties, step) && !inside.values)) return undefined;
    at = resolve(next);
  }
  return at;
}

/** The schema of what is inside lists. */
export function throughLists(schema: Schema): Schema {
  let at = resolve(schema);
  while (at.type === 'array' && at.items) at = resolve(at.items);
  return at;
}
