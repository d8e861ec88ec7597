import {expect, test} from 'vitest';
import type {PodDisruptionBudget} from '../../../api/kinds/policy-v1.ts';
import {NO_LOOKUPS} from '../lookups.ts';
import {aCluster, aNode, aPod, outcomeOf, type NodeBuilder, type PodBuilder} from '../testing/builders.ts';

const twoNodes = () => [aNode('node-1', {cpu: '4', memory: '8Gi'}), aNode('node-2', {cpu: '4', memory: '8Gi'})];

interface Case {
  readonly name: string;
  readonly nodes?: readonly NodeBuilder[];
  readonly standing: readonly PodBuilder[];
  readonly pod: PodBuilder;
  readonly protects?: Readonly<Record<string, string>>;
  readonly outcome: string;
}

const filler = (name: string, node: string) => aPod(name).asking({cpu: '3'}).on(node);
const vip = () => aPod('vip').asking({cpu: '2'}).important(1000);

const cases: readonly Case[] = [
  {
    name: 'the least important victim goes',
    standing: [filler('a', 'node-1'), filler('b', 'node-2').important(-5)],
    pod: vip(),
    outcome: 'preempts b on node-2',
  },
  {
    name: 'no more victims than needed: the important ones are given back first',
    nodes: [aNode('node-1', {cpu: '4', memory: '8Gi'})],
    standing: [
      aPod('a').asking({cpu: '1'}).important(3).on('node-1'),
      aPod('b').asking({cpu: '1'}).important(2).on('node-1'),
      aPod('c').asking({cpu: '2'}).important(1).on('node-1'),
    ],
    pod: vip(),
    outcome: 'preempts c on node-1',
  },
  {
    name: 'one victim rather than two',
    standing: [
      aPod('a1').asking({cpu: '1500m'}).on('node-1'),
      aPod('a2').asking({cpu: '1500m'}).on('node-1'),
      filler('b', 'node-2'),
    ],
    pod: aPod('vip').asking({cpu: '3'}).important(1000),
    outcome: 'preempts b on node-2',
  },
  {
    name: 'a budget protects its pods as long as others can go',
    standing: [filler('a', 'node-1').labelled({app: 'guarded'}).important(-5), filler('b', 'node-2')],
    pod: vip(),
    protects: {app: 'guarded'},
    outcome: 'preempts b on node-2',
  },
  {
    name: 'a budget is broken when nothing else helps',
    nodes: [aNode('node-1', {cpu: '4', memory: '8Gi'})],
    standing: [filler('a', 'node-1').labelled({app: 'guarded'})],
    pod: vip(),
    protects: {app: 'guarded'},
    outcome: 'preempts a on node-1',
  },
  {
    name: 'of equals, the one that started last',
    standing: [
      filler('old', 'node-1').startedAt('2026-11-30T04:00:00Z'),
      filler('new', 'node-2').startedAt('2026-11-30T04:10:00Z'),
    ],
    pod: vip(),
    outcome: 'preempts new on node-2',
  },
  {
    name: 'equals are no victims',
    standing: [filler('a', 'node-1'), filler('b', 'node-2')],
    pod: aPod('equal').asking({cpu: '2'}),
    outcome:
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
  },
  {
    name: 'a patient pod does not preempt',
    standing: [filler('a', 'node-1'), filler('b', 'node-2')],
    pod: vip().with({preemptionPolicy: 'Never'}),
    outcome:
      '0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.',
  },
  {
    name: 'the end of the lesser pods would not be enough',
    nodes: [aNode('node-1', {cpu: '4', memory: '8Gi'})],
    standing: [aPod('a').asking({cpu: '3'}).important(2000).on('node-1'), aPod('b').asking({cpu: '500m'}).on('node-1')],
    pod: vip(),
    outcome:
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Insufficient cpu.',
  },
  {
    name: 'an enemy of the pod is a victim',
    nodes: [aNode('node-1')],
    standing: [aPod('enemy').labelled({app: 'loud'}).on('node-1')],
    pod: aPod('quiet')
      .important(1)
      .drawnTo({
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app: 'loud'}}},
          ],
        },
      }),
    outcome: 'preempts enemy on node-1',
  },
  {
    name: 'a pod that will not have this one near is a victim',
    nodes: [aNode('node-1')],
    standing: [
      aPod('hermit')
        .drawnTo({
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app: 'web'}}},
            ],
          },
        })
        .on('node-1'),
    ],
    pod: aPod('web').labelled({app: 'web'}).important(1),
    outcome: 'preempts hermit on node-1',
  },
];

test.each(cases)('$name', ({nodes, standing, pod, protects, outcome}) => {
  const budget = {
    metadata: {uid: '1'},
    spec: {selector: {matchLabels: protects}},
    status: {disruptionsAllowed: 0},
  } as unknown as PodDisruptionBudget;
  const cluster = aCluster(nodes ?? twoNodes(), standing, {...NO_LOOKUPS, budgets: () => (protects ? [budget] : [])});
  expect(outcomeOf(cluster, pod)).toBe(outcome);
});
