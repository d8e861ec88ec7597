// What a definition says of its objects, as OpenAPI publishes it: the schema as it was given, with the fields that every object has.
import type {ServedFacts} from '../registry/served.ts';

type Document = Readonly<Record<string, unknown>>;

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** The types of a custom resource, by name: its objects and their list. */
export function customTypes(facts: ServedFacts, prefix: string): ReadonlyMap<string, Document> {
  const {custom, group, version, kind} = facts;
  if (!custom) return new Map<string, Document>();
  const name = `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  const ofKind = (own: string): Document => ({'x-kubernetes-group-version-kind': [{group, kind: own, version}]});
  const text = {type: 'string'};
  const reference = (target: string): Document =>
    prefix === '#/definitions/' ? {$ref: `${prefix}${target}`} : {allOf: [{$ref: `${prefix}${target}`}]};
  const object: Document = {
    ...custom.schema,
    properties: {...custom.schema.properties, apiVersion: text, kind: text, metadata: reference(`${META}.ObjectMeta`)},
    ...ofKind(kind),
  };
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

/** The built-in types that those of custom resources refer to. */
export const REFERRED: readonly string[] = [`${META}.ObjectMeta`, `${META}.ListMeta`];
