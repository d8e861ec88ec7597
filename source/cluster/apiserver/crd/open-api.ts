// What a definition says of its objects, as OpenAPI publishes it: the schema as it was given, with the fields that every object has.
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
  const name = `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  const ofKind = (own: string): Document => ({'x-kubernetes-group-version-kind': [{group, kind: own, version}]});
  // Of these two the same is said everywhere.
  const ofAll = proseOf('io.k8s.api.core.v1.ConfigMap')?.fields;
  const text = (field: string): Document => {
    const description = ofAll?.[field];
    return description === undefined ? {type: 'string'} : {description, type: 'string'};
  };
  const reference = (target: string): Document =>
    prefix === '#/definitions/' ? {$ref: `${prefix}${target}`} : {allOf: [{$ref: `${prefix}${target}`}]};
  const object: Document = {
    ...custom.schema,
    properties: {
      ...custom.schema.properties,
      apiVersion: text('apiVersion'),
      kind: text('kind'),
      metadata: {description: METADATA, ...reference(`${META}.ObjectMeta`)},
    },
    ...ofKind(kind),
  };
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

/** The built-in types that those of custom resources refer to. */
export const REFERRED: readonly string[] = [`${META}.ObjectMeta`, `${META}.ListMeta`];
