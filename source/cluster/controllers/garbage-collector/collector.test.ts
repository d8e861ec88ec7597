import {expect, test} from 'vitest';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, aDeployment, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function aMap(api: FakeApi, name: string, owners: readonly (AnyObject | undefined)[] = [], more: object = {}): AnyObject {
  const ownerReferences = owners.map(owner => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: owner?.metadata.name,
    uid: owner?.metadata.uid,
    blockOwnerDeletion: true,
  }));
  const metadata = {name, namespace: 'default', ...(owners.length > 0 ? {ownerReferences} : {}), ...more};
  return api.create({apiVersion: 'v1', kind: 'ConfigMap', metadata});
}

function maps(api: FakeApi): readonly string[] {
  return api
    .all('configmaps')
    .filter(each => each.metadata.namespace === 'default')
    .map(each => each.metadata.name)
    .filter(name => !name.startsWith('kube'));
}

test('what is owned goes after its owner, and what that owned after it', () => {
  const api = aCluster();
  const back = aMap(api, 'back');
  const child = aMap(api, 'child', [back]);
  aMap(api, 'grandchild', [child]);
  api.run(500);
  api.remove('configmaps', 'default/back');
  api.run(500);
  expect(maps(api)).toEqual([]);
});

test('orphans stay, without their owner', () => {
  const api = aCluster();
  aMap(api, 'child', [aMap(api, 'orph')]);
  api.run(500);
  api.remove('configmaps', 'default/orph', {propagationPolicy: 'Orphan'});
  api.run(500);
  expect(maps(api)).toEqual(['child']);
  expect(api.get('configmaps', 'default/child')?.metadata.ownerReferences).toEqual([]);
});

test('in the foreground the owner waits for a dependent that is held', () => {
  const api = aCluster();
  aMap(api, 'held', [aMap(api, 'fore')], {finalizers: ['example.com/hold']});
  api.run(500);
  api.remove('configmaps', 'default/fore', {propagationPolicy: 'Foreground'});
  api.run(2000);
  expect(maps(api)).toEqual(['fore', 'held']);
  expect(api.get('configmaps', 'default/held')?.metadata.deletionTimestamp).toBeDefined();
  api.patch('configmaps', 'default/held', object => ({...object, metadata: {...object.metadata, finalizers: []}}));
  api.run(500);
  expect(maps(api)).toEqual([]);
});

test('one of two owners is enough', () => {
  const api = aCluster();
  const left = aMap(api, 'left');
  aMap(api, 'child', [left, aMap(api, 'right')]);
  api.run(500);
  api.remove('configmaps', 'default/right');
  api.run(500);
  expect(api.get('configmaps', 'default/child')?.metadata.ownerReferences?.map(each => each.name)).toEqual(['left']);
});

test('an owner that never was counts as gone', () => {
  const api = aCluster();
  const ghost = {metadata: {name: 'ghost', uid: 'nobody'}} as AnyObject;
  aMap(api, 'dangling', [ghost]);
  api.run(500);
  expect(maps(api)).toEqual([]);
});

test('an owner in another namespace is told of, and counts as gone', () => {
  const api = aCluster();
  const left = aMap(api, 'left');
  api.run(500);
  aMap(api, 'alien', [left], {namespace: 'kube-system'});
  api.run(500);
  expect(api.get('configmaps', 'kube-system/alien')).toBeUndefined();
  expect(maps(api)).toEqual(['left']);
  const uid = left.metadata.uid;
  expect(events(api, 'ConfigMap')).toEqual([
    `OwnerRefInvalidNamespace ownerRef [v1/ConfigMap, namespace: kube-system, name: left, uid: ${uid}] does not exist in namespace "kube-system"`,
  ]);
});

test('a Deployment takes its sets and pods along, in the background and in the foreground', () => {
  for (const propagationPolicy of ['Background', 'Foreground']) {
    const api = aCluster();
    api.create(aDeployment('web'));
    settle(api);
    api.remove('deployments', 'default/web', {propagationPolicy});
    settle(api);
    expect([...api.all('deployments'), ...api.all('replicasets'), ...api.all('pods')]).toEqual([]);
  }
});

test('a quiet cluster writes nothing but leases', () => {
  const api = aCluster();
  api.create(aDeployment('web'));
  settle(api);
  api.run(40_000);
  const before = api.writes.length;
  const count = api.clock.count;
  api.run(8000);
  expect(api.writes.slice(before).filter(text => !text.includes('leases'))).toEqual([]);
  expect(api.clock.count - count).toBeLessThan(200);
});
