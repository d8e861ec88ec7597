import {expect, test} from 'vitest';
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {aCluster, aDeployment, events, serveNodes, settle} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';

function sizes(api: FakeApi): readonly string[] {
  return api
    .all<ReplicaSet>('replicasets')
    .map(
      set =>
        `${set.metadata.annotations?.['deployment.kubernetes.io/revision']}: ${set.spec.replicas} ${set.status?.replicas ?? 0}`,
    )
    .toSorted();
}

function conditions(api: FakeApi): readonly string[] {
  const status = api.get<Deployment>('deployments', 'default/web')?.status;
  return (status?.conditions ?? []).map(each => `${each.type}=${each.status} ${each.reason}`);
}

function change(api: FakeApi, spec: Record<string, unknown>): void {
  const old = api.get('deployments', 'default/web') as AnyObject;
  api.send({
    method: 'PUT',
    path: '/apis/apps/v1/namespaces/default/deployments/web',
    body: {...old, spec: {...(old.spec as object), ...spec}},
  });
}

function image(name: string, more: Record<string, unknown> = {}) {
  return {
    metadata: {labels: {app: 'web'}},
    spec: {terminationGracePeriodSeconds: 30, containers: [{name: 'c', image: name}], ...more},
  };
}

test('a first rollout ends available and progressed', () => {
  const api = aCluster();
  api.create(aDeployment('web'));
  settle(api);
  const {status, metadata} = api.get<Deployment>('deployments', 'default/web') as Deployment;
  expect(status).toMatchObject({
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
  expect(status).not.toHaveProperty('unavailableReplicas');
  expect(conditions(api)).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
  expect(metadata.annotations).toEqual({'deployment.kubernetes.io/revision': '1'});
  expect(events(api, 'Deployment')).toEqual([
    expect.stringMatching(/^ScalingReplicaSet Scaled up replica set web-\w+ from 0 to 2$/),
  ]);
});

test('one up, one down, in turn', () => {
  const api = aCluster();
  api.create(
    aDeployment('web', {replicas: 3, strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}),
  );
  settle(api);
  change(api, {template: image('nginx:1.28')});
  settle(api, 4000);
  const messages = events(api, 'Deployment').map(text => text.replace(/^\S+ Scaled (\w+) replica set \S+/, '$1'));
  expect(messages).toEqual([
    'up from 0 to 3',
    'up from 0 to 1',
    'down from 3 to 2',
    'up from 1 to 2',
    'down from 2 to 1',
    'up from 2 to 3',
    'down from 1 to 0',
  ]);
  expect(sizes(api)).toEqual(['1: 0 0', '2: 3 3']);
});

test('surge and availability are counted as recorded, also when scaled in the middle', () => {
  const api = aCluster();
  const fits = (pod: Pod) => pod.spec.nodeSelector === undefined;
  api.create(aDeployment('web', {replicas: 10}));
  settle(api);
  change(api, {template: image('nginx:1.27', {nodeSelector: {disk: 'none'}})});
  settle(api, 2000, fits);
  expect(sizes(api)).toEqual(['1: 8 8', '2: 5 5']);
  expect(api.get<Deployment>('deployments', 'default/web')?.status).toMatchObject({
    replicas: 13,
    updatedReplicas: 5,
    readyReplicas: 8,
    availableReplicas: 8,
    unavailableReplicas: 5,
  });
  expect(conditions(api)).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True ReplicaSetUpdated']);
  change(api, {replicas: 20});
  settle(api, 2000, fits);
  expect(sizes(api)).toEqual(['1: 15 15', '2: 10 10']);
  change(api, {replicas: 4, strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}});
  settle(api, 2000, fits);
  expect(sizes(api)).toEqual(['1: 3 3', '2: 2 2']);
});

test('with Recreate nothing new comes before all old pods are gone', () => {
  const api = aCluster();
  api.create(aDeployment('web', {replicas: 2, strategy: {type: 'Recreate'}}));
  settle(api);
  change(api, {template: image('nginx:1.28')});
  api.run(2000);
  expect(sizes(api)).toEqual(['1: 0 0']);
  expect(api.all<Pod>('pods')).toHaveLength(2);
  serveNodes(api);
  api.run(500);
  expect(sizes(api)).toEqual(['1: 0 0', '2: 2 2']);
});

test('a rollout that does not progress passes its deadline, and comes back by an undo', () => {
  const api = aCluster();
  const fits = (pod: Pod) => pod.spec.nodeSelector === undefined;
  const strategy = {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}};
  api.create(aDeployment('web', {progressDeadlineSeconds: 6, strategy}));
  settle(api);
  change(api, {template: image('nginx:1.27', {nodeSelector: {disk: 'none'}})});
  settle(api, 5000, fits);
  expect(conditions(api)).toContain('Progressing=True ReplicaSetUpdated');
  settle(api, 5000, fits);
  expect(conditions(api)).toContain('Progressing=False ProgressDeadlineExceeded');
  change(api, {template: image('nginx:1.27')});
  settle(api, 3000, fits);
  expect(conditions(api)).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
  const set = api.all<ReplicaSet>('replicasets').find(each => each.spec.replicas === 2);
  expect(set?.metadata.annotations).toMatchObject({
    'deployment.kubernetes.io/revision': '3',
    'deployment.kubernetes.io/revision-history': '1',
  });
});

test('pausing stops a rollout, and the watch', () => {
  const api = aCluster();
  api.create(aDeployment('web'));
  settle(api);
  change(api, {paused: true});
  settle(api);
  expect(conditions(api)).toContain('Progressing=Unknown DeploymentPaused');
  change(api, {template: image('nginx:1.28')});
  settle(api);
  expect(sizes(api)).toEqual(['1: 2 2']);
  change(api, {paused: false});
  settle(api, 4000);
  expect(sizes(api)).toEqual(['1: 0 0', '2: 2 2']);
  expect(conditions(api)).toContain('Progressing=True NewReplicaSetAvailable');
});

test('old sets beyond the history limit go', () => {
  const api = aCluster();
  api.create(aDeployment('web', {revisionHistoryLimit: 1}));
  settle(api);
  for (const tag of ['1.28', '1.29', '1.30']) {
    change(api, {template: image(`nginx:${tag}`)});
    settle(api, 4000);
  }
  expect(sizes(api)).toEqual(['3: 0 0', '4: 2 2']);
});

test('a hash that is taken by another template gives another name', () => {
  const api = aCluster();
  api.create(aDeployment('web', {replicas: 1}));
  settle(api);
  const [set] = api.all<ReplicaSet>('replicasets');
  const name = set?.metadata.name ?? '';
  api.remove('deployments', 'default/web', {propagationPolicy: 'Background'});
  api.patch('replicasets', `default/${name}`, object => ({
    ...object,
    metadata: {...object.metadata, ownerReferences: [], labels: {}},
  }));
  api.patch('replicasets', `default/${name}`, object => ({
    ...object,
    spec: {...(object.spec as object), selector: {matchLabels: {x: 'y'}}, template: image('other')},
  }));
  api.create(aDeployment('web', {replicas: 1}));
  settle(api);
  const deployment = api.get<Deployment>('deployments', 'default/web');
  expect(deployment?.status).toMatchObject({collisionCount: 1, availableReplicas: 1});
});

test('a hundred pods that become ready together cost few status writes', () => {
  const api = aCluster();
  api.create(aDeployment('web', {replicas: 100}));
  api.run(2000);
  const before = api.writes.length;
  serveNodes(api);
  api.run(2000);
  const writes = api.writes.slice(before).filter(text => text.includes('/status'));
  expect(writes.length).toBeLessThanOrEqual(4);
  expect(api.get<Deployment>('deployments', 'default/web')?.status?.availableReplicas).toBe(100);
});
