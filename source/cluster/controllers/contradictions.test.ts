// Specs that contradict each other or the cluster, and numbers that are too large: what is done for them is counted (writes, events of
// the clock), and what is kept is what was promised.
import {expect, test} from 'vitest';
import type {Job} from '../../api/kinds/batch-v1.ts';
import type {DaemonSet, Deployment} from '../../api/kinds/apps-v1.ts';
import type {Pod, PersistentVolumeClaim} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {aCluster, aDeployment, events, serveNodes, settle} from './testing/cluster.ts';
import type {FakeApi} from '../../client/testing/fake-api.ts';

const HOUR_MS = 3_600_000;
const QUIET = {controllers: ['*', '-node-lifecycle-controller', '-taint-eviction-controller']};

function isWork(write: string): boolean {
  return !write.includes('leases') && !write.includes('serviceaccounts/token');
}

/** The writes while something happens. */
function writes(api: FakeApi, happen: () => void): readonly string[] {
  const from = api.writes.length;
  happen();
  return api.writes.slice(from).filter(isWork);
}

const refusal = (code: number, reason: string, message: string) => ({
  status: code,
  body: {kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code},
});

test('two Deployments of one selector keep apart by their templates’ hashes, through a rollout too', () => {
  const api = aCluster(['node-1'], QUIET);
  const selector = {matchLabels: {app: 'x'}};
  const template = (image: string) => ({
    metadata: {labels: {app: 'x'}},
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: 'c', image}]},
  });
  for (const [name, replicas] of [
    ['one', 3],
    ['two', 2],
  ] as const)
    api.create(aDeployment(name, {replicas, selector, template: template('nginx:1')}));
  settle(api, 10_000);
  for (const name of ['one', 'two'])
    api.patch('deployments', `default/${name}`, old => {
      const {generation = 1} = old.metadata;
      const spec = {...(old['spec'] as object), template: template('nginx:2')};
      return {...old, metadata: {...old.metadata, generation: generation + 1}, spec} as AnyObject;
    });
  settle(api, 30_000);
  const found = api
    .all<Deployment>('deployments')
    .map(({metadata, status}) => [metadata.name, status?.readyReplicas, status?.replicas]);
  expect(found).toEqual([
    ['one', 3, 3],
    ['two', 2, 2],
  ]);
  expect(writes(api, () => api.run(6 * HOUR_MS))).toEqual([]);
});

test('a DaemonSet whose pods fit nowhere has one on each node, and waits', () => {
  const api = aCluster(['node-1', 'node-2', 'node-3'], QUIET);
  const template = {metadata: {labels: {app: 'x'}}, spec: {containers: [{name: 'c', image: 'i'}]}};
  const spec = {selector: {matchLabels: {app: 'x'}}, template};
  api.create({apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: {name: 'big', namespace: 'default'}, spec});
  api.run(60_000);
  expect(api.get<DaemonSet>('daemonsets', 'default/big')?.status).toMatchObject({
    desiredNumberScheduled: 3,
    currentNumberScheduled: 3,
    numberReady: 0,
    numberUnavailable: 3,
  });
  expect(writes(api, () => api.run(6 * HOUR_MS))).toEqual([]);
});

test('a budget that forbids everything says so once, whatever comes and goes', () => {
  const api = aCluster(['node-1'], QUIET);
  const spec = {maxUnavailable: 0, selector: {}};
  api.create({apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: {name: 'none', namespace: 'default'}, spec});
  api.create(aDeployment('web', {replicas: 50}));
  settle(api, 20_000);
  expect(api.get<PodDisruptionBudget>('poddisruptionbudgets', 'default/none')?.status).toMatchObject({
    disruptionsAllowed: 0,
    currentHealthy: 50,
    desiredHealthy: 50,
    expectedPods: 50,
  });
  expect(writes(api, () => api.run(HOUR_MS))).toEqual([]);
});

test('a Job of very many pods keeps to its parallelism, and costs per pod the same at the end', () => {
  const api = aCluster(['node-1'], QUIET);
  const template = {spec: {restartPolicy: 'Never', terminationGracePeriodSeconds: 0, containers: [{name: 'c', image: 'i'}]}};
  const spec = {completions: 1_000_000, parallelism: 20, backoffLimit: 6, template, selector: {matchLabels: {app: 'x'}}};
  api.create({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {name: 'huge', namespace: 'default'},
    spec: {...spec, template: {...template, metadata: {labels: {app: 'x'}}}},
  });
  const round = (): number =>
    writes(api, () => {
      for (const {metadata, status} of api.all<Pod>('pods')) {
        const key = `default/${metadata.name}`;
        if (status?.phase === 'Pending') api.patch('pods', key, old => ({...old, status: {phase: 'Succeeded'}}) as AnyObject);
      }
      api.run(3000);
      for (const {metadata, status} of api.all<Pod>('pods'))
        if (status?.phase === 'Succeeded' && !metadata.finalizers?.length)
          api.remove('pods', `default/${metadata.name}`, {gracePeriodSeconds: 0});
      const active = api.all<Pod>('pods').filter(({status}) => status?.phase === 'Pending');
      expect(active.length).toBeLessThanOrEqual(20);
    }).length;
  api.run(1000);
  const first = round();
  for (let at = 0; at < 20; at++) round();
  const last = round();
  expect(api.get<Job>('jobs', 'default/huge')?.status?.succeeded).toBeGreaterThan(200);
  expect(last).toBeLessThan(first * 1.5);
});

test('a StatefulSet whose claims are refused says why, ever more slowly', () => {
  const api = aCluster(['node-1'], QUIET);
  const message = 'persistentvolumeclaims "data-db-0" is forbidden: exceeded quota';
  api.intercept = ({method, path}) =>
    method === 'POST' && path.endsWith('/persistentvolumeclaims') ? refusal(403, 'Forbidden', message) : undefined;
  const spec = {
    replicas: 3,
    serviceName: 'db',
    selector: {matchLabels: {app: 'db'}},
    template: {metadata: {labels: {app: 'db'}}, spec: {containers: [{name: 'c', image: 'i'}]}},
    volumeClaimTemplates: [{metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce']}}],
  };
  api.create({apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: {name: 'db', namespace: 'default'}, spec});
  api.run(60_000);
  expect(events(api, 'StatefulSet').toSorted()).toEqual([
    `FailedCreate Create Claim data-db-0 for Pod db-0 in StatefulSet db failed error: ${message}`,
    `FailedCreate Create Pod db-0 in StatefulSet db failed error: failed to create PVC data-db-0: ${message}`,
  ]);
  expect(writes(api, () => api.run(HOUR_MS)).length).toBeLessThan(60);
  expect(api.all<PersistentVolumeClaim>('persistentvolumeclaims')).toEqual([]);
  delete (api as {intercept?: unknown}).intercept;
  settle(api, 1_100_000);
  expect(api.all<Pod>('pods')).toHaveLength(3);
});

test('pods that a webhook refuses are asked for a few times an hour, and come when it relents', () => {
  const api = aCluster(['node-1'], QUIET);
  const message = 'admission webhook "no.example.com" denied the request: not today';
  api.intercept = ({method, path}) =>
    method === 'POST' && path.endsWith('/pods') ? refusal(403, 'Forbidden', message) : undefined;
  const template = {metadata: {labels: {app: 'x'}}, spec: {containers: [{name: 'c', image: 'i'}]}};
  const spec = {replicas: 200, selector: {matchLabels: {app: 'x'}}, template};
  api.create({apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: {name: 'rs', namespace: 'default'}, spec});
  api.run(60_000);
  expect(events(api, 'ReplicaSet')[0]).toBe(`FailedCreate Error creating: ${message}`);
  expect(events(api, 'ReplicaSet').length).toBeLessThan(3);
  const asked = writes(api, () => api.run(HOUR_MS)).length;
  expect(asked).toBeLessThan(60);
  delete (api as {intercept?: unknown}).intercept;
  api.run(1_100_000);
  expect(api.all<Pod>('pods')).toHaveLength(200);
});

test('five thousand endpoints lie in slices of a hundred, and one pod more or less is a slice or two', () => {
  const api = aCluster(['node-1'], QUIET);
  const ports = [{name: 'http', port: 80, targetPort: 8080, protocol: 'TCP'}];
  const service = {selector: {app: 'web'}, ports, clusterIP: '10.96.0.7', ipFamilies: ['IPv4'], type: 'ClusterIP'};
  api.create({apiVersion: 'v1', kind: 'Service', metadata: {name: 'web', namespace: 'default'}, spec: service});
  for (let n = 0; n < 5000; n++) {
    api.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: `web-${n}`, namespace: 'default', labels: {app: 'web'}},
      spec: {containers: [{name: 'c', image: 'i'}], nodeName: 'node-1'},
      status: {
        phase: 'Running',
        podIP: `10.244.${n >> 8}.${n & 255}`,
        podIPs: [{ip: `10.244.${n >> 8}.${n & 255}`}],
        conditions: [{type: 'Ready', status: 'True'}],
      },
    });
  }
  api.run(10_000);
  const slices = () => api.all<EndpointSlice>('endpointslices');
  expect(slices().map(({endpoints}) => endpoints.length)).toEqual(Array.from({length: 50}, () => 100));
  const gone = writes(api, () => {
    api.remove('pods', 'default/web-7', {gracePeriodSeconds: 0});
    api.run(5000);
  });
  expect(gone.filter(write => write.includes('endpointslices'))).toHaveLength(1);
  expect(slices().reduce((sum, {endpoints}) => sum + endpoints.length, 0)).toBe(4999);
});

test('a thousand pods of one manifest that nobody owns cost nothing once they are there', () => {
  const api = aCluster(['node-1'], QUIET);
  for (let n = 0; n < 1000; n++)
    api.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name: `p-${n}`, namespace: 'default', labels: {app: 'x'}},
      spec: {containers: [{name: 'c', image: 'i'}]},
      status: {phase: 'Pending'},
    });
  serveNodes(api);
  api.run(60_000);
  expect(writes(api, () => api.run(HOUR_MS))).toEqual([]);
});
