// Custom kinds in OpenAPI: the schema of a definition with what every object has, and the list of such objects.
import {isFields} from '../../../api/meta/fields.ts';
import type {ServedFacts} from '../registry/served.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const KIND = {type: 'string'};

/** How documents refer to types, and a way to say that one is needed. */
export interface References {
  readonly prefix: string;
  readonly visit: (name: string) => void;
}

/** The types of a custom kind by their names; none for a built-in one. */
export function customSchemas(facts: ServedFacts, {prefix, visit}: References): readonly (readonly [string, unknown])[] {
  const {group, version, kind, custom} = facts;
  if (!custom) return [];
  const refer = (name: string): object => {
    visit(`${META}${name}`);
    const target = {$ref: `${prefix}${META}${name}`};
    return prefix === '#/definitions/' ? target : {allOf: [target]};
  };
  const name = `${group.split('.').reverse().join('.')}.${version}.${kind}`;
  const own = isFields(custom.schema) ? custom.schema : {};
  const properties = {...custom.schema.properties, apiVersion: KIND, kind: KIND, metadata: refer('ObjectMeta')};
  const named = (word: string) => ({'x-kubernetes-group-version-kind': [{group, kind: word, version}]});
  const list = {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: KIND,
      items: {type: 'array', items: {$ref: `${prefix}${name}`}},
      kind: KIND,
      metadata: refer('ListMeta'),
    },
    ...named(`${kind}List`),
  };
  return [
    [name, {...own, properties, ...named(kind)}],
    [`${name}List`, list],
  ];
}
