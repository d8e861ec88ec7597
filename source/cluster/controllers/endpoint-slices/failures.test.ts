// What a Service is told when its endpoints cannot be written, and how often that is tried.
import {expect, test} from 'vitest';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import {aCluster, events} from '../testing/cluster.ts';
import type {FakeApi} from '../../../client/testing/fake-api.ts';
import {aggregate} from './failures.ts';

const QUIET = {controllers: ['*', '-pod-garbage-collector-controller']};

function aService(api: FakeApi): void {
  const spec = {selector: {app: 'web'}, ports: [{port: 80, targetPort: 8080, protocol: 'TCP'}]};
  api.create({apiVersion: 'v1', kind: 'Service', metadata: {name: 'web', namespace: 'default'}, spec});
}

function aPod(api: FakeApi, name: string, nodeName: string): void {
  const status = {
    phase: 'Running',
    podIP: '10.244.1.2',
    podIPs: [{ip: '10.244.1.2'}],
    conditions: [{type: 'Ready', status: 'True'}],
  };
  const metadata = {name, namespace: 'default', labels: {app: 'web'}};
  api.create({apiVersion: 'v1', kind: 'Pod', metadata, spec: {nodeName, containers: []}, status});
}

test('a server that refuses is asked again after a second, and after twice as long each time', () => {
  const api = aCluster(['node-1']);
  const tries: number[] = [];
  const began = api.clock.now;
  api.intercept = ({method, path}) => {
    if (method !== 'POST' || !/\/(endpointslices|endpoints)$/.test(path)) return undefined;
    if (path.endsWith('slices')) tries.push(Math.floor((api.clock.now - began) / 1000));
    return {status: 500, body: {kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError', message: 'no room'}};
  };
  aService(api);
  api.run(20_000);
  expect(tries).toEqual([0, 1, 3, 7, 15]);
  expect(events(api, 'Service')).toEqual([
    'FailedToUpdateEndpointSlices Error updating Endpoint Slices for Service default/web: ' +
      'failed to create EndpointSlice for Service default/web: no room',
  ]);
  expect(events(api, 'Endpoints')).toEqual(['FailedToCreateEndpoint Failed to create endpoint for service default/web: no room']);
});

test('a pod whose node is gone is left out, and that is told', () => {
  const api = aCluster(['node-1'], QUIET);
  aService(api);
  aPod(api, 'here', 'node-1');
  aPod(api, 'there', 'node-9');
  api.run(1000);
  expect(events(api, 'Service')).toEqual([
    'FailedToUpdateEndpointSlices Error updating Endpoint Slices for Service default/web: ' +
      'skipping Pod there for Service default/web: Node node-9 Not Found',
  ]);
  expect(api.all<EndpointSlice>('endpointslices').flatMap(({endpoints}) => endpoints.map(each => each.targetRef?.name))).toEqual([
    'here',
  ]);
});

test('complaints in one, each once', () => {
  expect(aggregate(['a'])).toBe('a');
  expect(aggregate(['a', 'b', 'a'])).toBe('[a, b]');
});
