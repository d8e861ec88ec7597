// What a definition says of its objects, as OpenAPI publishes it: the schema as it was given, with the fields that every object has.
//
// The second edition is read by clients to whom a field that is not listed is a mistake, and who know no alternatives: there, what may
// have further fields or may be null lists none, and combinations of schemas are left out.
import type {Structural} from '../../../api/custom/structural.ts';
import {isFields} from '../../../api/meta/fields.ts';
import {proseOf} from '../../../api/schema/descriptions.ts';
import type {ServedFacts} from '../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
/** What every server says of the metadata of objects, as far as it says anything. */
export const METADATA = `Standard object's metadata. More info: ${CONVENTIONS}#metadata`;
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The types of a custom resource, by name: its objects and their list. */
export function customTypes(facts: ServedFacts, prefix: string): ReadonlyMap<string, Document> {
  const {custom, group, version, kind, resource} = facts;
  if (!custom) return new Map<string, Document>();
  const isSecond = prefix === '#/definitions/';
  const schema: Document = isSecond ? plainer(custom.schema) : {...custom.schema};
  const isOpen = isSecond && schema['properties'] === undefined && custom.schema['x-kubernetes-preserve-unknown-fields'] === true;
  const name = `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  const ofKind = (own: string): Document => ({'x-kubernetes-group-version-kind': [{group, kind: own, version}]});
  // Of these two the same is said everywhere.
  const ofAll = proseOf('io.k8s.api.core.v1.ConfigMap')?.fields;
  const text = (field: string): Document => {
    const description = ofAll?.[field];
    return description === undefined ? {type: 'string'} : {description, type: 'string'};
  };
  const reference = (target: string): Document =>
    isSecond ? {$ref: `${prefix}${target}`} : {allOf: [{$ref: `${prefix}${target}`}]};
  const always = {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    metadata: {description: METADATA, ...reference(`${META}.ObjectMeta`)},
  };
  const object: Document = isOpen
    ? {type: 'object', ...ofKind(kind)}
    : {...schema, properties: {...(schema['properties'] as Document | undefined), ...always}, ...ofKind(kind)};
  const list: Document = {
    description: `${kind}List is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: text('apiVersion'),
      items: {description: `List of ${resource}. More info: ${CONVENTIONS}`, type: 'array', items: reference(name)},
      kind: text('kind'),
      metadata: {description: `Standard list metadata. More info: ${CONVENTIONS}#types-kinds`, ...reference(`${META}.ListMeta`)},
    },
    ...ofKind(`${kind}List`),
  };
  return new Map([
    [name, object],
    [`${name}List`, list],
  ]);
}

const COMBINED = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'nullable']);

/** A schema as the second edition has it. */
function plainer(schema: Structural): Document {
  const isVague = schema.nullable === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const {properties, items, additionalProperties, type, required, ...rest} = schema;
  const out: Record<string, unknown> = Object.fromEntries(Object.entries(rest).filter(([key]) => !COMBINED.has(key)));
  if (type !== undefined && schema.nullable !== true) out['type'] = type;
  const needed = required?.filter(name => properties?.[name]?.nullable !== true) ?? [];
  if (needed.length > 0) out['required'] = needed;
  if (isVague) return out;
  if (properties) out['properties'] = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, plainer(part)]));
  if (items !== undefined) out['items'] = isFields(items) ? plainer(items as Structural) : items;
  if (additionalProperties !== undefined)
    out['additionalProperties'] = isFields(additionalProperties)
      ? plainer(additionalProperties as Structural)
      : additionalProperties;
  return out;
}

/** The built-in types that those of custom resources refer to. */
export const REFERRED: readonly string[] = [`${META}.ObjectMeta`, `${META}.ListMeta`];
