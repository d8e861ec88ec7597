// A few lives of a small group, told with the arena; what must hold in all lives is in safety.test.ts.
import {expect, test} from 'vitest';
import {Arena, pair} from './arena.ts';
import {agreedIndex, count, majority} from './quorum.ts';

const trio = (): Arena => {
  const arena = new Arena(['a', 'b', 'c', 'd'], ['a', 'b', 'c']);
  arena.settle(3000);
  return arena;
};
const leaderOf = (arena: Arena): string => arena.leader?.id ?? '';
const othersOf = (arena: Arena, id: string): string[] => ['a', 'b', 'c'].filter(each => each !== id);
const values = (arena: Arena, id: string) => arena.fighter(id).machine.values.filter(value => typeof value === 'number');

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
])('of %i a majority is %i', (voters, needed) => {
  expect(majority(voters)).toBe(needed);
});

test('what a majority has is agreed', () => {
  const matches: Record<string, number> = {a: 9, b: 5, c: 2, d: 7};
  const matchOf = (id: string) => matches[id] ?? 0;
  expect(agreedIndex(['a', 'b', 'c'], matchOf)).toBe(5);
  expect(agreedIndex(['a', 'b', 'c', 'd'], matchOf)).toBe(5);
  expect(agreedIndex(['a', 'd'], matchOf)).toBe(7);
  expect(
    count(
      ['a', 'b', 'c'],
      new Map([
        ['a', true],
        ['b', false],
      ]),
    ).result,
  ).toBe('open');
  expect(
    count(
      ['a', 'b', 'c'],
      new Map([
        ['a', true],
        ['d', true],
      ]),
    ).result,
  ).toBe('open');
  expect(
    count(
      ['a', 'b', 'c'],
      new Map([
        ['b', false],
        ['c', false],
      ]),
    ).result,
  ).toBe('lost');
});

test('an idle leader is heard of every 100 ms, and its followers do nothing between', () => {
  const arena = trio();
  const leader = arena.fighter(leaderOf(arena)).raft;
  expect((leader?.deadline ?? 0) - arena.now).toBeLessThanOrEqual(100);
  for (const id of othersOf(arena, leaderOf(arena))) {
    expect((arena.fighter(id).raft?.deadline ?? 0) - arena.now).toBeGreaterThan(850);
  }
});

test('a proposal is applied by all, in one order', () => {
  const arena = trio();
  for (let i = 0; i < 5; i++) arena.propose(othersOf(arena, leaderOf(arena))[i % 2] ?? '');
  arena.settle(200);
  for (const id of ['a', 'b', 'c']) expect(values(arena, id)).toEqual([1, 2, 3, 4, 5]);
});

test('a leader that loses its majority steps down within two election timeouts', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  for (const id of othersOf(arena, leader)) arena.cuts.add(pair(leader, id));
  arena.settle(2100);
  expect(arena.fighter(leader).raft?.role).not.toBe('leader');
  expect(leaderOf(arena)).not.toBe(leader);
});

test('the term of a member that was cut off does not rise, so it disturbs nobody when it is back', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  const [alone = ''] = othersOf(arena, leader);
  const term = arena.fighter(leader).raft?.term;
  for (const id of ['a', 'b', 'c']) if (id !== alone) arena.cuts.add(pair(alone, id));
  arena.settle(20_000);
  expect(arena.fighter(alone).raft?.role).toBe('pre-candidate');
  expect(arena.fighter(alone).raft?.term).toBe(term);
  arena.cuts.clear();
  arena.settle(5000);
  expect(leaderOf(arena)).toBe(leader);
  expect(arena.fighter(leader).raft?.term).toBe(term);
});

test('entries that were not agreed on give way to those of the next leader', () => {
  const arena = trio();
  const old = leaderOf(arena);
  for (const id of othersOf(arena, old)) arena.cuts.add(pair(old, id));
  arena.propose(old);
  arena.settle(3000);
  arena.propose(leaderOf(arena));
  arena.settle(100);
  arena.cuts.clear();
  arena.settle(3000);
  for (const id of ['a', 'b', 'c']) expect(values(arena, id)).toEqual([2]);
});

test('a member that was away while the log was cut gets the whole state', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  const [late = ''] = othersOf(arena, leader);
  arena.crash(late);
  for (let i = 0; i < 20; i++) arena.propose(leader);
  arena.settle(500);
  arena.compact(leader);
  arena.start(late);
  arena.settle(3000);
  expect(values(arena, late)).toHaveLength(20);
  expect(arena.fighter(late).disk.start.index).toBeGreaterThan(0);
});

test('a learner gets the log and has no vote; promoted, it has one', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  arena.start('d');
  arena.change(leader, {type: 'add-learner', id: 'd'});
  arena.propose(leader);
  arena.settle(500);
  expect(values(arena, 'd')).toEqual([1]);
  for (const id of othersOf(arena, leader)) arena.crash(id);
  arena.settle(3000);
  expect(arena.leader).toBeUndefined();
  for (const id of othersOf(arena, leader)) arena.start(id);
  arena.settle(5000);
  arena.change(leaderOf(arena), {type: 'add-voter', id: 'd'});
  arena.settle(500);
  expect(arena.fighter('d').raft?.configuration).toEqual({voters: ['a', 'b', 'c', 'd'], learners: []});
});

test('of two changes at once only the first is taken', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  arena.change(leader, {type: 'add-learner', id: 'd'});
  arena.change(leader, {type: 'remove', id: othersOf(arena, leader)[0] ?? ''});
  arena.settle(500);
  expect(arena.fighter(leader).raft?.configuration).toEqual({voters: ['a', 'b', 'c'], learners: ['d']});
});

test('the leadership goes to whom it was handed, within one term', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  const term = arena.fighter(leader).raft?.term ?? 0;
  const [next = ''] = othersOf(arena, leader);
  arena.transfer(leader, next);
  arena.settle(50);
  expect(leaderOf(arena)).toBe(next);
  expect(arena.fighter(next).raft?.term).toBe(term + 1);
});

test('a read waits for a majority to confirm the leader', () => {
  const arena = trio();
  const leader = leaderOf(arena);
  arena.propose(leader);
  arena.settle(50);
  arena.read(leader);
  expect(arena.fighter(leader).reads).toEqual([]);
  arena.settle(10);
  expect(arena.fighter(leader).reads).toHaveLength(1);
  for (const id of othersOf(arena, leader)) arena.cuts.add(pair(leader, id));
  arena.read(leader);
  arena.settle(3000);
  expect(arena.fighter(leader).reads).toHaveLength(1);
});
