import {expect, test} from 'vitest';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import {aCluster, events} from '../testing/cluster.ts';

test('Endpoints made by hand are mirrored, followed, and taken away with them', () => {
  const api = aCluster();
  const place = {name: 'legacy', namespace: 'default'};
  api.create({apiVersion: 'v1', kind: 'Service', metadata: place, spec: {ports: [{name: 'http', port: 80}]}});
  const ports = [{name: 'http', port: 8080, protocol: 'TCP'}];
  const subsets = [{addresses: [{ip: '192.0.2.20'}], ports}];
  api.create({apiVersion: 'v1', kind: 'Endpoints', metadata: {...place, labels: {by: 'hand'}}, subsets});
  api.run(500);
  const shown = () =>
    api
      .all<EndpointSlice>('endpointslices')
      .map(({metadata, endpoints, ports: own}) => ({labels: metadata.labels, endpoints, ports: own}));
  const labels = {
    by: 'hand',
    'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
    'kubernetes.io/service-name': 'legacy',
  };
  expect(shown()).toEqual([{labels, endpoints: [{addresses: ['192.0.2.20'], conditions: {ready: true}}], ports}]);
  const later = [{addresses: [{ip: '192.0.2.30'}], notReadyAddresses: [{ip: '192.0.2.31'}], ports}];
  api.patch('endpoints', 'default/legacy', object => ({...object, subsets: later}));
  api.run(500);
  expect(shown()[0]?.endpoints.map(each => [each.addresses[0], each.conditions?.ready])).toEqual([
    ['192.0.2.30', true],
    ['192.0.2.31', false],
  ]);
  api.remove('services', 'default/legacy');
  api.run(500);
  expect([...shown(), ...api.all('endpoints')]).toEqual([]);
});

test('more than a thousand addresses of a subset are not mirrored, and that is told', () => {
  const api = aCluster();
  const place = {name: 'legacy', namespace: 'default'};
  api.create({apiVersion: 'v1', kind: 'Service', metadata: place, spec: {ports: [{port: 80}]}});
  const addresses = Array.from({length: 1003}, (_, n) => ({ip: `192.0.${n >> 8}.${n & 255}`}));
  api.create({apiVersion: 'v1', kind: 'Endpoints', metadata: place, subsets: [{addresses, ports: [{port: 80}]}]});
  api.run(1000);
  expect(events(api, 'Endpoints')).toEqual([
    'TooManyAddressesToMirror A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped',
  ]);
  expect(api.all<EndpointSlice>('endpointslices').flatMap(slice => slice.endpoints)).toHaveLength(1000);
});
