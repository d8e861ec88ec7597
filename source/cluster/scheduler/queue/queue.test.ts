import {expect, test} from 'vitest';
import {Clock} from '../../../sim/clock.ts';
import type {Plugin} from '../framework.ts';
import {makeProfile} from '../profile.ts';
import {Queue} from './queue.ts';
import {aCluster, aNode, aPod, type PodBuilder} from '../testing/builders.ts';

function aQueue() {
  const clock = new Clock();
  const cluster = aCluster([aNode('node-1')]);
  const queue = new Queue({clock, cluster, firstBackoffMs: 1000, mostBackoffMs: 10_000});
  const profile = makeProfile({});
  return {
    clock,
    queue,
    add: (pod: PodBuilder) => queue.add(cluster.describe(pod.pod), profile),
    next: () => queue.pop(),
    names: () => {
      const names: (string | undefined)[] = [];
      for (let waiting = queue.pop(); waiting; waiting = queue.pop()) names.push(waiting.pod.pod.metadata.name);
      return names;
    },
  };
}

const always: Plugin = {name: 'Always', worthRetry: () => true};
const never: Plugin = {name: 'Never', worthRetry: () => false};

test('the more important first, then who came first', () => {
  const {add, names, clock} = aQueue();
  add(aPod('first'));
  add(aPod('second'));
  clock.settle(5);
  add(aPod('vip').important(10));
  add(aPod('lesser').important(-10));
  expect(names()).toEqual(['vip', 'first', 'second', 'lesser']);
});

test('a pod that is woken goes before those that came later than its refusal', () => {
  const {add, names, next, queue, clock} = aQueue();
  add(aPod('refused'));
  const waiting = next();
  if (waiting) queue.refuse(waiting, [always]);
  clock.settle(20_000);
  add(aPod('late'));
  queue.hear({about: 'storage', kind: 'volume'});
  expect(names()).toEqual(['refused', 'late']);
});

test('only a plugin that refused it wakes a pod', () => {
  const {add, next, queue} = aQueue();
  add(aPod('deaf'));
  const waiting = next();
  if (waiting) queue.refuse(waiting, [never]);
  queue.hear({about: 'storage', kind: 'volume'});
  expect([next(), queue.sleeping, queue.nextDue]).toEqual([undefined, 1, Infinity]);
});

test('while others are tried a woken pod waits for its back-off; with nobody else it does not', () => {
  const {add, next, queue, clock} = aQueue();
  add(aPod('refused').important(5));
  const waiting = next();
  if (waiting) queue.refuse(waiting, [always]);
  add(aPod('other'));
  queue.hear({about: 'storage', kind: 'volume'});
  expect(next()?.pod.pod.metadata.name).toBe('other');
  expect(queue.nextDue).toBe(clock.now);
  expect(next()?.pod.pod.metadata.name).toBe('refused');
});

test('errors are waited out, twice as long each time', () => {
  const {add, next, queue, clock} = aQueue();
  add(aPod('unlucky'));
  const waits: number[] = [];
  for (let n = 0; n < 6; n++) {
    const waiting = next();
    if (waiting) queue.fail(waiting);
    waits.push((queue.nextDue - clock.now) / 1000);
    clock.settle(queue.nextDue);
  }
  expect(waits).toEqual([1, 2, 4, 8, 10, 10]);
});

test('a pod that is deleted while it waits is not tried', () => {
  const {add, names, queue} = aQueue();
  add(aPod('gone'));
  add(aPod('stays'));
  queue.delete('uid-default-gone');
  expect(names()).toEqual(['stays']);
});
