import {expect, test} from 'vitest';
import type {Node, Pod, PodSpec} from '../../../api/kinds/core-v1.ts';
import {admitPod, NodeRoom} from './admission.ts';

let count = 0;

function podOf(spec: Partial<PodSpec>): Pod {
  const uid = `u${count++}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {name: uid, namespace: 'default', uid, resourceVersion: '1', creationTimestamp: ''},
    spec: {containers: [], ...spec},
  };
}

function asking(requests: Record<string, string>, hostPort?: number): Pod {
  return podOf({containers: [{name: 'a', resources: {requests}, ...(hostPort ? {ports: [{containerPort: 80, hostPort}]} : {})}]});
}

const node: Node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {name: 'node-1', uid: 'n', resourceVersion: '1', creationTimestamp: '', labels: {disk: 'hdd'}},
  spec: {},
  status: {allocatable: {cpu: '4', memory: '8Gi', pods: '3'}},
};

function roomWith(...pods: readonly Pod[]): NodeRoom {
  const room = new NodeRoom();
  for (const pod of pods) room.take(pod);
  return room;
}

test('what fits is taken', () => {
  expect(admitPod(asking({cpu: '4'}), node, roomWith())).toBeUndefined();
});

test('resources are counted with those that are here, until they go', () => {
  const first = asking({cpu: '3'});
  const room = roomWith(first);
  expect(admitPod(asking({cpu: '2'}), node, room)).toEqual({
    reason: 'OutOfcpu',
    message: "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000",
  });
  room.release(first.metadata.uid);
  room.release(first.metadata.uid);
  expect(admitPod(asking({cpu: '4'}), node, room)).toBeUndefined();
});

test('so many pods and no more', () => {
  const room = roomWith(podOf({}), podOf({}), podOf({}));
  expect(admitPod(podOf({}), node, room)?.message).toBe(
    "Node didn't have enough resource: pods, requested: 1, used: 3, capacity: 3",
  );
});

test('a port of the host is for one', () => {
  expect(admitPod(asking({}, 8080), node, roomWith(asking({}, 8080)))?.reason).toBe('NodePorts');
  expect(admitPod(asking({}, 8081), node, roomWith(asking({}, 8080)))).toBeUndefined();
});

test('a port at one address is free at another, not at all of them', () => {
  const at = (hostIP: string) => podOf({containers: [{name: 'a', ports: [{containerPort: 80, hostPort: 8080, hostIP}]}]});
  const room = roomWith(at('127.0.0.1'));
  expect(admitPod(at('10.0.0.1'), node, room)).toBeUndefined();
  expect(admitPod(at('127.0.0.1'), node, room)?.reason).toBe('NodePorts');
  expect(admitPod(asking({}, 8080), node, room)?.reason).toBe('NodePorts');
});

test('resources that the node has never heard of keep nobody away', () => {
  expect(admitPod(asking({'example.com/gpu': '1'}), node, roomWith())).toBeUndefined();
});

test.each([
  ['a setting of the whole node', {securityContext: {sysctls: [{name: 'net.core.somaxconn', value: '1'}]}}, 'SysctlForbidden'],
  ['an unsafe one that is allowed', {securityContext: {sysctls: [{name: 'kernel.msgmax', value: '1'}]}}, undefined],
  [
    'one of the pod alone, by its other spelling',
    {securityContext: {sysctls: [{name: 'net/ipv4/tcp_rmem', value: '1'}]}},
    undefined,
  ],
  [
    'one of the network of the node',
    {hostNetwork: true, securityContext: {sysctls: [{name: 'net.ipv4.tcp_rmem', value: '1'}]}},
    'SysctlForbidden',
  ],
  ['another system', {os: {name: 'windows' as const}}, 'PodOSNotSupported'],
  ['the label of another system', {nodeSelector: {'kubernetes.io/os': 'windows'}}, 'PodOSSelectorNodeLabelDoesNotMatch'],
])('a pod that wants %s', (_, spec, reason) => {
  expect(admitPod(podOf(spec), node, roomWith(), {sysctls: ['kernel.msg*']})?.reason).toBe(reason);
});

test('labels must fit', () => {
  expect(admitPod(podOf({nodeSelector: {disk: 'ssd'}}), node, roomWith())?.reason).toBe('NodeAffinity');
  const terms = [{matchExpressions: [{key: 'disk', operator: 'In' as const, values: ['hdd']}]}];
  const affinity = {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: terms}}};
  expect(admitPod(podOf({affinity}), node, roomWith())).toBeUndefined();
});

test('only taints that drive away count', () => {
  const tainted = (effect: 'NoExecute' | 'NoSchedule') => ({...node, spec: {taints: [{key: 'repair', value: 'now', effect}]}});
  expect(admitPod(podOf({}), tainted('NoSchedule'), roomWith())).toBeUndefined();
  expect(admitPod(podOf({}), tainted('NoExecute'), roomWith())?.reason).toBe('TaintToleration');
  expect(admitPod(podOf({tolerations: [{key: 'repair', operator: 'Exists'}]}), tainted('NoExecute'), roomWith())).toBeUndefined();
});

test('under memory pressure best-effort pods are refused', () => {
  const pressed = {...node, status: {...node.status, conditions: [{type: 'MemoryPressure', status: 'True'}]}};
  expect(admitPod(podOf({containers: [{name: 'a'}]}), pressed, roomWith())).toEqual({
    reason: 'Evicted',
    message: 'The node had condition: [MemoryPressure]. ',
  });
  expect(admitPod(asking({memory: '1Mi'}), pressed, roomWith())).toBeUndefined();
});
