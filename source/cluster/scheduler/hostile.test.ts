// Thousands of pods that fit nowhere: they sleep, and news that help nobody wake nobody. Attempts are counted, not time.
import {expect, test} from 'vitest';
import type {Node} from '../../api/kinds/core-v1.ts';
import {aNode, aPod} from './testing/builders.ts';
import {ScheduledCluster} from './testing/cluster.ts';

const MANY = 2000;

function attempts(cluster: ScheduledCluster): number {
  return [...cluster.trace.since()].filter(entry => entry.verb === 'schedule').length;
}

/** How often pods are tried while something happens. */
function tried(cluster: ScheduledCluster, happen: () => void): number {
  const before = attempts(cluster);
  happen();
  return attempts(cluster) - before;
}

test('pods that fit nowhere are tried once, and again only when something could help them', () => {
  const cluster = new ScheduledCluster()
    .apply(aNode('node-1', {cpu: '4', memory: '8Gi'}), aNode('node-2', {cpu: '4', memory: '8Gi'}))
    .start();
  const pods = Array.from({length: MANY}, (_, n) => aPod(`big-${n}`).asking({cpu: '100'}));
  expect(tried(cluster, () => cluster.apply(...pods).pass(20_000))).toBe(MANY);
  const heartbeat = (node: Node): Node => ({...node, status: {...node.status, conditions: [{type: 'Ready', status: 'True'}]}});
  const come = () => {
    for (let n = 0; n < 50; n++)
      cluster
        .change<Node>('nodes', 'node-1', heartbeat)
        .apply(aPod(`small-${n}`).asking({cpu: '1m'}))
        .pass(1000);
  };
  // The small pods alone are tried: the big ones sleep on.
  expect(tried(cluster, come)).toBe(50);
  const go = () => {
    for (let n = 0; n < 50; n++) cluster.drop('pods', `small-${n}`);
    cluster.pass(5000);
  };
  // Whatever goes might help: all are woken, but not for each of those that go.
  expect(tried(cluster, go)).toBeLessThanOrEqual(MANY);
  expect(tried(cluster, () => cluster.apply(aNode('node-3', {cpu: '4', memory: '8Gi'})).pass(5000))).toBeLessThanOrEqual(MANY);
});

test('two rules that contradict each other are no work either', () => {
  const cluster = new ScheduledCluster().apply(aNode('node-1').inZone('a'), aNode('node-2').inZone('b')).start();
  const term = {topologyKey: 'kubernetes.io/hostname', labelSelector: {matchLabels: {app: 'x'}}};
  const rules = {requiredDuringSchedulingIgnoredDuringExecution: [term]};
  const pods = Array.from({length: 300}, (_, n) =>
    aPod(`p-${n}`).labelled({app: 'x'}).drawnTo({podAffinity: rules, podAntiAffinity: rules}),
  );
  expect(tried(cluster, () => cluster.apply(...pods).pass(10_000))).toBeLessThanOrEqual(4 * 300);
  expect(tried(cluster, () => cluster.pass(60_000))).toBe(0);
});
