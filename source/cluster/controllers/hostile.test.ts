// What nobody should write and somebody will: owners in a circle, finalizers that nobody removes, selectors that select each other's
// pods, CronJobs that never rest. The work is bounded: requests and events of the clock are counted, not time.
import {expect, test} from 'vitest';
import type {Job} from '../../api/kinds/batch-v1.ts';
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {aCluster, aDeployment, settle} from './testing/cluster.ts';
import type {FakeApi} from '../../client/testing/fake-api.ts';

const HOUR_MS = 3_600_000;
/** Nodes do not post here, and are not asked to. */
const QUIET = {controllers: ['*', '-node-lifecycle-controller', '-taint-eviction-controller']};

/** The writes and the events of the clock while time passes. */
function cost(api: FakeApi, ms: number): {readonly writes: number; readonly events: number} {
  const writes = api.writes.filter(isWork).length;
  const {count} = api.clock;
  api.run(ms);
  return {writes: api.writes.filter(isWork).length - writes, events: api.clock.count - count};
}

function isWork(write: string): boolean {
  return !write.includes('leases') && !write.includes('serviceaccounts/token');
}

function aMap(
  api: FakeApi,
  name: string,
  owner?: {readonly name: string; readonly uid: string; readonly blocks?: boolean},
): AnyObject {
  const reference = owner && {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner.name,
    uid: owner.uid,
    blockOwnerDeletion: owner.blocks,
  };
  const metadata = {name, namespace: 'default', ...(reference ? {ownerReferences: [reference]} : {})};
  return api.create({apiVersion: 'v1', kind: 'ConfigMap', metadata});
}

function aCircle(api: FakeApi, names: readonly string[], blocks: boolean): void {
  const uids = names.map(name => aMap(api, name).metadata.uid);
  for (const [at, name] of names.entries()) {
    const owner = (at + 1) % names.length;
    const reference = {apiVersion: 'v1', kind: 'ConfigMap', name: names[owner], uid: uids[owner], blockOwnerDeletion: blocks};
    api.patch(
      'configmaps',
      `default/${name}`,
      old => ({...old, metadata: {...old.metadata, ownerReferences: [reference]}}) as AnyObject,
    );
  }
  api.run(1000);
}

test('owners in a circle rest, and go together when one of them goes', () => {
  const api = aCluster([], QUIET);
  const names = ['a', 'b', 'c'];
  aCircle(api, names, true);
  expect(cost(api, HOUR_MS).writes).toBe(0);
  const writes = api.writes.length;
  api.remove('configmaps', 'default/a', {propagationPolicy: 'Foreground'});
  api.run(60_000);
  expect(names.filter(name => api.get('configmaps', `default/${name}`))).toEqual([]);
  expect(api.writes.length - writes).toBeLessThan(50);
});

test('an object that owns itself, and one whose owner never was', () => {
  const api = aCluster([], QUIET);
  aCircle(api, ['self'], false);
  aMap(api, 'orphan', {name: 'nobody', uid: 'no-such-uid'});
  const {writes} = cost(api, HOUR_MS);
  expect(api.get('configmaps', 'default/orphan')).toBeUndefined();
  expect(writes).toBeLessThan(5);
});

test('a namespace that a finalizer holds costs the same in every hour', () => {
  const api = aCluster([], QUIET);
  api.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'stuck'}});
  api.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {name: 'held', namespace: 'stuck', finalizers: ['example.com/never']},
  });
  api.run(1000);
  api.remove('namespaces', 'stuck');
  api.run(60_000);
  const first = cost(api, HOUR_MS);
  const later = cost(api, HOUR_MS);
  // Every eight seconds all of its resources are cleared once more: that many, and never more.
  expect(first.writes).toBeLessThan(15_000);
  expect(later.writes).toBeLessThan(first.writes * 1.05);
  api.patch('configmaps', 'stuck/held', old => ({...old, metadata: {...old.metadata, finalizers: []}}) as AnyObject);
  api.run(1_100_000);
  expect(api.get('namespaces', 'stuck')).toBeUndefined();
});

test('owners whose selectors select the same pods leave each other’s alone', () => {
  const api = aCluster(['node-1'], QUIET);
  const template = {
    metadata: {labels: {app: 'x'}},
    spec: {terminationGracePeriodSeconds: 0, containers: [{name: 'c', image: 'i'}]},
  };
  const selector = {matchLabels: {app: 'x'}};
  const metadata = (name: string) => ({name, namespace: 'default'});
  for (const name of ['one', 'two'])
    api.create({apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: metadata(name), spec: {replicas: 2, selector, template}});
  api.create({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metadata('all'),
    spec: {selector, template, updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxUnavailable: 1}}},
  });
  api.create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadata('db'),
    spec: {replicas: 2, serviceName: 'db', selector, template},
  });
  api.create({
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: metadata('old'),
    spec: {replicas: 2, selector: {app: 'x'}, template},
  });
  settle(api, 20_000);
  const pods = () => api.all<Pod>('pods').map(({metadata: each}) => each.uid);
  const before = pods();
  expect(before).toHaveLength(2 + 2 + 1 + 2 + 2);
  expect(cost(api, 6 * HOUR_MS).writes).toBe(0);
  expect(pods()).toEqual(before);
});

test('pods that end as soon as they begin are replaced ever more slowly', () => {
  const api = aCluster(undefined, QUIET);
  const spec = {
    selector: {matchLabels: {app: 'x'}},
    template: {metadata: {labels: {app: 'x'}}, spec: {containers: [{name: 'c', image: 'i'}]}},
  };
  api.create({apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: {name: 'bad', namespace: 'default'}, spec});
  let ended = 0;
  for (let at = 0; at < 600; at++) {
    for (const {metadata, status} of api.all<Pod>('pods')) {
      if (status?.phase === 'Failed') continue;
      ended++;
      api.patch('pods', `default/${metadata.name}`, old => ({...old, status: {phase: 'Failed'}}) as AnyObject);
    }
    api.run(1000);
  }
  expect(ended).toBeGreaterThan(4);
  expect(ended).toBeLessThan(40);
});

test('CronJobs of every minute run for hours on end: what is over is taken away, and a minute costs the same at the end', () => {
  const api = aCluster(undefined, QUIET);
  const labels = {app: 'x'};
  const template = {metadata: {labels}, spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}};
  const spec = {
    schedule: '* * * * *',
    successfulJobsHistoryLimit: 2,
    jobTemplate: {spec: {selector: {matchLabels: labels}, completions: 1, parallelism: 1, backoffLimit: 6, template}},
  };
  for (const name of ['tick', 'tock'])
    api.create({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: {name, namespace: 'default'},
      spec: {concurrencyPolicy: 'Allow', ...spec},
    });
  const hours = (count: number): number => {
    const {count: before} = api.clock;
    for (let at = 0; at < count * 60; at++) {
      for (const {metadata, status} of api.all<Pod>('pods')) {
        const key = `default/${metadata.name}`;
        if (metadata.deletionTimestamp) api.remove('pods', key, {gracePeriodSeconds: 0});
        else if (status?.phase === 'Pending')
          api.patch('pods', key, old => ({...old, status: {phase: 'Succeeded'}}) as AnyObject);
      }
      api.run(60_000);
    }
    return (api.clock.count - before) / count;
  };
  const first = hours(1);
  hours(2);
  const last = hours(1);
  expect(api.all<Job>('jobs').length).toBeLessThanOrEqual(2 * 4);
  expect(api.all<Pod>('pods').length).toBeLessThanOrEqual(2 * 4);
  expect(last).toBeLessThan(first * 1.2);
});

test('a CronJob that was suspended for hours says so once and begins anew', () => {
  const api = aCluster(undefined, QUIET);
  const template = {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}};
  const spec = {schedule: '* * * * *', suspend: true, concurrencyPolicy: 'Forbid', jobTemplate: {spec: {template}}};
  api.create({apiVersion: 'batch/v1', kind: 'CronJob', metadata: {name: 'late', namespace: 'default'}, spec});
  expect(cost(api, 6 * HOUR_MS).writes).toBe(0);
  api.patch('cronjobs', 'default/late', old => ({...old, spec: {...(old['spec'] as object), suspend: false}}) as AnyObject);
  api.run(1000);
  expect(api.all('jobs')).toHaveLength(1);
});

test('a Deployment that can never have its pods asks a few times, not a thousand', () => {
  const api = aCluster(undefined, QUIET);
  api.intercept = ({method, path}) =>
    method === 'POST' && path.endsWith('/pods')
      ? {status: 403, body: {kind: 'Status', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403}}
      : undefined;
  api.create(aDeployment('web', {replicas: 5000}));
  api.run(HOUR_MS);
  const asked = cost(api, HOUR_MS);
  expect(asked.writes).toBeLessThan(50);
  expect(asked.events).toBeLessThan(20_000);
});
