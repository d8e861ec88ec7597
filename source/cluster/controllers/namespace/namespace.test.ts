import {expect, test} from 'vitest';
import type {Namespace} from '../../../api/kinds/core-v1.ts';
import {aCluster, aDeployment, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function conditions(api: FakeApi): readonly string[] {
  const status = api.get<Namespace>('namespaces', 'shop')?.status;
  return (status?.conditions ?? []).map(each => `${each.type}=${each.status} ${each.reason}: ${each.message}`);
}

function aShop(): FakeApi {
  const api = aCluster();
  api.create({apiVersion: 'v1', kind: 'Namespace', metadata: {name: 'shop'}});
  api.run(1000);
  return api;
}

test('a new namespace gets an account and the CA, and gets them back', () => {
  const api = aShop();
  const isThere = () => [api.get('serviceaccounts', 'shop/default'), api.get('configmaps', 'shop/kube-root-ca.crt')].map(Boolean);
  expect(isThere()).toEqual([true, true]);
  expect(api.get('configmaps', 'shop/kube-root-ca.crt')).toMatchObject({data: {'ca.crt': 'PEM'}});
  api.remove('serviceaccounts', 'shop/default');
  api.remove('configmaps', 'shop/kube-root-ca.crt');
  api.run(500);
  expect(isThere()).toEqual([true, true]);
  api.patch('configmaps', 'shop/kube-root-ca.crt', object => ({...object, data: {'ca.crt': 'mine now'}}));
  api.run(500);
  expect(api.get('configmaps', 'shop/kube-root-ca.crt')).toMatchObject({data: {'ca.crt': 'PEM'}});
});

test('a deleted namespace takes its content along', () => {
  const api = aShop();
  api.create({...(aDeployment('web') as object), metadata: {name: 'web', namespace: 'shop'}});
  settle(api);
  api.remove('namespaces', 'shop');
  settle(api, 20_000);
  expect(api.get('namespaces', 'shop')).toBeUndefined();
  expect(api.all('pods')).toEqual([]);
  expect(api.all('configmaps').filter(each => each.metadata.namespace === 'shop')).toEqual([]);
});

test('pods go first, then all else; what is held is told of', () => {
  const api = aShop();
  const held = (name: string) => ({name, namespace: 'shop', finalizers: ['example.com/hold']});
  api.create({apiVersion: 'v1', kind: 'ConfigMap', metadata: held('stuck')});
  api.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: held('anchor'),
    spec: {containers: [], terminationGracePeriodSeconds: 30},
  });
  api.create({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'plain', namespace: 'shop'}});
  api.remove('namespaces', 'shop');
  api.run(6000);
  expect(conditions(api)).toEqual([
    'NamespaceDeletionDiscoveryFailure=False ResourcesDiscovered: All resources successfully discovered',
    'NamespaceDeletionGroupVersionParsingFailure=False ParsedGroupVersions: All legacy kube types successfully parsed',
    'NamespaceDeletionContentFailure=False ContentDeleted: All content successfully deleted, may be waiting on finalization',
    'NamespaceContentRemaining=False ContentRemoved: All content successfully removed',
    'NamespaceFinalizersRemaining=False ContentHasNoFinalizers: All content-preserving finalizers finished',
  ]);
  expect(api.get('configmaps', 'shop/plain')).toBeDefined();
  api.patch('pods', 'shop/anchor', object => ({...object, metadata: {...object.metadata, finalizers: []}}));
  api.run(60_000);
  expect(conditions(api).slice(3)).toEqual([
    'NamespaceContentRemaining=True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
    'NamespaceFinalizersRemaining=True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
  ]);
  expect(api.get('configmaps', 'shop/plain')).toBeUndefined();
  api.patch('configmaps', 'shop/stuck', object => ({...object, metadata: {...object.metadata, finalizers: []}}));
  api.run(20_000);
  expect(api.get('namespaces', 'shop')).toBeUndefined();
});

test('an extension server that does not answer holds up the end', () => {
  const api = aShop();
  const isAvailable = (status: string) => ({conditions: [{type: 'Available', status, reason: 'x', message: ''}]});
  api.create({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {name: 'v1beta1.metrics.k8s.io'},
    spec: {group: 'metrics.k8s.io', version: 'v1beta1', service: {name: 'metrics-server', namespace: 'kube-system'}},
    status: isAvailable('False'),
  });
  api.remove('namespaces', 'shop');
  api.run(20_000);
  expect(conditions(api)[0]).toBe(
    'NamespaceDeletionDiscoveryFailure=True DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
  );
  api.patch('apiservices', 'v1beta1.metrics.k8s.io', object => ({...object, status: isAvailable('True')}));
  api.run(60_000);
  expect(api.get('namespaces', 'shop')).toBeUndefined();
});
