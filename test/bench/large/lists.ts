// Objects with lists of many items, where the lists have meanings of their own.
import {APPLY, KEYS, MANY, MERGE, PODS, STRATEGIC, container, listOf, mapOf, one, pod, type LargeRequest} from './request.ts';

/** Lists of many items. */
export function lists(): readonly LargeRequest[] {
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
