// Ranges of Services' addresses: when one is ready, and what holds one that is to go.
import {expect, test} from 'vitest';
import type {ServiceCIDR} from '../../api/kinds/networking-v1.ts';
import {aCluster} from './testing/cluster.ts';

const range = (name: string, ...cidrs: readonly string[]) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: {name},
  spec: {cidrs},
});
const address = (name: string) => ({apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata: {name}});

test.each([
  {family: 'IPv4', cidr: '10.20.0.0/24', inside: '10.20.0.7', outside: '10.20.1.7', wider: '10.20.0.0/16'},
  {family: 'IPv6', cidr: 'fd00:20::/112', inside: 'fd00:20::7', outside: 'fd00:21::7', wider: 'fd00:20::/64'},
])('a range of $family stays while an address lies in it alone', ({cidr, inside, outside, wider}) => {
  const api = aCluster();
  const more = () => api.get<ServiceCIDR>('servicecidrs', 'more');
  api.create(range('more', cidr));
  for (const name of [inside, outside]) api.create(address(name));
  api.run(1000);
  expect(more()?.metadata.finalizers).toEqual(['networking.k8s.io/service-cidr-finalizer']);
  expect(more()?.status?.conditions).toMatchObject([{type: 'Ready', status: 'True'}]);
  api.remove('servicecidrs', 'more', {});
  api.run(60_000);
  expect(more()?.status?.conditions).toMatchObject([{type: 'Ready', status: 'False', reason: 'Terminating'}]);
  api.create(range('wider', wider));
  api.run(1000);
  expect(more()).toBeUndefined();
});
