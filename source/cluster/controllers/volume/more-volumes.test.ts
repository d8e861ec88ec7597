// Growing claims, the claims of a pod's own volumes, and classes of attributes that are in use.
import {expect, test} from 'vitest';
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, events} from '../testing/cluster.ts';

const claim = (name: string, more: object = {}, annotations: object = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {name, namespace: 'default', annotations},
  spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '5Gi'}}, storageClassName: 'x', ...more},
});

test('a bound claim that asks for more waits for somebody outside', () => {
  const api = aCluster();
  api.create(claim('data'));
  const status = {phase: 'Bound', capacity: {storage: '5Gi'}};
  api.patch('persistentvolumeclaims', 'default/data', old => ({...old, status}) as unknown as AnyObject);
  api.run(500);
  const told = () => events(api, 'PersistentVolumeClaim').filter(text => text.startsWith('ExternalExpanding'));
  expect(told()).toEqual([]);
  const spec = {...claim('data').spec, resources: {requests: {storage: '6Gi'}}};
  api.patch('persistentvolumeclaims', 'default/data', old => ({...old, status, spec}) as unknown as AnyObject);
  api.run(500);
  expect(told()).toEqual(['ExternalExpanding waiting for an external controller to expand this PVC']);
});

test('a pod’s own volume gets a claim that goes with the pod; somebody else’s claim of that name is left alone', () => {
  const api = aCluster();
  const template = {metadata: {labels: {for: 'scratch'}}, spec: {storageClassName: 'x', resources: {requests: {storage: '1Gi'}}}};
  const aPod = (name: string) =>
    api.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {name, namespace: 'default'},
      spec: {containers: [], volumes: [{name: 'tmp', ephemeral: {volumeClaimTemplate: template}}]},
    });
  const pod = aPod('one');
  api.create(claim('two-tmp'));
  aPod('two');
  api.run(500);
  expect(api.get<PersistentVolumeClaim>('persistentvolumeclaims', 'default/one-tmp')).toMatchObject({
    metadata: {labels: {for: 'scratch'}, ownerReferences: [{kind: 'Pod', name: 'one', uid: pod.metadata.uid, controller: true}]},
    spec: template.spec,
  });
  expect(events(api, 'Pod')).toEqual([
    'FailedBinding ephemeral volume tmp: PVC default/two-tmp was not created for pod default/two (pod is not owner)',
  ]);
  api.remove('pods', 'default/one');
  api.run(2000);
  expect(api.get('persistentvolumeclaims', 'default/one-tmp')).toBeUndefined();
});

test('a class of attributes stays as long as a claim names it', () => {
  const api = aCluster();
  const metadata = {name: 'gold', finalizers: ['kubernetes.io/vac-protection']};
  api.create({apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttributesClass', metadata, driverName: 'x'});
  api.create(claim('data', {volumeAttributesClassName: 'gold'}));
  api.run(500);
  api.remove('volumeattributesclasses', 'gold');
  api.run(500);
  expect(api.get('volumeattributesclasses', 'gold')).toBeDefined();
  api.remove('persistentvolumeclaims', 'default/data');
  api.run(500);
  expect(api.get('volumeattributesclasses', 'gold')).toBeUndefined();
});
