import {expect, test} from 'vitest';
import type {Node} from '../../../api/kinds/core-v1.ts';
import {aCluster, aNode, events} from '../testing/cluster.ts';

const dual = [
  {cidr: '10.244.0.0/23', maskSize: 24},
  {cidr: 'fd00:10:244::/48', maskSize: 64},
];

test('a node gets a share of each family, and none when one of them has none left', () => {
  const api = aCluster(['node-1', 'node-2', 'node-3'], {podRanges: dual});
  const shares = () => api.all<Node>('nodes').map(({spec}) => [spec.podCIDR, ...(spec.podCIDRs ?? [])]);
  expect(shares()).toEqual([
    ['10.244.0.0/24', '10.244.0.0/24', 'fd00:10:244::/64'],
    ['10.244.1.0/24', '10.244.1.0/24', 'fd00:10:244:1::/64'],
    [undefined],
  ]);
  expect(events(api, 'Node')).toContain('CIDRNotAvailable Node node-3 status is now: CIDRNotAvailable');
  api.remove('nodes', 'node-1');
  api.create(aNode('node-4'));
  api.run(20_000);
  expect(shares().flat()).toContain('10.244.0.0/24');
  expect(new Set(shares().map(each => each[2])).size).toBe(3);
});
