import {expect, test} from 'vitest';
import type {Node, Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, aNode, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {planNoExecute, planNoSchedule} from './taints.ts';
import {STANDARD_TUNING} from '../tuning.ts';
import {paceMs} from './zones.ts';

const NOW = '2026-11-30T04:00:00Z';

function taints(api: FakeApi, name: string): readonly string[] {
  return (api.get<Node>('nodes', name)?.spec.taints ?? []).map(
    ({key, effect}) => `${key.replace('node.kubernetes.io/', '')}:${effect}`,
  );
}

function conditions(api: FakeApi, name: string): readonly string[] {
  return (api.get<Node>('nodes', name)?.status?.conditions ?? []).map(each => `${each.type}=${each.status} ${each.reason ?? ''}`);
}

/** What a kubelet does: posts its status. */
function beat(api: FakeApi, name: string, status = 'True'): void {
  api.patch('nodes', name, object => {
    const now = api.daemon.now();
    const rest = (object as unknown as Node).status?.conditions?.filter(each => each.type !== 'Ready') ?? [];
    return {...object, status: {conditions: [{type: 'Ready', status, lastHeartbeatTime: now, lastTransitionTime: now}, ...rest]}};
  });
}

function aPodOn(api: FakeApi, name: string, tolerations: readonly object[]): void {
  const metadata = {name, namespace: 'default', labels: {app: 'x'}};
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {nodeName: 'node-2', tolerations, containers: []}});
}

test('conditions become NoSchedule taints', () => {
  const conditions = [
    {type: 'Ready', status: 'False'},
    {type: 'MemoryPressure', status: 'True'},
    {type: 'DiskPressure', status: 'False'},
  ];
  const node = {
    ...aNode('a'),
    spec: {unschedulable: true, taints: [{key: 'mine', effect: 'NoSchedule'}]},
    status: {conditions},
  } as unknown as Node;
  expect(planNoSchedule(node, NOW)?.map(taint => taint.key)).toEqual([
    'mine',
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/memory-pressure',
    'node.kubernetes.io/unschedulable',
  ]);
  const well = {...node, spec: {taints: planNoSchedule(node, NOW) ?? []}, status: {conditions: []}};
  expect(planNoSchedule(well, NOW)).toEqual([{key: 'mine', effect: 'NoSchedule'}]);
  expect(planNoSchedule(aNode('b') as unknown as Node, NOW)).toBeUndefined();
});

test('a node has one NoExecute taint for its Ready status, or none', () => {
  const node = aNode('a') as unknown as Node;
  const driven = {...node, spec: {taints: planNoExecute(node, 'Unknown', NOW) ?? []}};
  expect(driven.spec.taints).toEqual([{key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: NOW}]);
  expect(planNoExecute(driven, 'False', NOW)?.map(taint => taint.key)).toEqual(['node.kubernetes.io/not-ready']);
  expect(planNoExecute(driven, 'True', NOW)).toEqual([]);
  expect(planNoExecute(node, 'True', NOW)).toBeUndefined();
});

test('a zone where most nodes are not ready slows down', () => {
  expect(paceMs({nodes: 4, notReady: 1}, STANDARD_TUNING.nodes)).toBe(10_000);
  expect(paceMs({nodes: 3, notReady: 2}, STANDARD_TUNING.nodes)).toBe(10_000);
  expect(paceMs({nodes: 5, notReady: 3}, STANDARD_TUNING.nodes)).toBe(Infinity);
  expect(paceMs({nodes: 100, notReady: 60}, STANDARD_TUNING.nodes)).toBe(100_000);
  expect(paceMs({nodes: 5, notReady: 5}, STANDARD_TUNING.nodes)).toBe(10_000);
});

test('a node that falls silent is given up, tainted, emptied as its pods tolerate, and comes back', () => {
  const api = aCluster();
  const unreachable = {key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute'};
  aPodOn(api, 'hasty', [{...unreachable, tolerationSeconds: 3}]);
  aPodOn(api, 'patient', [{...unreachable, tolerationSeconds: 300}]);
  aPodOn(api, 'stoic', [{operator: 'Exists'}]);
  settle(api);
  api.run(30_000);
  beat(api, 'node-1');
  expect(conditions(api, 'node-2')).toEqual(['Ready=True ']);
  api.run(22_000);
  expect(conditions(api, 'node-2')).toEqual([
    'Ready=Unknown NodeStatusUnknown',
    'MemoryPressure=Unknown NodeStatusNeverUpdated',
    'DiskPressure=Unknown NodeStatusNeverUpdated',
    'PIDPressure=Unknown NodeStatusNeverUpdated',
  ]);
  expect(taints(api, 'node-2')).toEqual(['unreachable:NoSchedule']);
  api.run(10_000);
  expect(taints(api, 'node-2')).toEqual(['unreachable:NoSchedule', 'unreachable:NoExecute']);
  expect(conditions(api, 'node-1')).toEqual(['Ready=True ']);
  const pods = api.all<Pod>('pods').map(pod => {
    const shown = (pod.status?.conditions ?? []).map(
      each => `${each.type}=${each.status} ${each.reason ?? ''} ${each.message ?? ''};`,
    );
    return `${pod.metadata.name} ${pod.metadata.deletionTimestamp ? 'ends' : 'stays'} ${shown.join(' ')}`;
  });
  expect(pods).toEqual([
    'hasty ends Ready=False  ; DisruptionTarget=True DeletionByTaintManager Taint manager: deleting due to NoExecute taint;',
    'patient stays Ready=False  ;',
    'stoic stays Ready=False  ;',
  ]);
  expect(events(api, 'Pod')).toEqual([
    'NodeNotReady Node is not ready',
    'NodeNotReady Node is not ready',
    'NodeNotReady Node is not ready',
    'TaintManagerEviction Marking for deletion Pod default/hasty',
  ]);
  expect(events(api, 'Node').filter(text => text.includes('node-2'))).toEqual([
    'RegisteredNode Node node-2 event: Registered Node node-2 in Controller',
    'NodeNotReady Node node-2 status is now: NodeNotReady',
  ]);
  beat(api, 'node-2');
  api.run(6000);
  expect(taints(api, 'node-2')).toEqual([]);
  expect(events(api, 'Pod').at(-1)).toBe('TaintManagerEviction Cancelling deletion of Pod default/patient');
});

test('a node that says itself that it is not ready is tainted too, but its pods keep their word', () => {
  const api = aCluster();
  aPodOn(api, 'web', [{operator: 'Exists'}]);
  settle(api);
  beat(api, 'node-2', 'False');
  api.run(6000);
  expect(taints(api, 'node-2')).toEqual(['not-ready:NoSchedule', 'not-ready:NoExecute']);
  expect(api.get<Pod>('pods', 'default/web')?.status?.conditions?.[0]?.status).toBe('True');
});

test('a node that never posted is given up after a minute', () => {
  const api = aCluster();
  api.create({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name: 'mute'},
    spec: {taints: [{key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule'}]},
  });
  api.run(3000);
  expect(api.get<Node>('nodes', 'mute')?.status).toBeUndefined();
  api.run(68_000);
  expect(conditions(api, 'mute')[0]).toBe('Ready=Unknown NodeStatusNeverUpdated');
});

test('leases keep a node alive', () => {
  const api = aCluster();
  const lease = (time: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {name: 'node-2', namespace: 'kube-node-lease'},
    spec: {renewTime: time},
  });
  api.create(lease('2026-11-30T04:00:03.000000Z'));
  for (let i = 0; i < 8; i++) {
    api.run(10_000);
    api.patch(
      'leases',
      'kube-node-lease/node-2',
      object => ({...object, spec: {renewTime: `2026-11-30T04:0${i + 1}:03.000000Z`}}) as AnyObject,
    );
  }
  expect(conditions(api, 'node-2')).toEqual(['Ready=True ']);
  expect(conditions(api, 'node-1')[0]).toBe('Ready=Unknown NodeStatusUnknown');
});

test('nodes get their ranges in the order of joining, their old labels and their time to live', () => {
  const api = aCluster(['cp-1', 'node-1']);
  api.create(aNode('a-late-one', {spec: {}}));
  api.run(500);
  const ranges = api.all<Node>('nodes').map(node => `${node.metadata.name} ${node.spec.podCIDR}`);
  expect(ranges).toEqual(['a-late-one 10.244.2.0/24', 'cp-1 10.244.0.0/24', 'node-1 10.244.1.0/24']);
  api.remove('nodes', 'a-late-one');
  api.create(
    aNode('next', {metadata: {name: 'next', labels: {'kubernetes.io/os': 'linux'}} as unknown as AnyObject['metadata']}),
  );
  api.run(500);
  const next = api.get<Node>('nodes', 'next');
  expect(next?.spec.podCIDRs).toEqual(['10.244.3.0/24']);
  expect(next?.metadata).toMatchObject({
    labels: {'beta.kubernetes.io/os': 'linux'},
    annotations: {'node.alpha.kubernetes.io/ttl': '0'},
  });
});

test('pods of a node that is gone go after its quarantine; stuck ones of a node out of service at once', () => {
  const api = aCluster();
  aPodOn(api, 'lonely', [{operator: 'Exists'}]);
  settle(api);
  api.remove('nodes', 'node-2');
  api.run(39_000);
  expect(api.all('pods')).toHaveLength(1);
  api.run(25_000);
  expect(api.all('pods')).toHaveLength(0);
  api.create(aNode('node-2'));
  aPodOn(api, 'db', [{operator: 'Exists'}]);
  settle(api);
  beat(api, 'node-2', 'False');
  api.remove('pods', 'default/db');
  api.run(25_000);
  expect(api.all('pods')).toHaveLength(1);
  const taint = {key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute'};
  api.patch('nodes', 'node-2', object => ({...object, spec: {...(object.spec as object), taints: [taint]}}));
  api.run(21_000);
  expect(api.all('pods')).toHaveLength(0);
});
