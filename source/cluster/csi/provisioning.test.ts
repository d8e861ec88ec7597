// Which claims get a disk, and in which zone.
import {expect, test} from 'vitest';
import type {Node, PersistentVolume, PersistentVolumeClaim} from '../../api/kinds/core-v1.ts';
import type {StorageClass} from '../../api/kinds/storage-v1.ts';
import {DISK_DRIVER} from '../../api/meta/disk-driver.ts';
import {DISK_FINALIZER, planCare, planDisk, wantsDisk} from './provisioning.ts';

const MARK = {'volume.kubernetes.io/storage-provisioner': DISK_DRIVER};
const CHOSEN = {'volume.kubernetes.io/selected-node': 'node-2'};

const aClaim = (name: string, annotations: object = MARK, spec: object = {}) =>
  ({
    metadata: {name, namespace: 'shop', annotations},
    spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1500k'}}, ...spec},
  }) as unknown as PersistentVolumeClaim;
const aClass = (more: object = {}) => ({metadata: {name: 'ssd'}, provisioner: DISK_DRIVER, ...more}) as unknown as StorageClass;
const only = (...values: string[]) => ({
  allowedTopologies: [{matchLabelExpressions: [{key: 'topology.kubernetes.io/zone', values}]}],
});
const NODES = new Map(
  ['a', 'b', 'c'].map((zone, at) => [
    `node-${at + 1}`,
    {metadata: {name: `node-${at + 1}`, labels: {'topology.kubernetes.io/zone': zone}}} as unknown as Node,
  ]),
);

test.each([
  ['of the driver', aClaim('x'), aClass(), true],
  ['not marked yet', aClaim('x', {}), aClass(), false],
  ['that has its volume', aClaim('x', MARK, {volumeName: 'pv'}), aClass(), false],
  ['whose class is another’s', aClaim('x'), aClass({provisioner: 'example.com/nfs'}), false],
  ['that waits for its consumer', aClaim('x'), aClass({volumeBindingMode: 'WaitForFirstConsumer'}), false],
  ['whose consumer has a node', aClaim('x', {...MARK, ...CHOSEN}), aClass({volumeBindingMode: 'WaitForFirstConsumer'}), true],
])('a claim %s', (_what, claim, storageClass, wanted) => {
  expect(wantsDisk(claim, storageClass)).toBe(wanted);
});

test('sizes are whole mebibytes, and the zone is that of the chosen node', () => {
  expect(planDisk(aClaim('x', {...MARK, ...CHOSEN}), aClass(), NODES)).toEqual({bytes: 2 * 1024 ** 2, zone: 'b'});
});

test('without a node the claims of one StatefulSet take turns among the zones', () => {
  const zones = [0, 1, 2, 3]
    .map(number => planDisk(aClaim(`data-db-${number}`), aClass(), NODES) as {zone: string})
    .map(({zone}) => zone);
  expect(new Set(zones.slice(0, 3)).size).toBe(3);
  expect(zones[3]).toBe(zones[0]);
  expect(planDisk(aClaim('data-db-0'), aClass(only('c')), NODES)).toMatchObject({zone: 'c'});
});

test.each([
  ['another zone than the class allows', aClaim('x', {...MARK, ...CHOSEN}), only('a'), 'is not in allowed topologies'],
  [
    'a node that is gone',
    aClaim('x', {...MARK, 'volume.kubernetes.io/selected-node': 'gone'}),
    {},
    'error getting selected node "gone"',
  ],
  ['a selector', aClaim('x', MARK, {selector: {}}), {}, 'claim Selector is not supported'],
  ['many writers', aClaim('x', MARK, {accessModes: ['ReadWriteMany']}), {}, 'code = InvalidArgument'],
])('no disk: %s', (_what, claim, more, words) => {
  expect(planDisk(claim, aClass(more), NODES)).toEqual({error: expect.stringContaining(words)});
});

test.each([
  ['Delete', 'Bound', [], false, 'hold'],
  ['Delete', 'Bound', [DISK_FINALIZER], false, undefined],
  ['Delete', 'Released', [DISK_FINALIZER], false, 'remove'],
  ['Delete', 'Released', [DISK_FINALIZER], true, 'remove'],
  ['Delete', 'Released', [], true, undefined],
  ['Retain', 'Bound', [DISK_FINALIZER], false, 'let-go'],
  ['Retain', 'Released', [], false, undefined],
])('policy %s, phase %s, finalizers %j, going %s: %s', (policy, phase, finalizers, going, care) => {
  const volume = {
    metadata: {
      name: 'pv',
      annotations: {'pv.kubernetes.io/provisioned-by': DISK_DRIVER},
      finalizers,
      ...(going ? {deletionTimestamp: 'now'} : {}),
    },
    spec: {persistentVolumeReclaimPolicy: policy},
    status: {phase},
  } as unknown as PersistentVolume;
  expect(planCare(volume)).toBe(care);
});
