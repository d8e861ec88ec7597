import {expect, test} from 'vitest';
import {CacheEvent} from './event.ts';
import {History} from './history.ts';

const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}} as never;
const event = (revision: number, at: number) => new CacheEvent({revision, key: 'a', object, cause: 0, at}, undefined);

test('it grows while its oldest is young, and shrinks to a hundred when what it holds has grown old', () => {
  const history = new History(0);
  for (let revision = 1; revision <= 1000; revision++) history.add(event(revision, revision * 10));
  expect(history.since).toBe(0);
  expect([...history.after(0)]).toHaveLength(1000);
  history.add(event(1001, 1_000_000));
  expect([...history.after(history.since)].map(each => each.revision)).toEqual(Array.from({length: 100}, (_, n) => 902 + n));
  expect(history.since).toBe(901);
});

test('what comes after a revision', () => {
  const history = new History(7);
  for (const revision of [8, 10, 15]) history.add(event(revision, 0));
  expect([...history.after(8)].map(each => each.revision)).toEqual([10, 15]);
  expect([...history.after(15)]).toEqual([]);
});

test('what a burst of thousands left is given back at rest, once it is old; a few thousand stay', () => {
  const history = new History(0);
  for (let revision = 1; revision <= 10_000; revision++) history.add(event(revision, 0));
  history.rest(75_000);
  expect(history.size).toBe(10_000);
  history.rest(75_001);
  expect(history.size).toBeLessThan(5000);
  expect(history.since).toBe(10_000 - history.size);
  const {since} = history;
  history.rest(1_000_000);
  expect(history.since).toBe(since);
});
