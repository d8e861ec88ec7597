import {expect, test} from 'vitest';
import type {ControllerRevision, StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import {aCluster, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function template(image: string, more: object = {}) {
  return {metadata: {labels: {app: 'db'}}, spec: {containers: [{name: 'pg', image}], ...more}};
}

function aSet(spec: object = {}): unknown {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {name: 'db', namespace: 'default'},
    spec: {
      replicas: 3,
      serviceName: 'db',
      revisionHistoryLimit: 10,
      podManagementPolicy: 'OrderedReady',
      selector: {matchLabels: {app: 'db'}},
      updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}},
      template: template('a'),
      ...spec,
    },
  };
}

function change(api: FakeApi, spec: object): void {
  api.patch('statefulsets', 'default/db', object => {
    const generation = (object.metadata.generation ?? 1) + 1;
    return {...object, metadata: {...object.metadata, generation}, spec: {...(object.spec as object), ...spec}};
  });
}

const fits = (pod: Pod) => pod.spec.nodeSelector === undefined;
const live = (api: FakeApi, ms = 4000) => settle(api, ms, fits);
const images = (api: FakeApi) => api.all<Pod>('pods').map(pod => `${pod.metadata.name} ${pod.spec.containers[0]?.image}`);
const status = (api: FakeApi) => api.get<StatefulSet>('statefulsets', 'default/db')?.status;

test('the first pod that cannot run holds up the rest', () => {
  const api = aCluster();
  api.create(aSet({template: template('a', {nodeSelector: {disk: 'ssd'}})}));
  live(api);
  expect(images(api)).toEqual(['db-0 a']);
  const revision = api.all('controllerrevisions')[0]?.metadata.name;
  expect(status(api)).toEqual({
    replicas: 1,
    availableReplicas: 0,
    currentReplicas: 1,
    updatedReplicas: 1,
    collisionCount: 0,
    observedGeneration: 1,
    currentRevision: revision,
    updateRevision: revision,
  });
});

test('pods come in order, know who they are, and go in reverse order', () => {
  const api = aCluster();
  api.create(aSet());
  live(api);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a', 'db-2 a']);
  const pod = api.get<Pod>('pods', 'default/db-1');
  expect(pod?.metadata).toMatchObject({
    generateName: 'db-',
    labels: {
      app: 'db',
      'statefulset.kubernetes.io/pod-name': 'db-1',
      'apps.kubernetes.io/pod-index': '1',
      'controller-revision-hash': status(api)?.currentRevision,
    },
  });
  expect(pod?.spec).toMatchObject({hostname: 'db-1', subdomain: 'db'});
  change(api, {replicas: 1});
  live(api);
  expect(images(api)).toEqual(['db-0 a']);
  expect(events(api, 'StatefulSet')).toEqual([
    'SuccessfulCreate Create Pod db-0 in StatefulSet db successful',
    'SuccessfulCreate Create Pod db-1 in StatefulSet db successful',
    'SuccessfulCreate Create Pod db-2 in StatefulSet db successful',
    'SuccessfulDelete Delete Pod db-2 in StatefulSet db successful',
    'SuccessfulDelete Delete Pod db-1 in StatefulSet db successful',
  ]);
});

test('a deleted pod comes back under its name, once it is gone', () => {
  const api = aCluster();
  api.create(aSet());
  live(api);
  const before = api.get('pods', 'default/db-1')?.metadata.uid;
  api.remove('pods', 'default/db-1');
  api.run(1000);
  expect(api.get('pods', 'default/db-1')?.metadata.uid).toBe(before);
  live(api);
  expect(api.get('pods', 'default/db-1')?.metadata.uid).not.toBe(before);
  expect(status(api)).toMatchObject({readyReplicas: 3});
});

test('an update goes from the top down to the partition', () => {
  const api = aCluster();
  api.create(aSet({updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 2}}}));
  live(api);
  change(api, {template: template('b')});
  live(api);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a', 'db-2 b']);
  expect(status(api)).toMatchObject({replicas: 3, readyReplicas: 3, currentReplicas: 2, updatedReplicas: 1});
  change(api, {updateStrategy: {type: 'RollingUpdate', rollingUpdate: {partition: 0}}});
  live(api, 8000);
  expect(images(api)).toEqual(['db-0 b', 'db-1 b', 'db-2 b']);
  expect(status(api)).toMatchObject({currentReplicas: 3, updatedReplicas: 3});
  expect(status(api)?.currentRevision).toBe(status(api)?.updateRevision);
});

test('a bad revision stays after the undo, until somebody deletes its pod', () => {
  const api = aCluster();
  api.create(aSet());
  live(api);
  change(api, {template: template('b')});
  live(api, 8000);
  change(api, {template: template('b', {nodeSelector: {disk: 'none'}})});
  live(api);
  expect(status(api)).toMatchObject({replicas: 3, readyReplicas: 2, currentReplicas: 2, updatedReplicas: 1});
  change(api, {template: template('b')});
  live(api);
  expect(
    api
      .all<ControllerRevision>('controllerrevisions')
      .map(each => each.revision)
      .toSorted((a, b) => a - b),
  ).toEqual([1, 3, 4]);
  expect(api.get<Pod>('pods', 'default/db-2')?.spec.nodeSelector).toEqual({disk: 'none'});
  api.remove('pods', 'default/db-2');
  live(api);
  expect(status(api)).toMatchObject({readyReplicas: 3, updatedReplicas: 3});
});

test('with OnDelete only deleted pods are new', () => {
  const api = aCluster();
  api.create(aSet({updateStrategy: {type: 'OnDelete'}}));
  live(api);
  change(api, {template: template('b')});
  live(api);
  expect(status(api)).not.toHaveProperty('updatedReplicas');
  api.remove('pods', 'default/db-1');
  live(api);
  expect(images(api)).toEqual(['db-0 a', 'db-1 b', 'db-2 a']);
  expect(status(api)).toMatchObject({updatedReplicas: 1, readyReplicas: 3});
});

test('in parallel nobody waits', () => {
  const api = aCluster();
  api.create(aSet({podManagementPolicy: 'Parallel', template: template('a', {nodeSelector: {disk: 'none'}})}));
  live(api);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a', 'db-2 a']);
});

test('claims are made before pods, stay, and go where the policy says so', () => {
  const api = aCluster();
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {name: 'data', labels: {part: 'disk'}},
    spec: {accessModes: ['ReadWriteOnce']},
  };
  api.create(aSet({replicas: 2, volumeClaimTemplates: [claim]}));
  live(api);
  const claims = () => api.all<PersistentVolumeClaim>('persistentvolumeclaims').map(each => each.metadata.name);
  expect(claims()).toEqual(['data-db-0', 'data-db-1']);
  expect(api.get('persistentvolumeclaims', 'default/data-db-0')?.metadata.labels).toEqual({app: 'db', part: 'disk'});
  expect(api.get<Pod>('pods', 'default/db-1')?.spec.volumes).toEqual([
    {name: 'data', persistentVolumeClaim: {claimName: 'data-db-1'}},
  ]);
  expect(events(api, 'StatefulSet').slice(0, 2)).toEqual([
    'SuccessfulCreate Create Claim data-db-0 Pod db-0 in StatefulSet db success',
    'SuccessfulCreate Create Pod db-0 in StatefulSet db successful',
  ]);
  change(api, {replicas: 1});
  live(api);
  expect(claims()).toEqual(['data-db-0', 'data-db-1']);
  change(api, {replicas: 2, persistentVolumeClaimRetentionPolicy: {whenScaled: 'Delete', whenDeleted: 'Delete'}});
  live(api);
  expect(api.get('persistentvolumeclaims', 'default/data-db-1')?.metadata.ownerReferences).toMatchObject([
    {kind: 'StatefulSet', name: 'db', controller: true},
  ]);
  change(api, {replicas: 1});
  live(api);
  expect(claims()).toEqual(['data-db-0']);
  api.remove('statefulsets', 'default/db');
  live(api);
  expect([...claims(), ...images(api)]).toEqual([]);
});

const podNow = (api: FakeApi, name: string, status: object) =>
  api.patch('pods', `default/${name}`, object => ({...object, status: {...(object.status as object), ...status}}));

test('in parallel a pod that ended, and takes long to go, holds up nobody', () => {
  const api = aCluster();
  api.create(aSet({podManagementPolicy: 'Parallel'}));
  live(api);
  api.patch('pods', 'default/db-0', object => ({...object, metadata: {...object.metadata, finalizers: ['a.com/b']}}));
  podNow(api, 'db-0', {phase: 'Failed'});
  change(api, {replicas: 4});
  api.run(1000);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a', 'db-2 a', 'db-3 a']);
  expect(api.get('pods', 'default/db-0')?.metadata.deletionTimestamp).toBeDefined();
});

test('a member that lost the label with its name gets it back, and keeps what else it has', () => {
  const api = aCluster();
  api.create(aSet({replicas: 1}));
  live(api);
  api.patch('pods', 'default/db-0', object => {
    const {'statefulset.kubernetes.io/pod-name': _, ...labels} = object.metadata.labels as Record<string, string>;
    return {...object, metadata: {...object.metadata, labels: {...labels, role: 'primary'}}};
  });
  api.run(500);
  expect(api.get('pods', 'default/db-0')?.metadata.labels).toMatchObject({
    'statefulset.kubernetes.io/pod-name': 'db-0',
    role: 'primary',
  });
  expect(events(api, 'StatefulSet').at(-1)).toBe('SuccessfulUpdate Update Pod db-0 in StatefulSet db successful');
});

test('a new pod waits until the claim of the one before it is gone', () => {
  const api = aCluster();
  const claim = {apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: {name: 'data'}, spec: {}};
  const persistentVolumeClaimRetentionPolicy = {whenScaled: 'Delete', whenDeleted: 'Retain'};
  api.create(aSet({replicas: 2, volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy}));
  live(api);
  const before = api.get('persistentvolumeclaims', 'default/data-db-1')?.metadata.uid;
  change(api, {replicas: 1});
  api.run(1000);
  change(api, {replicas: 2});
  live(api);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a']);
  expect(api.get('persistentvolumeclaims', 'default/data-db-1')?.metadata.uid).not.toBe(before);
});

test('an update waits until the pod that is new has been ready long enough, in parallel too', () => {
  const api = aCluster();
  api.create(aSet({podManagementPolicy: 'Parallel', minReadySeconds: 10}));
  live(api, 12_000);
  change(api, {template: template('b')});
  live(api, 5000);
  expect(images(api)).toEqual(['db-0 a', 'db-1 a', 'db-2 b']);
  live(api, 30_000);
  expect(images(api)).toEqual(['db-0 b', 'db-1 b', 'db-2 b']);
});
