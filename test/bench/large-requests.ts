// Requests that are as large as can be, of every kind that has its own way through the server: texts to be read, lists and maps to be
// decoded, compared and judged, answers to be written. Good ones, and bad ones with errors by the ten thousand.

/** A kind of request. */
export interface LargeRequest {
  readonly name: string;
  readonly method: string;
  /** `#` stands for the number of the body. */
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  /** It is sent whatever is asked for, as others need it. */
  readonly needed?: boolean;
  readonly bodies: () => readonly string[];
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const YAML = 'application/yaml';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';

const KEYS = 60_000;
const MANY = 10_000;

function mapOf<T>(count: number, value: (n: number) => T, key = (n: number) => `k${n}`): Record<string, T> {
  return Object.fromEntries(Array.from({length: count}, (_, n) => [key(n), value(n)]));
}

function listOf<T>(count: number, item: (n: number) => T): T[] {
  return Array.from({length: count}, (_, n) => item(n));
}

const one = (body: unknown) => () => [typeof body === 'string' ? body : JSON.stringify(body)];

const configMap = (name: string, data: unknown, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name},
  data,
  ...more,
});

const pod = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {name, ...metadata},
  spec: {containers: [{name: 'a', image: 'a'}], ...spec},
});

const container = (n: number) => ({
  name: `c${n}`,
  image: 'nginx:1.27',
  ports: [{containerPort: 80}],
  env: [{name: 'A', value: 'b'}],
});

function yamlMap(name: string, count: number): string {
  const lines = listOf(count, n => `  key-${n}: value-${n}`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n${lines.join('\n')}\n`;
}

/** Maps with many keys, every way in. */
function maps(): readonly LargeRequest[] {
  const at = `${MAPS}/wide`;
  return [
    {
      name: 'ConfigMap of 60,000 keys',
      method: 'POST',
      path: MAPS,
      needed: true,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'v'),
        ),
      ),
    },
    {
      name: 'the same put, all changed',
      method: 'PUT',
      path: at,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'w'),
        ),
      ),
    },
    {name: 'the same patched (merge)', method: 'PATCH', path: at, type: MERGE, bodies: one({data: mapOf(KEYS, () => 'x')})},
    {
      name: 'the same patched (strategic)',
      method: 'PATCH',
      path: at,
      type: STRATEGIC,
      bodies: one({data: mapOf(KEYS, () => 'y')}),
    },
    {
      name: 'the same patched (JSON)',
      method: 'PATCH',
      path: at,
      type: JSON_PATCH,
      bodies: one(listOf(9_000, n => ({op: 'replace', path: `/data/k${n}`, value: 'z'}))),
    },
    {
      name: 'the same applied, JSON',
      method: 'PATCH',
      path: `${at}?fieldManager=a&force=true`,
      type: APPLY,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'a'),
        ),
      ),
    },
    {
      name: 'the same applied, in conflict',
      method: 'PATCH',
      path: `${at}?fieldManager=b`,
      type: APPLY,
      bodies: one(
        configMap(
          'wide',
          mapOf(KEYS, () => 'b'),
        ),
      ),
    },
    {name: 'the same read', method: 'GET', path: at, bodies: one('')},
    {name: 'the same read, pretty', method: 'GET', path: `${at}?pretty=1`, bodies: one('')},
    {name: 'the same read as YAML', method: 'GET', path: at, accept: YAML, bodies: one('')},
    {name: 'the same listed', method: 'GET', path: MAPS, bodies: one('')},
    {name: 'the same deleted', method: 'DELETE', path: at, bodies: one('')},
    {
      name: 'ConfigMap of 60,000 wrong keys',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'bad',
          mapOf(
            KEYS,
            () => 'v',
            n => `k ${n}`,
          ),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 wrong values',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'bad',
          mapOf(KEYS, n => n),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 unknown fields',
      method: 'POST',
      path: MAPS,
      bodies: one(
        configMap(
          'unknown',
          {},
          mapOf(KEYS, () => 1),
        ),
      ),
    },
    {
      name: 'ConfigMap of 60,000 keys twice',
      method: 'POST',
      path: MAPS,
      bodies: one(
        JSON.stringify(
          configMap(
            'twice',
            mapOf(KEYS, () => 'v'),
          ),
        ).replace(/"k(\d+)":"v"/g, '"k$1":"v","k$1":"v"'),
      ),
    },
    {
      name: 'Secret of 60,000 keys',
      method: 'POST',
      path: '/api/v1/namespaces/default/secrets',
      bodies: one({apiVersion: 'v1', kind: 'Secret', metadata: {name: 'wide'}, data: mapOf(KEYS, () => 'YWJj')}),
    },
    {
      name: 'ConfigMap of 60,000 labels',
      method: 'POST',
      path: MAPS,
      bodies: one({...configMap('labels', {}), metadata: {name: 'labels', labels: mapOf(KEYS, () => 'v')}}),
    },
    {
      name: 'ConfigMap of 60,000 wrong labels',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('labels', {}),
        metadata: {
          name: 'labels',
          labels: mapOf(
            KEYS,
            () => '-',
            n => `-${n}`,
          ),
        },
      }),
    },
    {
      name: 'ConfigMap of 60,000 finalizers',
      method: 'POST',
      path: MAPS,
      bodies: one({...configMap('f', {}), metadata: {name: 'f', finalizers: listOf(KEYS, n => `a.b/c${n}`)}}),
    },
    {
      name: 'ConfigMap of 20,000 owners',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('owned', {}),
        metadata: {
          name: 'owned',
          ownerReferences: listOf(20_000, n => ({apiVersion: 'v1', kind: 'Pod', name: 'a', uid: `u${n}`})),
        },
      }),
    },
    {
      name: 'ConfigMap of 10,000 managers',
      method: 'POST',
      path: MAPS,
      bodies: one({
        ...configMap('managed', {}),
        metadata: {
          name: 'managed',
          managedFields: listOf(MANY, n => ({
            manager: `m${n}`,
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: {'f:data': {[`f:k${n}`]: {}}},
          })),
        },
      }),
    },
  ];
}

/** Texts that are no JSON, or not only. */
function texts(): readonly LargeRequest[] {
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

/** Lists of many items. */
function lists(): readonly LargeRequest[] {
  const at = `${PODS}/long`;
  const containers = listOf(MANY, container);
  const held = {schedulingGates: [{name: 'a.b/c'}]};
  return [
    {name: 'a pod of 10,000 containers', method: 'POST', path: PODS, bodies: one(pod('long', {containers, ...held}))},
    {name: 'the same dry', method: 'POST', path: `${PODS}?dryRun=All`, bodies: one(pod('long-2', {containers}))},
    {
      name: 'the same patched (strategic)',
      method: 'PATCH',
      path: at,
      type: STRATEGIC,
      bodies: one({spec: {containers: listOf(MANY, n => ({name: `c${n}`, image: 'nginx:2'}))}}),
    },
    {
      name: 'the same applied',
      method: 'PATCH',
      path: `${at}?fieldManager=a&force=true`,
      type: APPLY,
      bodies: one(pod('long', {containers: listOf(MANY, container), ...held})),
    },
    {name: 'the same read', method: 'GET', path: at, bodies: one('')},
    {
      name: 'the same read as a table',
      method: 'GET',
      path: at,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {
      name: 'the same, status put',
      method: 'PATCH',
      path: `${at}/status`,
      type: MERGE,
      bodies: one({
        status: {containerStatuses: listOf(MANY, n => ({name: `c${n}`, image: '', imageID: '', ready: false, restartCount: 0}))},
      }),
    },
    {name: 'the same deleted', method: 'DELETE', path: `${at}?gracePeriodSeconds=0`, bodies: one('')},
    {
      name: 'a pod of 10,000 wrong containers',
      method: 'POST',
      path: PODS,
      bodies: one(
        pod('wrong', {
          containers: listOf(MANY, n => ({name: `C ${n}`, ports: [{containerPort: 0}], env: [{}], volumeMounts: [{name: 'x'}]})),
        }),
      ),
    },
    {
      name: 'a pod of 60,000 variables',
      method: 'POST',
      path: PODS,
      bodies: one(
        pod('env', {containers: [{name: 'a', image: 'a', env: listOf(KEYS, n => ({name: `A${n}`, value: 'b'}))}], ...held}),
      ),
    },
    {
      name: 'a pod of 20,000 volumes',
      method: 'POST',
      path: PODS,
      bodies: one(
        pod('volumes', {
          volumes: listOf(20_000, n => ({name: `v${n}`, emptyDir: {}})),
          containers: [{name: 'a', image: 'a', volumeMounts: listOf(20_000, n => ({name: `v${n}`, mountPath: `/v${n}`}))}],
          ...held,
        }),
      ),
    },
    {
      name: 'a pod of 40,000 tolerations',
      method: 'POST',
      path: PODS,
      bodies: one(pod('tolerations', {tolerations: listOf(40_000, n => ({key: `k${n}`, operator: 'Exists'})), ...held})),
    },
    {
      name: 'a pod of 10,000 constraints',
      method: 'POST',
      path: PODS,
      bodies: one(
        pod('spread', {
          topologySpreadConstraints: listOf(MANY, n => ({
            maxSkew: 1,
            topologyKey: `k${n}`,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: {},
          })),
          ...held,
        }),
      ),
    },
    {
      name: 'a pod of 20,000 gates',
      method: 'POST',
      path: PODS,
      bodies: one(pod('gates', {schedulingGates: listOf(20_000, n => ({name: `a.b/c${n}`}))})),
    },
    {
      name: 'a pod of 30,000 wrong host aliases',
      method: 'POST',
      path: PODS,
      bodies: one(pod('aliases', {hostAliases: listOf(30_000, () => ({ip: 'x', hostnames: ['-']}))})),
    },
    {
      name: 'a Deployment of 10,000 containers',
      method: 'POST',
      path: '/apis/apps/v1/namespaces/default/deployments',
      bodies: one({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: {name: 'long'},
        spec: {replicas: 0, selector: {matchLabels: {a: 'b'}}, template: {metadata: {labels: {a: 'b'}}, spec: {containers}}},
      }),
    },
    {
      name: 'a Service of 20,000 ports',
      method: 'POST',
      path: '/api/v1/namespaces/default/services',
      bodies: one({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: {name: 'ports'},
        spec: {ports: listOf(20_000, n => ({name: `p${n}`, port: n + 1}))},
      }),
    },
    {
      name: 'Endpoints of 40,000 addresses',
      method: 'POST',
      path: '/api/v1/namespaces/default/endpoints',
      bodies: one({
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: {name: 'many'},
        subsets: [{addresses: listOf(40_000, n => ({ip: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`})), ports: [{port: 1}]}],
      }),
    },
    {
      name: 'a Role of 20,000 rules',
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      bodies: one({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: {name: 'rules'},
        rules: listOf(20_000, n => ({apiGroups: [''], resources: [`r${n}`], verbs: ['get']})),
      }),
    },
    {
      name: 'a NetworkPolicy of 20,000 peers',
      method: 'POST',
      path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
      bodies: one({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: {name: 'peers'},
        spec: {podSelector: {}, ingress: [{from: listOf(20_000, n => ({podSelector: {matchLabels: {a: `b${n}`}}}))}]},
      }),
    },
    {
      name: 'an Ingress of 10,000 rules',
      method: 'POST',
      path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
      bodies: one({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: {name: 'rules'},
        spec: {
          rules: listOf(MANY, n => ({
            host: `h${n}.example.com`,
            http: {paths: [{path: '/', pathType: 'Prefix', backend: {service: {name: 'a', port: {number: 80}}}}]},
          })),
        },
      }),
    },
    {
      name: 'a quota of 40,000 resources',
      method: 'POST',
      path: '/api/v1/namespaces/default/resourcequotas',
      bodies: one({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: {name: 'q'},
        spec: {
          hard: mapOf(
            40_000,
            () => '1',
            n => `example.com/r${n}`,
          ),
        },
      }),
    },
    {
      name: 'a selector of 20,000 requirements',
      method: 'GET',
      path: `${PODS}?labelSelector=${'a,'.repeat(20_000)}a`,
      bodies: one(''),
    },
  ];
}

/** A kind of our own. */
function customs(): readonly LargeRequest[] {
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

/** Answers that are large, or the first of their kind. */
function answers(): readonly LargeRequest[] {
  const small = (n: number) =>
    JSON.stringify(configMap(`small-${n}`, {a: 'b'}, {metadata: {name: `small-${n}`, labels: {a: 'b'}}}));
  return [
    {
      name: 'OpenAPI v2 in protobuf, first',
      method: 'GET',
      path: '/openapi/v2',
      accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
      bodies: one(''),
    },
    {name: 'OpenAPI v2 in JSON, first', method: 'GET', path: '/openapi/v2', bodies: one('')},
    {name: 'OpenAPI v3 of core, first', method: 'GET', path: '/openapi/v3/api/v1', bodies: one('')},
    {name: 'OpenAPI v3 of apps, first', method: 'GET', path: '/openapi/v3/apis/apps/v1', bodies: one('')},
    {
      name: 'discovery',
      method: 'GET',
      path: '/apis',
      accept: 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList',
      bodies: one(''),
    },
    {name: '5,000 objects', method: 'POST', path: MAPS, bodies: () => listOf(5000, small)},
    {name: 'their list', method: 'GET', path: `${MAPS}?labelSelector=a=b`, bodies: one('')},
    {name: 'their list as YAML', method: 'GET', path: `${MAPS}?labelSelector=a=b`, accept: YAML, bodies: one('')},
    {
      name: 'their list as a table',
      method: 'GET',
      path: `${MAPS}?labelSelector=a=b`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {
      name: 'their metadata',
      method: 'GET',
      path: `${MAPS}?labelSelector=a=b`,
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {
      name: 'a watch that begins with them',
      method: 'GET',
      path: `${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1`,
      bodies: one(''),
    },
    {
      name: 'a watch of tables that begins with them',
      method: 'GET',
      path: `${MAPS}?watch=1&timeoutSeconds=1`,
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
      bodies: one(''),
    },
    {name: 'a dry deletecollection of 5,000', method: 'DELETE', path: `${MAPS}?dryRun=All&labelSelector=a=b`, bodies: one('')},
    {name: 'a deletecollection of 5,000', method: 'DELETE', path: `${MAPS}?labelSelector=a=b`, bodies: one('')},
    {name: 'metrics', method: 'GET', path: '/metrics', accept: 'text/plain', bodies: one('')},
  ];
}

/** All of them, in an order in which they can be sent. */
export function largeRequests(): readonly LargeRequest[] {
  return [...answers(), ...maps(), ...texts(), ...lists(), ...customs()];
}
