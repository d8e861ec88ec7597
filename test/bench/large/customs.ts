// Objects of a kind that a definition describes, as large as they can be.
import {APPLY, KEYS, MANY, listOf, mapOf, one, type LargeRequest} from './request.ts';

/** A kind of our own. */
export function customs(): readonly LargeRequest[] {
  const text = {type: 'string'};
  const properties = {
    free: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true},
    map: {type: 'object', additionalProperties: text},
    list: {
      type: 'array',
      items: {type: 'object', properties: {name: text, n: {type: 'integer', minimum: 0}}, required: ['name']},
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    set: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
    ruled: {
      type: 'array',
      maxItems: 20_000,
      items: {type: 'object', properties: {n: {type: 'integer'}}, 'x-kubernetes-validations': [{rule: 'self.n >= 0'}]},
    },
  };
  const crd = (plural: string, schema: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: `${plural}.bench.example`},
    spec: {
      group: 'bench.example',
      scope: 'Namespaced',
      names: {plural, kind: plural.charAt(0).toUpperCase() + plural.slice(1)},
      versions: [
        {name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', properties: {spec: schema}}}},
      ],
    },
  });
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const path = '/apis/bench.example/v1/namespaces/default/wides';
  const wide = (name: string, spec: object) => ({apiVersion: 'bench.example/v1', kind: 'Wides', metadata: {name}, spec});
  const post = {method: 'POST', path};
  return [
    {name: 'a definition', method: 'POST', path: crds, needed: true, bodies: one(crd('wides', {type: 'object', properties}))},
    {
      name: 'a definition of 10,000 fields',
      method: 'POST',
      path: crds,
      bodies: one(crd('larges', {type: 'object', properties: mapOf(MANY, () => ({...text, description: 'a field'}))})),
    },
    {name: 'a custom map of 60,000 keys', ...post, bodies: one(wide('map', {map: mapOf(KEYS, () => 'v')}))},
    {name: 'a custom free map of 60,000 keys', ...post, bodies: one(wide('free', {free: mapOf(KEYS, () => 'v')}))},
    {
      name: 'a custom list of 30,000 items',
      ...post,
      bodies: one(wide('list', {list: listOf(30_000, n => ({name: `n${n}`, n}))})),
    },
    {name: 'a custom list of 30,000 wrong items', ...post, bodies: one(wide('wrong', {list: listOf(30_000, () => ({n: -1}))}))},
    {name: 'a custom set of 60,000 words', ...post, bodies: one(wide('set', {set: listOf(KEYS, n => `w${n}`)}))},
    {
      name: 'a custom list of 15,000 items under a rule',
      ...post,
      bodies: one(wide('ruled', {ruled: listOf(15_000, n => ({n}))})),
    },
    {
      name: 'a custom object of 60,000 unknown fields',
      ...post,
      bodies: one(
        wide(
          'unknown',
          mapOf(KEYS, () => 1),
        ),
      ),
    },
    {
      name: 'a custom list applied',
      method: 'PATCH',
      path: `${path}/list?fieldManager=a&force=true`,
      type: APPLY,
      bodies: one(wide('list', {list: listOf(30_000, n => ({name: `n${n}`, n: n + 1}))})),
    },
  ];
}
