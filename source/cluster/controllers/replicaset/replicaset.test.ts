import {expect, test} from 'vitest';
import type {ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {forbidden} from '../../../api/meta/status.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {aCluster, events, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {slowStart} from '../pod-control.ts';

function aSet(replicas: number): unknown {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {name: 'crew', namespace: 'default'},
    spec: {
      replicas,
      selector: {matchLabels: {app: 'crew'}},
      template: {metadata: {labels: {app: 'crew'}}, spec: {containers: [{name: 'c', image: 'nginx'}]}},
    },
  };
}

function aBarePod(name: string, app = 'crew'): unknown {
  const metadata = {name, namespace: 'default', labels: {app}};
  return {apiVersion: 'v1', kind: 'Pod', metadata, spec: {containers: [{name: 'c', image: 'nginx'}]}};
}

function owners(api: FakeApi): Record<string, string> {
  return Object.fromEntries(
    api.all<Pod>('pods').map(pod => [pod.metadata.name, pod.metadata.ownerReferences?.map(each => each.name).join() ?? '']),
  );
}

function scale(api: FakeApi, replicas: number): void {
  api.patch('replicasets', 'default/crew', object => ({
    ...object,
    metadata: {...object.metadata, generation: (object.metadata.generation ?? 1) + 1},
    spec: {...(object.spec as object), replicas},
  }));
}

test('creates come in batches that double', () => {
  expect(slowStart(0)).toEqual([]);
  expect(slowStart(1)).toEqual([1]);
  expect(slowStart(10)).toEqual([1, 2, 4, 3]);
});

test('bare pods that fit are adopted, a surplus one goes, one that no longer fits is released and replaced', () => {
  const api = aCluster();
  for (const name of ['old-1', 'old-2']) api.create(aBarePod(name));
  api.create(aBarePod('stranger', 'other'));
  settle(api);
  api.create(aSet(2));
  settle(api);
  expect(owners(api)).toEqual({'old-1': 'crew', 'old-2': 'crew', stranger: ''});
  api.create(aBarePod('surplus'));
  api.run(500);
  expect(Object.keys(owners(api))).toEqual(['old-1', 'old-2', 'stranger']);
  expect(events(api, 'ReplicaSet')).toEqual(['SuccessfulDelete Deleted pod: surplus']);
  api.patch('pods', 'default/old-1', object => ({...object, metadata: {...object.metadata, labels: {app: 'quarantine'}}}));
  settle(api);
  expect(owners(api)).toMatchObject({'old-1': '', 'old-2': 'crew'});
  expect(api.all('pods')).toHaveLength(4);
  expect(api.get<ReplicaSet>('replicasets', 'default/crew')?.status).toMatchObject({
    replicas: 2,
    readyReplicas: 2,
    fullyLabeledReplicas: 2,
  });
});

test('a pod that was deleted is counted as terminating, and replaced at once', () => {
  const api = aCluster();
  api.create(aSet(2));
  settle(api);
  const [pod] = api.all<Pod>('pods');
  api.remove('pods', `default/${pod?.metadata.name}`);
  api.run(1000);
  expect(api.all('pods')).toHaveLength(3);
  expect(api.get<ReplicaSet>('replicasets', 'default/crew')?.status).toMatchObject({replicas: 2, terminatingReplicas: 1});
  settle(api);
  expect(api.get<ReplicaSet>('replicasets', 'default/crew')?.status).toMatchObject({
    replicas: 2,
    readyReplicas: 2,
    terminatingReplicas: 0,
  });
});

test('creates that are refused are told of, tried again, and leave a condition that goes with its cause', () => {
  const api = aCluster();
  const why = forbidden(builtin('pods'), 'crew-x', 'exceeded quota: team');
  api.intercept = request => (request.method === 'POST' && request.path.endsWith('/pods') ? {status: 403, body: why} : undefined);
  api.create(aSet(3));
  api.run(200);
  const text = 'pods "crew-x" is forbidden: exceeded quota: team';
  expect(new Set(events(api, 'ReplicaSet'))).toEqual(new Set([`FailedCreate Error creating: ${text}`]));
  const status = () => api.get<ReplicaSet>('replicasets', 'default/crew')?.status;
  expect(status()?.conditions).toMatchObject([{type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: text}]);
  api.intercept = undefined;
  settle(api, 4000);
  expect(status()).toMatchObject({replicas: 3});
  expect(status()).not.toHaveProperty('conditions');
});

test('ready pods become available when they were ready for long enough', () => {
  const api = aCluster();
  const set = aSet(1) as {spec: object};
  api.create({...set, spec: {...set.spec, minReadySeconds: 10}});
  settle(api, 3000);
  const status = () => api.get<ReplicaSet>('replicasets', 'default/crew')?.status;
  expect(status()).toMatchObject({readyReplicas: 1});
  expect(status()).not.toHaveProperty('availableReplicas');
  api.run(10_000);
  expect(status()).toMatchObject({availableReplicas: 1});
});

test('scaling down takes as many pods as there are too many', () => {
  const api = aCluster();
  api.create(aSet(5));
  settle(api);
  scale(api, 2);
  settle(api);
  expect(api.all('pods')).toHaveLength(2);
  expect(events(api, 'ReplicaSet').filter(text => text.startsWith('SuccessfulDelete'))).toHaveLength(3);
});
