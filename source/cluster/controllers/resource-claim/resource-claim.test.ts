import {expect, test} from 'vitest';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {ResourceClaim} from '../../../api/kinds/resource-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, events} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function aPod(api: FakeApi, name: string, entry: object): AnyObject {
  const spec = {nodeName: 'node-1', containers: [], resourceClaims: [{name: 'gpu', ...entry}]};
  return api.create({apiVersion: 'v1', kind: 'Pod', metadata: {name, namespace: 'default'}, spec});
}

function aTemplate(api: FakeApi): void {
  const spec = {
    metadata: {labels: {of: 'template'}},
    spec: {devices: {requests: [{name: 'gpu', exactly: {deviceClassName: 'x'}}]}},
  };
  api.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: {name: 'any', namespace: 'default'},
    spec,
  });
}

test('a pod that names a template gets a claim of its own, once the template is there', () => {
  const api = aCluster(['node-1']);
  const pod = aPod(api, 'one', {resourceClaimTemplateName: 'any'});
  api.run(100);
  expect(events(api, 'Pod')).toEqual([
    'FailedResourceClaimCreation PodResourceClaim gpu: resource claim template "any": resourceclaimtemplate.resource.k8s.io "any" not found',
  ]);
  aTemplate(api);
  api.run(1000);
  const [claim] = api.all<ResourceClaim>('resourceclaims');
  expect(claim).toMatchObject({
    metadata: {
      labels: {of: 'template'},
      annotations: {'resource.kubernetes.io/pod-claim-name': 'gpu'},
      ownerReferences: [{kind: 'Pod', name: 'one', uid: pod.metadata.uid, controller: true}],
    },
    spec: {devices: {requests: [{name: 'gpu'}]}},
  });
  expect(claim?.metadata.name).toMatch(/^one-gpu-/);
  expect(api.get<Pod>('pods', 'default/one')?.status?.resourceClaimStatuses).toEqual([
    {name: 'gpu', resourceClaimName: claim?.metadata.name},
  ]);
  expect(api.all('resourceclaims')).toHaveLength(1);
});

test('devices go back when the last pod is done, and the claim of a pod goes with it', () => {
  const api = aCluster(['node-1']);
  const uids = ['one', 'two'].map(name => aPod(api, name, {resourceClaimName: 'shared'}).metadata.uid);
  const results = [{request: 'gpu', driver: 'd', pool: 'p', device: 'x'}];
  const reservedFor = uids.map((uid, n) => ({resource: 'pods', name: ['one', 'two'][n], uid}));
  api.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {name: 'shared', namespace: 'default', finalizers: ['resource.kubernetes.io/delete-protection']},
    spec: {},
    status: {allocation: {devices: {results}}, reservedFor},
  });
  const shared = () => api.get<ResourceClaim>('resourceclaims', 'default/shared');
  api.run(500);
  expect(shared()?.status?.reservedFor).toHaveLength(2);
  api.patch('pods', 'default/one', pod => ({...pod, status: {phase: 'Succeeded'}}) as AnyObject);
  api.run(500);
  expect(shared()?.status).toEqual({allocation: {devices: {results}}, reservedFor: [reservedFor[1]]});
  api.remove('pods', 'default/two', {gracePeriodSeconds: 0});
  api.run(500);
  expect(shared()?.status).toEqual({});
  expect(shared()?.metadata.finalizers).toEqual([]);
});

test('a pod that was bound by hand gets its claim reserved, when that has devices and room for it', () => {
  const api = aCluster(['node-1']);
  const {uid} = aPod(api, 'one', {resourceClaimName: 'mine'}).metadata;
  const claim = (name: string, status: object) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {name, namespace: 'default'},
    spec: {},
    status,
  });
  const mine = () => api.get<ResourceClaim>('resourceclaims', 'default/mine')?.status?.reservedFor;
  api.create(claim('mine', {}));
  api.run(500);
  expect(mine()).toBeUndefined();
  api.patch('resourceclaims', 'default/mine', each => ({...each, status: {allocation: {devices: {results: []}}}}) as AnyObject);
  api.patch('pods', 'default/one', pod => ({...pod, metadata: {...pod.metadata, labels: {looked: 'at'}}}));
  api.run(500);
  expect(mine()).toEqual([{resource: 'pods', name: 'one', uid}]);
});

test('a claim that is to go and that no pod ever used goes', () => {
  const api = aCluster(['node-1']);
  api.create({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {name: 'unused', namespace: 'default', finalizers: ['resource.kubernetes.io/delete-protection']},
    spec: {},
    status: {allocation: {devices: {results: []}}},
  });
  api.run(500);
  expect(api.all('resourceclaims')).toHaveLength(1);
  api.remove('resourceclaims', 'default/unused', {});
  api.run(500);
  expect(api.all('resourceclaims')).toEqual([]);
});
