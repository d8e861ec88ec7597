import {expect, test} from 'vitest';
import type {ControllerRevision, DaemonSet} from '../../../api/kinds/apps-v1.ts';
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {aPod} from '../testing/pods.ts';
import {groupByNode, planUpdate} from './plan.ts';

function aDaemon(spec: object = {}): unknown {
  const annotations = {'deprecated.daemonset.template.generation': '1'};
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {name: 'agent', namespace: 'default', annotations},
    spec: {
      selector: {matchLabels: {app: 'agent'}},
      revisionHistoryLimit: 10,
      updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 0, maxUnavailable: 1}},
      template: template('nginx:1.26'),
      ...spec,
    },
  };
}

function template(image: string, more: object = {}) {
  return {metadata: {labels: {app: 'agent'}}, spec: {containers: [{name: 'c', image}], ...more}};
}

function change(api: FakeApi, spec: object): void {
  api.patch('daemonsets', 'default/agent', object => {
    const {metadata} = object;
    const generation = (metadata.generation ?? 1) + 1;
    const annotations = {'deprecated.daemonset.template.generation': String(generation)};
    return {...object, metadata: {...metadata, generation, annotations}, spec: {...(object.spec as object), ...spec}};
  });
}

function counts(api: FakeApi): string {
  const status = api.get<DaemonSet>('daemonsets', 'default/agent')?.status;
  const numbers = [
    status?.desiredNumberScheduled,
    status?.currentNumberScheduled,
    status?.numberReady,
    status?.updatedNumberScheduled,
    status?.numberAvailable,
  ];
  return numbers.map(each => each ?? 0).join(' ');
}

/** The scheduler places daemons by their affinity. */
function place(api: FakeApi): void {
  for (const pod of api.all<Pod>('pods')) {
    const term = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0];
    const node = term?.matchFields?.[0]?.values?.[0];
    if (pod.spec.nodeName || !node || pod.spec.containers[0]?.image === 'unfit') continue;
    api.patch('pods', `default/${pod.metadata.name}`, object => ({
      ...object,
      spec: {...(object.spec as object), nodeName: node},
    }));
  }
}

function live(api: FakeApi, ms = 4000): void {
  for (let passed = 0; passed < ms; passed += 200) {
    place(api);
    settle(api, 200, pod => pod.spec.nodeName !== undefined);
  }
}

test('every node that may gets a pod, which says for whom it is and bears what daemons bear', () => {
  const api = aCluster(['node-1', 'node-2', 'node-3']);
  api.patch('nodes', 'node-3', object => ({...object, spec: {taints: [{key: 'own', effect: 'NoSchedule'}]}}));
  api.create(aDaemon());
  live(api);
  expect(counts(api)).toBe('2 2 2 2 2');
  const [pod] = api.all<Pod>('pods');
  expect(pod?.spec.tolerations?.map(each => `${each.key?.replace('node.kubernetes.io/', '')} ${each.effect}`)).toEqual([
    'not-ready NoExecute',
    'unreachable NoExecute',
    'disk-pressure NoSchedule',
    'memory-pressure NoSchedule',
    'pid-pressure NoSchedule',
    'unschedulable NoSchedule',
  ]);
  expect(pod?.metadata.labels).toEqual({
    app: 'agent',
    'controller-revision-hash': expect.any(String),
    'pod-template-generation': '1',
  });
  expect(pod?.metadata.ownerReferences).toMatchObject([
    {apiVersion: 'apps/v1', kind: 'DaemonSet', controller: true, blockOwnerDeletion: true},
  ]);
});

test('an update replaces one node at a time, stops at a pod that cannot start, and goes back', () => {
  const api = aCluster(['node-1', 'node-2', 'node-3']);
  api.create(aDaemon());
  live(api);
  change(api, {template: template('nginx:1.27')});
  live(api, 8000);
  expect(counts(api)).toBe('3 3 3 3 3');
  change(api, {template: template('unfit')});
  live(api, 8000);
  expect(counts(api)).toBe('3 3 2 1 2');
  change(api, {template: template('nginx:1.27')});
  live(api, 8000);
  expect(counts(api)).toBe('3 3 3 3 3');
  expect(
    api
      .all<ControllerRevision>('controllerrevisions')
      .map(each => each.revision)
      .toSorted((a, b) => a - b),
  ).toEqual([1, 3, 4]);
});

test.each([
  {pods: 'old+ old+ old+', most: 1, removed: 'node-1'},
  {pods: 'new+ old+ old+', most: 2, removed: 'node-2 node-3'},
  {pods: 'new- old+ old+', most: 1, removed: ''},
  {pods: 'old- old+ old+', most: 1, removed: 'node-1'},
  {pods: 'old- old+ old+', most: 2, removed: 'node-1 node-2'},
  {pods: 'old- old- old+', most: 1, removed: 'node-1 node-2'},
  {pods: 'gone old+ old+', most: 1, removed: ''},
])('$pods, $most may be missing: replaces $removed', ({pods, most, removed}) => {
  const rollingUpdate = {maxSurge: 0, maxUnavailable: most};
  const set = aDaemon({updateStrategy: {type: 'RollingUpdate', rollingUpdate}}) as DaemonSet;
  const states = pods.split(' ');
  const all = states.map((state, index) =>
    aPod(`node-${index + 1}`, {
      node: `node-${index + 1}`,
      ready: state.endsWith('+'),
      terminating: state === 'gone',
      labels: {app: 'agent', 'controller-revision-hash': state.startsWith('new') ? 'now' : 'before'},
    }),
  );
  const nodes = states.map((_, index) => ({metadata: {name: `node-${index + 1}`}, spec: {}}) as Node);
  const plan = planUpdate({set, nodes, pods: groupByNode(all), hash: 'now', nowMs: Date.parse('2026-11-30T05:00:00Z')});
  expect(plan.remove.map(pod => pod.metadata.name).join(' ')).toBe(removed);
});

test('with surge the new pod comes beside the old one', () => {
  const api = aCluster(['node-1', 'node-2', 'node-3']);
  api.create(aDaemon({updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}));
  live(api);
  change(api, {template: template('unfit')});
  live(api);
  expect(counts(api)).toBe('3 3 3 0 3');
  expect(api.all('pods')).toHaveLength(4);
  change(api, {template: template('nginx:1.27')});
  live(api, 12_000);
  expect(counts(api)).toBe('3 3 3 3 3');
  expect(api.all('pods')).toHaveLength(3);
});

test('labels and taints of nodes decide; a NoSchedule taint is seen only when the set is looked at anyway', () => {
  const api = aCluster(['node-1', 'node-2']);
  api.create(aDaemon({template: template('nginx', {nodeSelector: {role: 'edge'}})}));
  live(api);
  expect(counts(api)).toBe('0 0 0 0 0');
  const relabel = (labels: object, spec: object = {}) =>
    api.patch('nodes', 'node-2', object => ({...object, metadata: {...object.metadata, labels} as AnyObject['metadata'], spec}));
  relabel({role: 'edge'});
  live(api);
  expect(counts(api)).toBe('1 1 1 1 1');
  relabel({role: 'edge'}, {taints: [{key: 'closed', effect: 'NoSchedule'}]});
  live(api);
  expect(counts(api)).toBe('1 1 1 1 1');
  api.patch('daemonsets', 'default/agent', object => ({...object, metadata: {...object.metadata, annotations: {note: 'look'}}}));
  live(api);
  const status = api.get<DaemonSet>('daemonsets', 'default/agent')?.status;
  expect(status).toMatchObject({desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 1});
  relabel({}, {});
  live(api);
  expect(api.all('pods')).toEqual([]);
});

test('a daemon pod that failed is told of, and replaced', () => {
  const api = aCluster(['node-1']);
  api.create(aDaemon());
  live(api);
  const [pod] = api.all<Pod>('pods');
  api.patch('pods', `default/${pod?.metadata.name}`, object => ({...object, status: {phase: 'Failed'}}));
  live(api);
  expect(counts(api)).toBe('1 1 1 1 1');
  const told = api.all<AnyObject & {message: string}>('events').map(event => event.message);
  expect(told).toContain(`Found failed daemon pod default/${pod?.metadata.name} on node node-1, will try to kill it`);
});

test('an update with surge goes on when the new pod has been ready long enough, though nothing happens then', () => {
  const api = aCluster(['node-1', 'node-2']);
  api.create(
    aDaemon({minReadySeconds: 3, updateStrategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}),
  );
  live(api, 6000);
  expect(counts(api)).toBe('2 2 2 2 2');
  change(api, {template: template('nginx:1.27')});
  live(api, 14_000);
  expect(counts(api)).toBe('2 2 2 2 2');
  expect(api.all<Pod>('pods').map(pod => pod.spec.containers[0]?.image)).toEqual(['nginx:1.27', 'nginx:1.27']);
});

test.each([
  {
    what: 'one that is not well on a closed node just goes',
    pods: 'old- old+',
    closed: 'node-1',
    removed: 'node-1',
    created: 'node-2',
  },
  {
    what: 'one that is well on a closed node goes when others are enough',
    pods: 'old+ new+',
    closed: 'node-1',
    removed: 'node-1',
    created: '',
  },
  {
    what: 'one that is well on a closed node stays as long as it is needed',
    pods: 'old+ new-',
    closed: 'node-1',
    removed: '',
    created: '',
  },
])('surge: $what', ({pods, closed, removed, created}) => {
  const rollingUpdate = {maxSurge: 1, maxUnavailable: 0};
  const set = aDaemon({updateStrategy: {type: 'RollingUpdate', rollingUpdate}}) as DaemonSet;
  const states = pods.split(' ');
  const all = states.map((state, index) =>
    aPod(`node-${index + 1}`, {
      node: `node-${index + 1}`,
      ready: state.endsWith('+'),
      labels: {app: 'agent', 'controller-revision-hash': state.startsWith('new') ? 'now' : 'before'},
    }),
  );
  const nodes = states.map((_, index) => {
    const name = `node-${index + 1}`;
    return {metadata: {name}, spec: name === closed ? {taints: [{key: 'closed', effect: 'NoSchedule'}]} : {}} as unknown as Node;
  });
  const plan = planUpdate({set, nodes, pods: groupByNode(all), hash: 'now', nowMs: Date.parse('2026-11-30T05:00:00Z')});
  expect([plan.remove.map(pod => pod.metadata.name).join(' '), plan.create.join(' ')]).toEqual([removed, created]);
});
