import {expect, test} from 'vitest';
import type {ResourceQuota} from '../../../api/kinds/core-v1.ts';
import {aCluster} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function aQuota(api: FakeApi, hard: Readonly<Record<string, string>>, more: object = {}): void {
  api.create({apiVersion: 'v1', kind: 'ResourceQuota', metadata: {name: 'team', namespace: 'default'}, spec: {hard, ...more}});
}

function aPod(api: FakeApi, name: string, resources: object): void {
  const metadata = {name, namespace: 'default'};
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {containers: [{name: 'c', resources}]}});
}

const used = (api: FakeApi) => api.get<ResourceQuota>('resourcequotas', 'default/team')?.status?.used;

test('pods are counted by what they ask for, until they end', () => {
  const api = aCluster();
  aPod(api, 'a', {requests: {cpu: '600m', memory: '1Gi'}, limits: {memory: '1Gi'}});
  aPod(api, 'b', {requests: {cpu: '600m', memory: '512Mi'}, limits: {memory: '512Mi'}});
  aQuota(api, {pods: '6', 'requests.cpu': '2', 'requests.memory': '4Gi', 'limits.memory': '4Gi', 'count/jobs.batch': '1'});
  api.run(1000);
  expect(used(api)).toEqual({
    pods: '2',
    'requests.cpu': '1200m',
    'requests.memory': '1536Mi',
    'limits.memory': '1536Mi',
    'count/jobs.batch': '0',
  });
  api.patch('pods', 'default/a', object => ({...object, status: {phase: 'Succeeded'}}));
  api.run(1000);
  expect(used(api)).toMatchObject({pods: '1', 'requests.cpu': '600m'});
  api.remove('pods', 'default/b');
  api.run(1000);
  expect(used(api)).toEqual({
    pods: '0',
    'requests.cpu': '0',
    'requests.memory': '0',
    'limits.memory': '0',
    'count/jobs.batch': '0',
  });
});

test('objects are counted by number, Services by their ports, claims by their size', () => {
  const api = aCluster();
  const place = {name: 'x', namespace: 'default'};
  api.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: place,
    spec: {type: 'LoadBalancer', ports: [{port: 80}, {port: 443}]},
  });
  const claim = {resources: {requests: {storage: '3Gi'}}, storageClassName: 'fast'};
  api.create({apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: place, spec: claim});
  aQuota(api, {
    services: '9',
    'services.nodeports': '9',
    'services.loadbalancers': '9',
    configmaps: '9',
    persistentvolumeclaims: '9',
    'requests.storage': '9Gi',
    'fast.storageclass.storage.k8s.io/requests.storage': '9Gi',
  });
  api.run(1000);
  expect(used(api)).toEqual({
    services: '1',
    'services.nodeports': '2',
    'services.loadbalancers': '1',
    configmaps: '1',
    persistentvolumeclaims: '1',
    'requests.storage': '3Gi',
    'fast.storageclass.storage.k8s.io/requests.storage': '3Gi',
  });
});

test('a quota with a scope counts the pods in it', () => {
  const api = aCluster();
  aPod(api, 'plain', {});
  aPod(api, 'asking', {requests: {cpu: '1'}});
  aQuota(api, {pods: '5'}, {scopes: ['BestEffort']});
  api.run(1000);
  expect(used(api)).toEqual({pods: '1'});
});

test('a new quota is counted at once, a change of what it counts a moment later', () => {
  const api = aCluster();
  aQuota(api, {pods: '1'});
  api.run(20);
  expect(used(api)).toEqual({pods: '0'});
});
