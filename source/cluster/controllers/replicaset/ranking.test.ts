import {expect, test} from 'vitest';
import {aPod, type PodTraits} from '../testing/pods.ts';
import {podsToDelete} from './ranking.ts';

const NOW = Date.UTC(2026, 10, 30, 5);

const cases: readonly {readonly goes: string; readonly first: PodTraits; readonly second: PodTraits}[] = [
  {goes: 'one without a node before one with', first: {}, second: {node: 'node-1'}},
  {goes: 'a pending one before a running one', first: {phase: 'Pending', node: 'a'}, second: {node: 'a'}},
  {goes: 'one that is not ready before one that is', first: {node: 'a'}, second: {node: 'a', ready: true}},
  {goes: 'a cheap one before a dear one', first: {ready: true, cost: -5}, second: {ready: true}},
  {goes: 'a dear one that is not ready before a cheap one that is', first: {cost: 90}, second: {ready: true, cost: -90}},
  {
    goes: 'one that was ready for seconds before one that was for an hour',
    first: {ready: true, readySince: '2026-11-30T04:59:50Z'},
    second: {ready: true},
  },
  {goes: 'one that restarted often before one that did not', first: {restarts: 3}, second: {restarts: 1}},
  {goes: 'the younger, of very different ages', first: {created: '2026-11-30T04:59:00Z'}, second: {}},
];

for (const {goes, first, second} of cases) {
  test(`first goes ${goes}`, () => {
    const pods = [aPod('b', second), aPod('a', first)];
    for (const order of [pods, pods.toReversed()]) {
      expect(podsToDelete(order, 1, {related: order, nowMs: NOW}).map(pod => pod.metadata.name)).toEqual(['a']);
    }
  });
}

test('of pods that differ in nothing else, first goes one from the fuller node', () => {
  const pods = [aPod('x', {node: 'lonely', ready: true}), aPod('y', {node: 'full', ready: true})];
  const related = [...pods, aPod('z', {node: 'full', ready: true})];
  expect(podsToDelete(pods, 1, {related, nowMs: NOW}).map(pod => pod.metadata.name)).toEqual(['y']);
});
