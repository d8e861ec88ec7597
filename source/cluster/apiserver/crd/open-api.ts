// What a definition says of its objects, as OpenAPI publishes it: the schema as it was given, with the fields that every object has.
//
// The second edition is read by clients to whom a field that is not listed is a mistake, and who know no alternatives: there, what may
// have further fields or may be null lists none, and combinations of schemas are left out.
import type {Structural} from '../../../api/custom/structural.ts';
import {isFields} from '../../../api/meta/fields.ts';
import type {ServedFacts} from '../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The types of a custom resource, by name: its objects and their list. */
export function customTypes(facts: ServedFacts, prefix: string): ReadonlyMap<string, Document> {
  const {custom, group, version, kind} = facts;
  if (!custom) return new Map<string, Document>();
  const isSecond = prefix === '#/definitions/';
  const schema: Document = isSecond ? plainer(custom.schema) : {...custom.schema};
  const isOpen = isSecond && schema['properties'] === undefined && custom.schema['x-kubernetes-preserve-unknown-fields'] === true;
  const name = `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  const ofKind = (own: string): Document => ({'x-kubernetes-group-version-kind': [{group, kind: own, version}]});
  const text = {type: 'string'};
  const reference = (target: string): Document =>
    isSecond ? {$ref: `${prefix}${target}`} : {allOf: [{$ref: `${prefix}${target}`}]};
  const always = {apiVersion: text, kind: text, metadata: reference(`${META}.ObjectMeta`)};
  const object: Document = isOpen
    ? {type: 'object', ...ofKind(kind)}
    : {...schema, properties: {...(schema['properties'] as Document | undefined), ...always}, ...ofKind(kind)};
  const list: Document = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: text,
      items: {type: 'array', items: reference(name)},
      kind: text,
      metadata: reference(`${META}.ListMeta`),
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
