// More nodes than a /16 has ranges for: each gets one of its own, and runs pods.
import {expect, test} from 'vitest';
import type {Node, Pod} from '../../source/api/kinds/core-v1.ts';
import {isReady} from '../../source/api/meta/pod.ts';
import {builtin} from '../../source/api/meta/resources.ts';
import {World} from '../../source/world/world.ts';
import {bareCluster, deployment} from '../bench/descriptions.ts';

test('three hundred nodes each have a range of addresses of their own, and all pods get Ready', async () => {
  const world = await World.open({description: bareCluster(300), hostNow: () => performance.now()});
  const ranges = () => (world.spectator.all(builtin('nodes')) as readonly Node[]).flatMap(node => node.spec?.podCIDR ?? []);
  expect(await world.until(() => new Set(ranges()).size === 303, 30_000)).toBe(true);
  for (const object of deployment('web', 600)) world.send(object);
  const pods = () => world.spectator.all(builtin('pods'), 'default') as readonly Pod[];
  expect(await world.until(() => pods().filter(isReady).length === 600, 30_000)).toBe(true);
  expect(new Set(pods().map(pod => pod.spec.nodeName)).size).toBe(300);
  expect(new Set(pods().map(pod => pod.status?.podIP)).size).toBe(600);
});
