import {expect, test} from 'vitest';
import {Dice} from '../../sim/dice.ts';
import {decide, enoughNodes, newCourse} from './decide.ts';
import {makeProfile, makeProfiles} from './profile.ts';
import {aCluster, aNode, aPod, outcomeOf} from './testing/builders.ts';

test.each([
  [10, 0, 10],
  [99, 0, 99],
  [100, 0, 100],
  [1000, 0, 420],
  [5000, 0, 500],
  [6000, 0, 300],
  [20_000, 0, 1000],
  [1000, 70, 700],
  [1000, 5, 100],
  [1000, 100, 1000],
])('of %i nodes at %i %% it is enough to find %i', (total, percentage, enough) => {
  expect(enoughNodes(total, percentage)).toBe(enough);
});

test('each pod begins to look where the last one stopped', () => {
  const cluster = aCluster(Array.from({length: 200}, (_, n) => aNode(`node-${n}`)));
  const course = newCourse(new Dice(1));
  const profile = makeProfile({});
  const cursors = [1, 2, 3].map(n => {
    decide(profile, {cluster, pod: cluster.describe(aPod(`pod-${n}`).pod)}, course);
    return course.cursor;
  });
  expect(cursors).toEqual([100, 0, 100]);
});

test('the same seed chooses the same among equals, and does not always choose the first', () => {
  const nodes = () => ['node-1', 'node-2', 'node-3', 'node-4'].map(name => aNode(name));
  const choices = (seed: number) => {
    const cluster = aCluster(nodes());
    const course = newCourse(new Dice(seed));
    return Array.from(
      {length: 8},
      (_, n) => decide(makeProfile({}), {cluster, pod: cluster.describe(aPod(`pod-${n}`).pod)}, course).node?.name,
    );
  };
  expect(choices(5)).toEqual(choices(5));
  expect(new Set(choices(5)).size).toBeGreaterThan(1);
});

test('a place that was cleared for an important pod is not given to a lesser one, but to a more important one', () => {
  const cluster = aCluster([aNode('node-1', {cpu: '2', memory: '4Gi'})]);
  cluster.nominations.set(cluster.describe(aPod('vip').asking({cpu: '1500m'}).important(1000).pod), 'node-1');
  expect(outcomeOf(cluster, aPod('small').asking({cpu: '1'}))).toContain('1 Insufficient cpu');
  expect(outcomeOf(cluster, aPod('chief').asking({cpu: '1'}).important(2000))).toBe('node-1');
});

test('a profile without a plugin does not ask it; without postFilter plugins the text ends early', () => {
  const cluster = aCluster([aNode('node-1').tainted('a=b:NoSchedule')]);
  const lax = makeProfile({plugins: {filter: {disabled: [{name: 'TaintToleration'}]}}});
  expect(outcomeOf(cluster, aPod('web'), lax)).toBe('node-1');
  const terse = makeProfile({plugins: {postFilter: {disabled: [{name: '*'}]}}});
  expect(outcomeOf(cluster, aPod('web'), terse)).toBe('0/1 nodes are available: 1 node(s) had untolerated taint(s).');
});

test('several profiles, and a plugin that nobody knows', () => {
  expect([...makeProfiles({profiles: [{}, {schedulerName: 'packing'}]}).keys()]).toEqual(['default-scheduler', 'packing']);
  expect(() => makeProfile({plugins: {score: {enabled: [{name: 'Luck'}]}}})).toThrow('plugin "Luck" does not exist');
});
