// Pods with claims on devices, from the queue to the node: names of generated claims that come late, and alternatives.
import {expect, test} from 'vitest';
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import {aNode, aPod} from './testing/builders.ts';
import {ScheduledCluster} from './testing/cluster.ts';

const API = 'resource.k8s.io/v1';
const DRIVER = 'gpu.example.com';

const ONE = {devices: {requests: [{name: 'r', exactly: {deviceClassName: 'gpu'}}]}};

function put(cluster: ScheduledCluster, kind: string, name: string, spec: object, more: object = {}): void {
  const {status, ...metadata} = more as {status?: object};
  const namespace = kind === 'ResourceClaim' ? {namespace: 'default'} : {};
  const made = {
    apiVersion: API,
    kind,
    metadata: {name, uid: `${kind} ${name}`, ...namespace, ...metadata},
    spec,
    ...(status ? {status} : {}),
  };
  cluster.server.put(made as unknown as KubeObject);
}

/** A claim that has its device on a node. */
function allocatedOn(node: string, reservedFor: readonly object[] = []): {status: object} {
  const matchFields = [{key: 'metadata.name', operator: 'In', values: [node]}];
  const results = [{request: 'r', driver: DRIVER, pool: node, device: 'd0'}];
  return {status: {allocation: {devices: {results}, nodeSelector: {nodeSelectorTerms: [{matchFields}]}}, reservedFor}};
}

const uses = (name: string) => ({resourceClaims: [{name: 'gpu', resourceClaimName: name}]});

function aCluster(devices: Readonly<Record<string, readonly string[]>>): ScheduledCluster {
  const cluster = new ScheduledCluster().apply(...Object.keys(devices).map(name => aNode(name))).start();
  put(cluster, 'DeviceClass', 'gpu', {});
  for (const [nodeName, models] of Object.entries(devices))
    put(cluster, 'ResourceSlice', nodeName, {
      driver: DRIVER,
      nodeName,
      pool: {name: nodeName, generation: 1, resourceSliceCount: 1},
      devices: models.map((model, at) => ({name: `d${at}`, attributes: {model: {string: model}}})),
    });
  return cluster;
}

const model = (name: string) => ({cel: {expression: `device.attributes["${DRIVER}"].model == "${name}"`}});

test('a pod whose claim is generated waits for the claim, and for its name in the status', () => {
  const cluster = aCluster({'node-1': ['small']});
  const resourceClaims = [{name: 'gpu', resourceClaimTemplateName: 'any'}];
  cluster.apply(aPod('web').with({resourceClaims})).pass(5000);
  put(cluster, 'ResourceClaim', 'web-gpu-x', ONE, {
    ownerReferences: [{controller: true, uid: cluster.get<Pod>('pods', 'web').metadata.uid}],
  });
  cluster.pass(5000);
  expect(cluster.whereIs('web')).toBe('waiting');
  const resourceClaimStatuses = [{name: 'gpu', resourceClaimName: 'web-gpu-x'}];
  cluster.change<Pod>('pods', 'web', pod => ({...pod, status: {...pod.status, resourceClaimStatuses}})).pass(1000);
  expect(cluster.whereIs('web')).toBe('node-1');
});

test('of two nodes the one with the better alternative is taken', () => {
  const firstAvailable = [
    {name: 'big', deviceClassName: 'gpu', selectors: [model('big')]},
    {name: 'small', deviceClassName: 'gpu', selectors: [model('small')]},
  ];
  for (let n = 0; n < 4; n++) {
    const cluster = aCluster({'node-1': ['small', 'small'], 'node-2': ['big'], 'node-3': ['small']});
    put(cluster, 'ResourceClaim', 'one', {devices: {requests: [{name: 'r', firstAvailable}]}});
    cluster.apply(aPod(`web-${n}`).with({resourceClaims: [{name: 'gpu', resourceClaimName: 'one'}]})).pass(1000);
    expect(cluster.whereIs(`web-${n}`)).toBe('node-2');
  }
});

test('the devices of a claim that nobody uses are given back when their node will not do, and others are taken', () => {
  const cluster = aCluster({'node-1': ['small'], 'node-2': ['small']});
  cluster.change<Node>('nodes', 'node-1', node => ({...node, spec: {...node.spec, unschedulable: true}}));
  put(cluster, 'ResourceClaim', 'one', ONE, allocatedOn('node-1'));
  cluster.apply(aPod('web').with(uses('one'))).pass(3000);
  expect(cluster.whereIs('web')).toBe('node-2');
  expect(cluster.events('web')[0]).toBe(
    'FailedScheduling 0/2 nodes are available: 1 node(s) were unschedulable, 1 resourceclaim not available on the node. deallocation of ResourceClaim completed, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
  );
});

test('the devices of a claim that another pod uses are not given back', () => {
  const cluster = aCluster({'node-1': ['small'], 'node-2': ['small']});
  cluster.change<Node>('nodes', 'node-1', node => ({...node, spec: {...node.spec, unschedulable: true}}));
  put(cluster, 'ResourceClaim', 'one', ONE, allocatedOn('node-1', [{resource: 'pods', name: 'other', uid: 'u'}]));
  cluster.apply(aPod('web').with(uses('one'))).pass(3000);
  expect(cluster.whereIs('web')).toContain('. still not schedulable, preemption: ');
});

test('who shares a claim that is just getting its devices waits for it, and follows', () => {
  const cluster = aCluster({'node-1': ['small'], 'node-2': ['small']});
  put(cluster, 'ResourceClaim', 'one', ONE);
  cluster.apply(aPod('web').with(uses('one')), aPod('too').with(uses('one'))).pass(3000);
  expect(cluster.events('too')[0]).toContain(
    'nodes are available: resource claim default/one is in the process of being allocated. ',
  );
  expect(cluster.whereIs('too')).toBe(cluster.whereIs('web'));
});

test('a selector that goes wrong fails the attempt', () => {
  const cluster = aCluster({'node-1': ['small']});
  const exactly = {deviceClassName: 'gpu', selectors: [{cel: {expression: `device.attributes["${DRIVER}"].colour == "red"`}}]};
  put(cluster, 'ResourceClaim', 'one', {devices: {requests: [{name: 'r', exactly}]}});
  cluster.apply(aPod('web').with(uses('one'))).pass(500);
  const [condition] = cluster.get<Pod>('pods', 'web').status?.conditions ?? [];
  expect([condition?.reason, condition?.message]).toEqual([
    'SchedulerError',
    'running "DynamicResources" filter plugin: claim default/one: selector #0: CEL runtime error: no such key: colour',
  ]);
});

test('a claim is for others again when its pod is not bound after all', () => {
  const cluster = aCluster({'node-1': ['small']});
  put(cluster, 'ResourceClaim', 'one', ONE);
  const asked: string[] = [];
  cluster.server.intercept = request => {
    asked.push(`${request.method} ${request.path.slice(request.path.lastIndexOf('/'))} ${JSON.stringify(request.body)}`);
    return request.path.endsWith('/binding')
      ? {status: 409, body: {kind: 'Status', status: 'Failure', code: 409, message: 'no'}}
      : undefined;
  };
  cluster.apply(aPod('web').with(uses('one'))).pass(500);
  expect(asked.filter(each => each.includes('$patch'))).toEqual([
    `PATCH /status {"metadata":{"uid":"ResourceClaim one"},"status":{"reservedFor":[{"$patch":"delete","uid":"${cluster.get<Pod>('pods', 'web').metadata.uid}"}]}}`,
  ]);
});
