// Texts of three megabytes and less: YAML and JSON of all kinds, broken and whole.
import {
  APPLY,
  JSON_PATCH,
  KEYS,
  MANY,
  MAPS,
  MERGE,
  YAML,
  configMap,
  listOf,
  mapOf,
  one,
  yamlMap,
  type LargeRequest,
} from './request.ts';

/** Texts that are no JSON, or not only. */
export function texts(): readonly LargeRequest[] {
  const big = (fill: string) => JSON.stringify(configMap('text', {a: fill}));
  const post = {method: 'POST', path: MAPS};
  return [
    {...post, name: 'YAML of 60,000 lines', type: YAML, bodies: one(yamlMap('lines', KEYS))},
    {
      ...post,
      name: 'YAML of 3 MB, too large an object',
      type: YAML,
      bodies: one(yamlMap('lines-3', 110_000).slice(0, 3_100_000)),
    },
    {...post, name: 'YAML of 3 MB in flow style', type: YAML, bodies: one(`a: [${'{b: c}, '.repeat(380_000)}]`)},
    {
      ...post,
      name: 'YAML of 3 MB in one text',
      type: YAML,
      bodies: one(`apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n${'    some text\n'.repeat(200_000)}`),
    },
    {
      ...post,
      name: 'YAML of 3 MB in one quoted text',
      type: YAML,
      bodies: one(`apiVersion: v1\nkind: ConfigMap\ndata:\n  a: "${'some \\n text\n    '.repeat(180_000)}"`),
    },
    {...post, name: 'YAML that is broken at the end', type: YAML, bodies: one(`${yamlMap('broken', KEYS)}\t- [`)},
    {...post, name: 'YAML of 3 MB of brackets', type: YAML, bodies: one('['.repeat(3_000_000))},
    {...post, name: 'YAML of 3 MB of dashes', type: YAML, bodies: one('- '.repeat(1_500_000))},
    {...post, name: 'YAML of 3 MB of aliases', type: YAML, bodies: one(`a: &a [1]\nb: [${'*a, '.repeat(700_000)}]`)},
    {...post, name: 'YAML of 3 MB of comments', type: YAML, bodies: one('# a\n'.repeat(740_000))},
    {...post, name: 'YAML of 3 MB of documents', type: YAML, bodies: one('a: b\n---\n'.repeat(320_000))},
    {
      ...post,
      name: 'YAML of 20,000 keys twice',
      type: YAML,
      bodies: one(yamlMap('x', 20_000) + yamlMap('x', 20_000).split('data:\n')[1]),
    },
    {
      ...post,
      name: 'YAML of a pod of 10,000 containers',
      type: YAML,
      bodies: one(
        `apiVersion: v1\nkind: Pod\nmetadata:\n  name: yaml\nspec:\n  containers:\n${listOf(MANY, n => `  - name: c${n}\n    image: nginx\n    env:\n    - name: A\n      value: b\n`).join('')}`,
      ),
    },
    {
      name: 'YAML of 60,000 lines applied',
      method: 'PATCH',
      path: `${MAPS}/lines?fieldManager=a&force=true`,
      type: APPLY,
      bodies: one(yamlMap('lines', KEYS)),
    },
    {...post, name: 'JSON of 3 MB that is broken at the end', bodies: one(`${JSON.stringify(listOf(500_000, n => n))},`)},
    {...post, name: 'JSON of 3 MB of brackets', bodies: one('['.repeat(3_000_000))},
    {...post, name: 'JSON of 3 MB of small objects', bodies: one(JSON.stringify({a: listOf(500_000, () => ({}))}))},
    {...post, name: 'JSON of 3 MB with halves of pairs', bodies: one(big('\\ud83d'.repeat(400_000)).replaceAll('\\\\', '\\'))},
    {...post, name: 'JSON of 3 MB in one text', bodies: one(big('a'.repeat(3_000_000)))},
    {...post, name: 'JSON of 3 MB of escapes', bodies: one(big('\n'.repeat(1_400_000)))},
    {
      name: 'a merge patch of 3 MB',
      method: 'PATCH',
      path: `${MAPS}/kube-root-ca.crt`,
      type: MERGE,
      bodies: one({metadata: {annotations: mapOf(150_000, () => null)}}),
    },
    {
      name: 'a JSON patch of 3 MB',
      method: 'PATCH',
      path: `${MAPS}/kube-root-ca.crt`,
      type: JSON_PATCH,
      bodies: one(listOf(60_000, n => ({op: 'add', path: `/data/k${n}`, value: ''}))),
    },
  ];
}
