// Scores as a real scheduler gave them (facts/scheduler.md): three nodes of 4 CPUs and 8 GiB with 3, 2 and 1 CPUs requested.
import {expect, test} from 'vitest';
import type {Service} from '../../../api/kinds/core-v1.ts';
import {NO_LOOKUPS, type Lookups} from '../lookups.ts';
import {makeProfile} from '../profile.ts';
import {aCluster, aNode, aPod, scoresOf} from '../testing/builders.ts';

function uneven(lookups?: Lookups) {
  const nodes = ['a', 'b', 'c'].map((zone, n) => aNode(`node-${n + 1}`).inZone(zone));
  const fillers = [1, 2, 3].map(n =>
    aPod(`filler-${n}`)
      .asking({cpu: String(4 - n), memory: `${8 - 2 * n}Gi`})
      .on(`node-${n}`),
  );
  return aCluster(nodes, fillers, lookups);
}

function column(scores: Readonly<Record<string, Readonly<Record<string, number>>>>, plugin: string): (number | undefined)[] {
  return ['node-1', 'node-2', 'node-3'].map(node => scores[node]?.[plugin]);
}

test('the emptier node is liked better; equal shares are balanced', () => {
  const scores = scoresOf(uneven(), aPod('next').asking({cpu: '100m', memory: '200Mi'}));
  expect(column(scores, 'NodeResourcesFit')).toEqual([22, 47, 72]);
  expect(column(scores, 'NodeResourcesBalancedAllocation')).toEqual([99, 99, 99]);
  expect(column(scores, 'TaintToleration')).toEqual([300, 300, 300]);
  expect(column(scores, 'total')).toEqual([421, 446, 471]);
});

test('a pod without requests counts with 100m and 200Mi, and tips no balance', () => {
  const scores = scoresOf(uneven(), aPod('silent'));
  expect(column(scores, 'NodeResourcesFit')).toEqual([22, 47, 72]);
  expect(column(scores, 'NodeResourcesBalancedAllocation')).toEqual([undefined, undefined, undefined]);
});

test('other strategies: the fuller node, or a curve', () => {
  const packing = (type: string, more = {}) =>
    makeProfile({
      pluginConfig: [
        {
          name: 'NodeResourcesFit',
          args: {
            scoringStrategy: {
              type,
              resources: [
                {name: 'cpu', weight: 3},
                {name: 'memory', weight: 1},
              ],
              ...more,
            },
          },
        },
      ],
    });
  const pod = aPod('next').asking({cpu: '100m', memory: '200Mi'});
  expect(column(scoresOf(uneven(), pod, packing('MostAllocated')), 'NodeResourcesFit')).toEqual([77, 52, 27]);
  const shape = [
    {utilization: 0, score: 0},
    {utilization: 100, score: 10},
  ];
  expect(
    column(scoresOf(uneven(), pod, packing('RequestedToCapacityRatio', {requestedToCapacityRatio: {shape}})), 'NodeResourcesFit'),
  ).toEqual([77, 52, 27]);
});

test.each([
  ['4 GB on two of five nodes is worth all there is', 4_000_000_000, 100],
  ['1.32 GB on two of five nodes', 1_320_000_000, 49],
  ['a small image is worth nothing', 20_000_000, 0],
])('images: %s', (_name, size, score) => {
  const nodes = [1, 2, 3, 4, 5].map(n =>
    n > 3 ? aNode(`node-${n}`).having('example.com/render:1.0', size) : aNode(`node-${n}`),
  );
  const scores = scoresOf(aCluster(nodes), aPod('render').running('example.com/render:1.0'));
  expect([scores['node-1']?.['ImageLocality'], scores['node-4']?.['ImageLocality']]).toEqual([0, score]);
});

test('untolerated soft taints in proportion to the worst node', () => {
  const nodes = [
    aNode('node-1'),
    aNode('node-2').tainted('a:PreferNoSchedule'),
    aNode('node-3').tainted('a:PreferNoSchedule', 'b:PreferNoSchedule'),
  ];
  expect(column(scoresOf(aCluster(nodes), aPod('web')), 'TaintToleration')).toEqual([300, 150, 0]);
});

test('one preferred term, whatever its weight, is worth two hundred', () => {
  const prefers = {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {weight: 7, preference: {matchExpressions: [{key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['b']}]}},
    ],
  };
  expect(column(scoresOf(uneven(), aPod('web').drawnTo({nodeAffinity: prefers})), 'NodeAffinity')).toEqual([0, 200, 0]);
});

test('pods that a Service selects are spread over hosts and zones by default, bare ones are not', () => {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name: 'web', namespace: 'default', uid: '1', resourceVersion: '1', creationTimestamp: ''},
    spec: {selector: {app: 'web'}},
  } as Service;
  const cluster = uneven({...NO_LOOKUPS, services: () => [service]});
  const standing = cluster.describe(aPod('web-1').labelled({app: 'web'}).on('node-3').pod);
  cluster.place(standing, 'node-3', false);
  const [first, second, third] = column(scoresOf(cluster, aPod('web-2').labelled({app: 'web'})), 'PodTopologySpread');
  expect(first).toBe(200);
  expect(second).toBe(200);
  expect(third).toBeGreaterThanOrEqual(132);
  expect(third).toBeLessThanOrEqual(154);
  expect(column(scoresOf(cluster, aPod('bare').labelled({app: 'other'})), 'PodTopologySpread')).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('friends and foes: the best node gets two hundred, the worst nothing', () => {
  const cluster = uneven();
  cluster.place(cluster.describe(aPod('db').labelled({app: 'db'}).on('node-2').pod), 'node-2', false);
  cluster.place(cluster.describe(aPod('noisy').labelled({app: 'noisy'}).on('node-3').pod), 'node-3', false);
  const term = (app: string, weight: number) => ({
    weight,
    podAffinityTerm: {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app}}},
  });
  const pod = aPod('web').drawnTo({
    podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [term('db', 10)]},
    podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [term('noisy', 10)]},
  });
  expect(column(scoresOf(cluster, pod), 'InterPodAffinity')).toEqual([100, 200, 0]);
});
