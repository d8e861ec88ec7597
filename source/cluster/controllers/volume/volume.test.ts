import {expect, test} from 'vitest';
import type {PersistentVolume, PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {bestVolume} from '../../../api/meta/volume-match.ts';
import {aCluster, events} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

interface Traits {
  readonly size?: string;
  readonly modes?: readonly string[];
  readonly class?: string;
  readonly more?: object;
}

function aVolume(
  name: string,
  {size = '1Gi', modes = ['ReadWriteOnce'], class: storageClassName = '', more = {}}: Traits = {},
): PersistentVolume {
  const spec = {
    capacity: {storage: size},
    accessModes: modes,
    storageClassName,
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: {path: '/srv/x'},
    ...more,
  };
  const finalizers = ['kubernetes.io/pv-protection'];
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {name, finalizers},
    spec,
    status: {phase: 'Available'},
  } as unknown as PersistentVolume;
}

function aClaim(
  name: string,
  {size = '1Gi', modes = ['ReadWriteOnce'], class: storageClassName = '', more = {}}: Traits = {},
): PersistentVolumeClaim {
  const spec = {resources: {requests: {storage: size}}, accessModes: modes, storageClassName, ...more};
  const metadata = {name, namespace: 'default', finalizers: ['kubernetes.io/pvc-protection']};
  return {apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec} as unknown as PersistentVolumeClaim;
}

const many = [
  aVolume('pv-5g', {size: '5Gi'}),
  aVolume('pv-7g', {size: '7Gi', modes: ['ReadWriteOnce', 'ReadOnlyMany']}),
  aVolume('pv-15g', {size: '15Gi'}),
  aVolume('pv-10g', {size: '10Gi'}),
  aVolume('pv-20g', {size: '20Gi', modes: ['ReadWriteOnce', 'ReadWriteMany']}),
  aVolume('pv-slow', {size: '8Gi', class: 'slow'}),
];
const choices: readonly {readonly claim: Traits; readonly volume: string | undefined}[] = [
  {claim: {size: '6Gi'}, volume: 'pv-10g'},
  {claim: {size: '1Gi', modes: ['ReadWriteMany']}, volume: 'pv-20g'},
  {claim: {size: '8Gi', class: 'slow'}, volume: 'pv-slow'},
  {claim: {size: '30Gi'}, volume: undefined},
  {claim: {more: {volumeMode: 'Block'}}, volume: undefined},
];
for (const {claim, volume} of choices) {
  test(`${JSON.stringify(claim)} gets ${volume}`, () => {
    expect(bestVolume(aClaim('c', claim), many, false)?.metadata.name).toBe(volume);
    expect(bestVolume(aClaim('c', claim), many, true)).toBeUndefined();
  });
}

const volume = (api: FakeApi, name: string) => api.get<PersistentVolume>('persistentvolumes', name);
const claim = (api: FakeApi, name: string) => api.get<PersistentVolumeClaim>('persistentvolumeclaims', `default/${name}`);

test('a claim and a volume are bound to each other', () => {
  const api = aCluster();
  api.create(aVolume('pv'));
  api.create(aClaim('ledger'));
  api.run(1000);
  expect(volume(api, 'pv')).toMatchObject({
    metadata: {annotations: {'pv.kubernetes.io/bound-by-controller': 'yes'}},
    spec: {
      claimRef: {kind: 'PersistentVolumeClaim', namespace: 'default', name: 'ledger', uid: claim(api, 'ledger')?.metadata.uid},
    },
    status: {phase: 'Bound'},
  });
  expect(claim(api, 'ledger')).toMatchObject({
    metadata: {annotations: {'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes'}},
    spec: {volumeName: 'pv'},
    status: {phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: {storage: '1Gi'}},
  });
});

test('a volume that is reserved by name is taken, without a word of the controller', () => {
  const api = aCluster();
  api.create(aVolume('mine', {size: '9Gi', more: {claimRef: {namespace: 'default', name: 'ledger'}}}));
  api.create(aVolume('smaller'));
  api.create(aClaim('ledger'));
  api.run(1000);
  expect(claim(api, 'ledger')?.spec?.volumeName).toBe('mine');
  expect(volume(api, 'mine')?.metadata.annotations ?? {}).toEqual({});
});

test('what becomes of a volume whose claim is deleted', () => {
  const ends = [
    {policy: {persistentVolumeReclaimPolicy: 'Retain'}, phase: 'Released', told: undefined},
    {policy: {persistentVolumeReclaimPolicy: 'Delete', hostPath: {path: '/tmp/x'}}, phase: undefined, told: undefined},
    {
      policy: {persistentVolumeReclaimPolicy: 'Delete'},
      phase: 'Failed',
      told: 'VolumeFailedDelete host_path deleter only supports /tmp/.+ but received provided /srv/x',
    },
    {
      policy: {persistentVolumeReclaimPolicy: 'Recycle', hostPath: undefined, local: {path: '/srv/x'}},
      phase: 'Failed',
      told: 'VolumeFailedRecycle No recycler plugin found for the volume!',
    },
  ];
  for (const {policy, phase, told} of ends) {
    const api = aCluster();
    api.create(aVolume('pv', {more: policy}));
    api.create(aClaim('ledger'));
    api.run(1000);
    api.remove('persistentvolumeclaims', 'default/ledger');
    api.run(1000);
    expect(claim(api, 'ledger')).toBeUndefined();
    expect(volume(api, 'pv')?.status?.phase).toBe(phase);
    expect(events(api, 'PersistentVolume')).toEqual(told ? [told] : []);
  }
});

test('a claim without a volume says what it waits for', () => {
  const api = aCluster();
  const aClass = (name: string, provisioner: string, volumeBindingMode = 'Immediate') =>
    api.create({apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: {name}, provisioner, volumeBindingMode});
  aClass('ssd', 'disk.example.com');
  aClass('wait', 'disk.example.com', 'WaitForFirstConsumer');
  aClass('manual', 'kubernetes.io/no-provisioner');
  aClass('old', 'kubernetes.io/aws-ebs');
  const told: Record<string, string> = {};
  for (const name of ['', 'ssd', 'wait', 'manual', 'old', 'fast']) {
    api.create(aClaim(`c-${name}`, {class: name}));
    api.run(500);
    told[name] = events(api, 'PersistentVolumeClaim').at(-1) ?? '';
  }
  expect(told).toMatchObject({
    '': 'FailedBinding no persistent volumes available for this claim and no storage class is set',
    wait: 'WaitForFirstConsumer waiting for first consumer to be created before binding',
    manual: 'ProvisioningFailed no volume plugin matched name: kubernetes.io/no-provisioner',
    fast: 'ProvisioningFailed storageclass.storage.k8s.io "fast" not found',
  });
  expect(told['ssd']).toMatch(
    /^ExternalProvisioning Waiting for a volume to be created either by the external provisioner 'disk\.example\.com'/,
  );
  expect(told['old']).toContain("'ebs.csi.aws.com'");
  expect(claim(api, 'c-ssd')?.metadata.annotations).toEqual({
    'volume.beta.kubernetes.io/storage-provisioner': 'disk.example.com',
    'volume.kubernetes.io/storage-provisioner': 'disk.example.com',
  });
});

test('a claim in use, and its volume, stay until nothing holds them', () => {
  const api = aCluster();
  api.create(aVolume('pv'));
  api.create(aClaim('diary'));
  const metadata = {name: 'writer', namespace: 'default'};
  const volumes = [{name: 'd', persistentVolumeClaim: {claimName: 'diary'}}];
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {nodeName: 'node-1', containers: [], volumes}});
  api.run(1000);
  api.remove('persistentvolumeclaims', 'default/diary');
  api.remove('persistentvolumes', 'pv');
  api.run(1000);
  expect([claim(api, 'diary'), volume(api, 'pv')].map(each => each?.metadata.deletionTimestamp !== undefined)).toEqual([
    true,
    true,
  ]);
  api.remove('pods', 'default/writer', {gracePeriodSeconds: 0});
  api.run(1000);
  expect([claim(api, 'diary'), volume(api, 'pv')]).toEqual([undefined, undefined]);
});

test('claims that name no class get the default when there is one', () => {
  const api = aCluster();
  const {storageClassName: _none, ...spec} = aClaim('late').spec as {storageClassName?: string};
  api.create({...aClaim('late'), spec} as unknown as AnyObject);
  api.run(500);
  expect(claim(api, 'late')?.spec?.storageClassName).toBeUndefined();
  const annotations = {'storageclass.kubernetes.io/is-default-class': 'true'};
  api.create({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {name: 'standard', annotations},
    provisioner: 'x.example.com',
  });
  api.run(500);
  expect(claim(api, 'late')?.spec?.storageClassName).toBe('standard');
});

test('a volume is swept by a pod, and is free again; a sweep that fails is told of, and tried again', () => {
  const api = aCluster();
  api.create(aVolume('pv', {more: {persistentVolumeReclaimPolicy: 'Recycle', capacity: {storage: '4Gi'}}}));
  api.create(aClaim('ledger'));
  api.run(1000);
  api.remove('persistentvolumeclaims', 'default/ledger');
  api.run(1000);
  const sweeper = () => api.get<Pod>('pods', 'default/recycler-for-pv');
  const isNow = (phase: string) =>
    api.patch('pods', 'default/recycler-for-pv', object => ({...object, status: {...(object.status as object), phase}}));
  expect(sweeper()?.spec).toMatchObject({activeDeadlineSeconds: 120, volumes: [{name: 'vol', hostPath: {path: '/srv/x'}}]});
  expect(volume(api, 'pv')?.status?.phase).toBe('Released');
  isNow('Failed');
  api.run(1000);
  const why = 'Recycle failed: failed to recycle volume: pod failed, pod.Status.Message unknown';
  expect(volume(api, 'pv')?.status).toMatchObject({phase: 'Failed', message: why});
  api.run(20_000);
  isNow('Succeeded');
  api.run(1000);
  expect(volume(api, 'pv')?.status?.phase).toBe('Available');
  expect(volume(api, 'pv')?.spec?.claimRef).toBeUndefined();
  expect(sweeper()).toBeUndefined();
  expect(events(api, 'PersistentVolume')).toEqual([`VolumeFailedRecycle ${why}`, 'VolumeRecycled Volume recycled']);
});

test('a volume that a pod still uses is not swept', () => {
  const api = aCluster();
  api.create(aVolume('pv', {more: {persistentVolumeReclaimPolicy: 'Recycle'}}));
  api.create(aClaim('ledger'));
  api.run(1000);
  api.remove('persistentvolumeclaims', 'default/ledger');
  const volumes = [{name: 'a', persistentVolumeClaim: {claimName: 'ledger'}}];
  api.create({apiVersion: 'v1', kind: 'Pod', metadata: {name: 'web', namespace: 'default'}, spec: {containers: [], volumes}});
  api.run(1000);
  expect(events(api, 'PersistentVolume')).toEqual(['VolumeFailedRecycle Volume is used by pods: default/web']);
  expect(api.get('pods', 'default/recycler-for-pv')).toBeUndefined();
});
