// Pods with claims on devices, from the queue to the node: names of generated claims that come late, and alternatives.
import {expect, test} from 'vitest';
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import {aNode, aPod} from './testing/builders.ts';
import {ScheduledCluster} from './testing/cluster.ts';

const API = 'resource.k8s.io/v1';
const DRIVER = 'gpu.example.com';

function put(cluster: ScheduledCluster, kind: string, name: string, spec: object): void {
  const namespace = kind === 'ResourceClaim' ? {namespace: 'default'} : {};
  cluster.server.put({
    apiVersion: API,
    kind,
    metadata: {name, uid: `${kind} ${name}`, ...namespace},
    spec,
  } as unknown as KubeObject);
}

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
  put(cluster, 'ResourceClaim', 'web-gpu-x', {devices: {requests: [{name: 'r', exactly: {deviceClassName: 'gpu'}}]}});
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
