// Pods with volumes: which nodes will do, in which words they are refused, and what is written before they are bound.
import {expect, test} from 'vitest';
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {CSINode, StorageClass} from '../../../api/kinds/storage-v1.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import {NO_LOOKUPS, type Lookups} from '../lookups.ts';
import {aCluster, aNode, aPod, outcomeOf, type PodBuilder} from '../testing/builders.ts';
import {ScheduledCluster} from '../testing/cluster.ts';

const nodes = ['a', 'b', 'c'].map((zone, n) => aNode(`node-${n + 1}`).inZone(zone));

function aVolume(name: string, size: string, more: object = {}, labels?: Record<string, string>): PersistentVolume {
  const spec = {capacity: {storage: size}, accessModes: ['ReadWriteOnce'], storageClassName: 'local', ...more};
  const metadata = {name, resourceVersion: '1', ...(labels ? {labels} : {})};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata,
    spec,
    status: {phase: 'Available'},
  } as unknown as PersistentVolume;
}

function onlyOn(...names: string[]): object {
  const matchExpressions = [{key: 'kubernetes.io/hostname', operator: 'In', values: names}];
  return {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions}]}}};
}

function aClaim(name: string, spec: object, annotations: Record<string, string> = {}): PersistentVolumeClaim {
  const metadata = {name, namespace: 'default', uid: `uid-${name}`, resourceVersion: '1', annotations};
  const defaults = {accessModes: ['ReadWriteOnce'], storageClassName: 'local', resources: {requests: {storage: '5Gi'}}};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata,
    spec: {...defaults, ...spec},
    status: {phase: 'Pending'},
  } as unknown as PersistentVolumeClaim;
}

function boundTo(volumeName: string, name: string, more: object = {}): PersistentVolumeClaim {
  return aClaim(name, {volumeName, ...more}, {'pv.kubernetes.io/bind-completed': 'yes'});
}

function aClass(name: string, provisioner: string, more: object = {}): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {name},
    provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  } as unknown as StorageClass;
}

interface Store {
  readonly volumes?: readonly PersistentVolume[];
  readonly claims?: readonly PersistentVolumeClaim[];
  readonly limits?: Readonly<Record<string, number>>;
}

const classes = [
  aClass('local', 'kubernetes.io/no-provisioner'),
  aClass('made', 'disk.example.com'),
  aClass('made-in-b', 'disk.example.com', {
    allowedTopologies: [{matchLabelExpressions: [{key: 'topology.kubernetes.io/zone', values: ['b']}]}],
  }),
  aClass('spacious', 'space.example.com'),
];

function lookupsOf({volumes = [], claims = [], limits = {}}: Store): Lookups {
  return {
    ...NO_LOOKUPS,
    claim: (_namespace, name) => claims.find(each => each.metadata.name === name),
    volume: name => volumes.find(each => each.metadata.name === name),
    volumesOf: name => volumes.filter(each => each.spec?.storageClassName === name),
    storageClass: name => classes.find(each => each.metadata.name === name),
    csiNode: name => {
      const count = limits[name];
      const drivers = count === undefined ? [] : [{name: 'disk.example.com', nodeID: name, allocatable: {count}}];
      return {apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: {name}, spec: {drivers}} as unknown as CSINode;
    },
    csiDriver: name =>
      name === 'space.example.com'
        ? ({apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: {name}, spec: {storageCapacity: true}} as never)
        : undefined,
    capacities: name =>
      name === 'spacious'
        ? [{storageClassName: name, capacity: '10Gi', nodeTopology: {matchLabels: {'kubernetes.io/hostname': 'node-3'}}} as never]
        : [],
  };
}

function using(name: string, ...claims: string[]): PodBuilder {
  const volumes = claims.map(claimName => ({name: claimName, persistentVolumeClaim: {claimName}}));
  return aPod(name).with({volumes});
}

const csi = (volumeHandle: string) => ({csi: {driver: 'disk.example.com', volumeHandle}});
const words = (text: string, preemption: string) =>
  `0/3 nodes are available: ${text}. no new claims to deallocate, preemption: 0/3 nodes are available: ${preemption}.`;
const UNHELPFUL = '3 Preemption is not helpful for scheduling';

interface Case extends Store {
  readonly name: string;
  readonly standing?: readonly PodBuilder[];
  readonly pod: PodBuilder;
  readonly outcome: string;
}

const cases: readonly Case[] = [
  {
    name: 'a waiting claim goes where a volume is large enough',
    volumes: [aVolume('small', '1Gi', onlyOn('node-1')), aVolume('big', '9Gi', onlyOn('node-2'))],
    claims: [aClaim('data', {})],
    pod: using('db', 'data'),
    outcome: 'node-2',
  },
  {
    name: 'two claims of one pod need two volumes of one node',
    volumes: [
      aVolume('a', '9Gi', onlyOn('node-1')),
      aVolume('b', '9Gi', onlyOn('node-2')),
      aVolume('c', '6Gi', onlyOn('node-2')),
    ],
    claims: [aClaim('one', {}), aClaim('two', {resources: {requests: {storage: '7Gi'}}})],
    pod: using('db', 'one', 'two'),
    outcome: 'node-2',
  },
  {
    name: 'no volume at all',
    claims: [aClaim('data', {})],
    pod: using('db', 'data'),
    outcome: words("3 node(s) didn't find available persistent volumes to bind", UNHELPFUL),
  },
  {
    name: 'a provisioner that may make volumes in one zone alone',
    claims: [aClaim('data', {storageClassName: 'made-in-b'})],
    pod: using('db', 'data'),
    outcome: 'node-2',
  },
  {
    name: 'a claim that was given to another node before',
    claims: [aClaim('data', {storageClassName: 'made'}, {'volume.kubernetes.io/selected-node': 'node-3'})],
    pod: using('db', 'data'),
    outcome: 'node-3',
  },
  {
    name: 'a driver that tells how much space it has',
    claims: [aClaim('data', {storageClassName: 'spacious'})],
    pod: using('db', 'data'),
    outcome: 'node-3',
  },
  {
    name: 'more than that space',
    claims: [aClaim('data', {storageClassName: 'spacious', resources: {requests: {storage: '11Gi'}}})],
    pod: using('db', 'data'),
    outcome: words('3 node(s) did not have enough free storage', UNHELPFUL),
  },
  {
    name: 'a bound claim whose volume is gone',
    claims: [boundTo('gone', 'data')],
    pod: using('db', 'data'),
    outcome: words('3 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)', UNHELPFUL),
  },
  {
    name: 'a lost claim',
    claims: [{...boundTo('gone', 'data'), status: {phase: 'Lost'}}],
    pod: using('db', 'data'),
    outcome: '0/3 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "gone". not found',
  },
  {
    name: 'an own volume whose claim is still to be made',
    pod: aPod('db').with({volumes: [{name: 'scratch', ephemeral: {}}]}),
    outcome:
      '0/3 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "db-scratch". not found',
  },
  {
    name: 'an own volume whose claim is somebody else’s',
    claims: [aClaim('db-scratch', {})],
    pod: aPod('db').with({volumes: [{name: 'scratch', ephemeral: {}}]}),
    outcome: '0/3 nodes are available: PVC default/db-scratch was not created for pod default/db (pod is not owner). not found',
  },
  {
    name: 'a volume labelled with zones',
    volumes: [aVolume('v', '5Gi', {}, {'topology.kubernetes.io/zone': 'b__c'})],
    claims: [boundTo('v', 'data')],
    pod: using('db', 'data').onlyOn({'topology.kubernetes.io/zone': 'a'}),
    outcome: words("1 node(s) had no available volume zone, 2 node(s) didn't match Pod's node affinity/selector", UNHELPFUL),
  },
  {
    name: 'a claim for one pod alone that another pod has',
    volumes: [aVolume('v', '5Gi')],
    claims: [boundTo('v', 'data', {accessModes: ['ReadWriteOncePod']})],
    standing: [using('first', 'data').on('node-1')],
    pod: using('second', 'data'),
    outcome: words(
      '3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
      '3 No preemption victims found for incoming pod',
    ),
  },
  {
    name: 'the same for a more important pod',
    volumes: [aVolume('v', '5Gi')],
    claims: [boundTo('v', 'data', {accessModes: ['ReadWriteOncePod']})],
    standing: [using('first', 'data').on('node-1')],
    pod: using('second', 'data').important(10),
    outcome: 'preempts first on node-1',
  },
  {
    name: 'a node whose driver takes no more volumes, but one that it has already',
    volumes: [aVolume('v', '5Gi', csi('v')), aVolume('w', '5Gi', csi('w'))],
    claims: [boundTo('v', 'data'), boundTo('w', 'more')],
    limits: {'node-1': 1, 'node-2': 0, 'node-3': 0},
    standing: [using('first', 'data').on('node-1')],
    pod: using('second', 'data'),
    outcome: 'node-1',
  },
  {
    name: 'a node whose driver takes no more volumes',
    volumes: [aVolume('v', '5Gi', csi('v')), aVolume('w', '5Gi', csi('w'))],
    claims: [boundTo('v', 'data'), boundTo('w', 'more')],
    limits: {'node-1': 1, 'node-2': 0, 'node-3': 0},
    standing: [using('first', 'data').on('node-1')],
    pod: using('second', 'more'),
    outcome: words('3 node(s) exceed max volume count', '3 No preemption victims found for incoming pod'),
  },
  {
    name: 'a disk in the spec that another pod of the node writes',
    standing: [1, 2, 3].map(n =>
      aPod(`w-${n}`)
        .with({volumes: [{name: 'd', gcePersistentDisk: {pdName: 'x'}}]})
        .on(`node-${n}`),
    ),
    pod: aPod('late').with({volumes: [{name: 'd', gcePersistentDisk: {pdName: 'x', readOnly: true}}]}),
    outcome: words('3 node(s) had no available disk', '3 No preemption victims found for incoming pod'),
  },
];
for (const {name, standing, pod, outcome, ...store} of cases) {
  test(name, () => {
    expect(outcomeOf(aCluster(nodes, standing, lookupsOf(store)), pod)).toBe(outcome);
  });
}

function aStore(...objects: readonly KubeObject[]): ScheduledCluster {
  const cluster = new ScheduledCluster().apply(...nodes);
  for (const object of [...classes, ...objects]) cluster.server.put(object);
  return cluster.start();
}

const claimOf = (cluster: ScheduledCluster, name: string) => cluster.get<PersistentVolumeClaim>('persistentvolumeclaims', name);

/** The volume controller's part, by hand. */
function complete(cluster: ScheduledCluster, claim: string, volumeName: string): void {
  cluster.change<PersistentVolumeClaim>('persistentvolumeclaims', claim, old => ({
    ...old,
    metadata: {...old.metadata, annotations: {...old.metadata.annotations, 'pv.kubernetes.io/bind-completed': 'yes'}},
    spec: {...old.spec, volumeName},
  }));
}

test('a pod is bound after its volume, which nobody else gets meanwhile', () => {
  const cluster = aStore(aVolume('disk', '9Gi', onlyOn('node-2')), aClaim('one', {}), aClaim('two', {}));
  cluster.apply(using('first', 'one')).pass(100).apply(using('second', 'two')).pass(2000);
  expect(cluster.get<PersistentVolume>('persistentvolumes', 'disk').spec?.claimRef?.name).toBe('one');
  expect(cluster.whereIs('first')).toBe('waiting');
  expect(cluster.get('pods', 'first')).toMatchObject({status: {nominatedNodeName: 'node-2'}});
  expect(cluster.whereIs('second')).toContain("3 node(s) didn't find available persistent volumes to bind");
  complete(cluster, 'one', 'disk');
  cluster.pass(1500);
  expect(cluster.whereIs('first')).toBe('node-2');
});

test('a claim for a provisioner names the node; a provisioner that gives up sends the pod back', () => {
  const cluster = aStore(aClaim('data', {storageClassName: 'made-in-b'}));
  cluster.apply(using('db', 'data')).pass(1500);
  const SELECTED = 'volume.kubernetes.io/selected-node';
  expect(claimOf(cluster, 'data').metadata.annotations?.[SELECTED]).toBe('node-2');
  cluster.change<PersistentVolumeClaim>('persistentvolumeclaims', 'data', old => ({
    ...old,
    metadata: {...old.metadata, annotations: {}},
  }));
  cluster.pass(1100);
  expect(cluster.events('db')).toEqual([
    'FailedScheduling running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "data"',
  ]);
  cluster.pass(3000);
  expect(claimOf(cluster, 'data').metadata.annotations?.[SELECTED]).toBe('node-2');
});

test('volumes that are not bound in ten minutes send the pod back; a pod that goes meanwhile is no business any more', () => {
  const cluster = aStore(aClaim('data', {storageClassName: 'made'}), aClaim('more', {storageClassName: 'made'}));
  cluster.apply(using('db', 'data'), using('brief', 'more')).pass(5000).drop('pods', 'brief').pass(600_000);
  expect(cluster.events('db')).toEqual([
    'FailedScheduling running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
  ]);
  expect(cluster.events('brief')).toEqual([]);
});
