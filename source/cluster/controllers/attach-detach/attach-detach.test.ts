import {expect, test} from 'vitest';
import type {Node, PersistentVolume, Pod} from '../../../api/kinds/core-v1.ts';
import type {VolumeAttachment} from '../../../api/kinds/storage-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, aNode, events} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {multiAttachText, planDetaching, planAttachments} from './plan.ts';

function aVolume(accessModes: readonly string[] = ['ReadWriteOnce']): PersistentVolume {
  const claimRef = {namespace: 'default', name: 'wiki'};
  const spec = {capacity: {storage: '1Gi'}, accessModes, claimRef, csi: {driver: 'disk.example.com', volumeHandle: 'vol-1'}};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {name: 'disk'},
    spec,
    status: {phase: 'Bound'},
  } as unknown as PersistentVolume;
}

function aPod(name: string, nodeName: string, namespace = 'default'): Pod {
  const volumes = [{name: 'd', persistentVolumeClaim: {claimName: 'wiki'}}];
  const spec = {nodeName, containers: [{name: 'c'}], volumes};
  return {apiVersion: 'v1', kind: 'Pod', metadata: {name, namespace, uid: name}, spec} as unknown as Pod;
}

function anAttachment(nodeName: string, more: object = {}): VolumeAttachment {
  return {
    metadata: {name: `va-${nodeName}`, ...more},
    spec: {attacher: 'x', nodeName, source: {persistentVolumeName: 'disk'}},
  } as VolumeAttachment;
}

const on = (...names: string[]) => new Map(names.map(name => [name, [aPod(`p-${name}`, name)]]));
const cases: readonly {
  readonly name: string;
  readonly users: readonly string[];
  readonly there: readonly VolumeAttachment[];
  readonly modes?: readonly string[];
  readonly plan: string;
}[] = [
  {name: 'the first pod', users: ['a'], there: [], plan: 'attach a'},
  {name: 'it is there', users: ['a'], there: [anAttachment('a')], plan: 'look a'},
  {name: 'nobody uses it any more', users: [], there: [anAttachment('a')], plan: 'detach a'},
  {name: 'it is on its way out', users: ['a'], there: [anAttachment('a', {deletionTimestamp: 'x'})], plan: ''},
  {name: 'another node has it', users: ['a', 'b'], there: [anAttachment('a')], plan: 'look a, refuse p-b'},
  {name: 'two nodes at once', users: ['a', 'b'], there: [], plan: 'attach a, refuse p-b'},
  {
    name: 'two nodes that may share it',
    users: ['a', 'b'],
    there: [anAttachment('a')],
    modes: ['ReadWriteMany'],
    plan: 'attach b, look a',
  },
  {name: 'it moves', users: ['b'], there: [anAttachment('a')], plan: 'detach a, refuse p-b'},
];
for (const {name, users, there, modes, plan} of cases) {
  test(`what to do for a volume: ${name}`, () => {
    const {detach, attach, look, refused} = planAttachments(aVolume(modes), on(...users), there);
    const words = [
      ...detach.map(each => `detach ${each.spec.nodeName}`),
      ...attach.map(node => `attach ${node}`),
      ...look.map(each => `look ${each.spec.nodeName}`),
      ...refused.map(pod => `refuse ${pod.metadata.name}`),
    ];
    expect(words.join(', ')).toBe(plan);
  });
}

test('who else has the volume', () => {
  const users = new Map([['a', [aPod('one', 'a'), aPod('two', 'a'), aPod('far', 'a', 'elsewhere')]]]);
  const start = 'Multi-Attach error for volume "disk" Volume is already';
  expect(multiAttachText(aVolume(), aPod('new', 'b'), users)).toBe(
    `${start} used by pod(s) one, two and 1 pod(s) in different namespaces`,
  );
  expect(multiAttachText(aVolume(), aPod('new', 'b'), new Map())).toBe(
    `${start} exclusively attached to one node and can't be attached to another`,
  );
});

function attached(api: FakeApi): readonly string[] {
  return api.all<VolumeAttachment>('volumeattachments').map(({spec, status}) => `${spec.nodeName} ${status?.attached ?? false}`);
}

test('a volume is attached, moves with its pod, and an attacher that never answers is waited for two minutes', () => {
  const annotations = {'volumes.kubernetes.io/controller-managed-attach-detach': 'true'};
  const api = aCluster([], {controllers: ['*', '-node-lifecycle-controller', '-taint-eviction-controller']});
  for (const name of ['node-1', 'node-2'])
    api.create(aNode(name, {metadata: {name, annotations}} as unknown as Partial<AnyObject>));
  api.create(aNode('old'));
  api.create(aVolume());
  const spec = {volumeName: 'disk', accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}};
  api.create({apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: {name: 'wiki', namespace: 'default'}, spec});
  api.create(aPod('elsewhere', 'old'));
  api.create(aPod('first', 'node-1'));
  api.run(1000);
  expect(attached(api)).toEqual(['node-1 false']);
  const [name] = api.all<VolumeAttachment>('volumeattachments').map(({metadata}) => metadata.name);
  api.patch('volumeattachments', name ?? '', old => ({...old, status: {attached: true}}) as AnyObject);
  api.run(1000);
  expect(api.get<Node>('nodes', 'node-1')?.status?.volumesAttached).toEqual([
    {name: 'kubernetes.io/csi/disk.example.com^vol-1', devicePath: ''},
  ]);
  api.create(aPod('second', 'node-2'));
  api.run(1000);
  api.remove('pods', 'default/first', {gracePeriodSeconds: 0});
  api.run(1000);
  expect(attached(api)).toEqual(['node-2 false']);
  expect(api.get<Node>('nodes', 'node-1')?.status?.volumesAttached).toBeUndefined();
  api.run(121_000);
  expect(events(api, 'Pod').filter(text => text.includes('ttach'))).toEqual([
    'SuccessfulAttachVolume AttachVolume.Attach succeeded for volume "disk" ',
    'FailedAttachVolume Multi-Attach error for volume "disk" Volume is already used by pod(s) first',
    'FailedAttachVolume AttachVolume.Attach failed for volume "disk" : timed out waiting for external-attacher of disk.example.com CSI driver to attach volume vol-1',
  ]);
});

const inUse = (status: 'True' | 'Unknown', taints: readonly string[] = []) =>
  ({
    metadata: {name: 'node-1'},
    spec: {taints: taints.map(key => ({key, effect: 'NoExecute'}))},
    status: {conditions: [{type: 'Ready', status}]},
  }) as unknown as Node;

test.each([
  ['nothing mounted', inUse('True'), {mounted: false, waitedMs: 0}, 0],
  ['mounted on a node that is well', inUse('True'), {mounted: true, waitedMs: 3_600_000}, 360_000],
  ['mounted on a node that is silent', inUse('Unknown'), {mounted: true, waitedMs: 100_000}, 260_000],
  ['mounted on a node that is silent for long', inUse('Unknown'), {mounted: true, waitedMs: 360_000}, 0],
  ['mounted on a node that is gone', undefined, {mounted: true, waitedMs: 60_000}, 300_000],
  ['out of service', inUse('Unknown', ['node.kubernetes.io/out-of-service']), {mounted: true, waitedMs: 0}, 0],
])('a volume that nobody wants, %s', (_what, node, how, waitMs) => {
  expect(planDetaching(node, how)).toBe(waitMs);
});
