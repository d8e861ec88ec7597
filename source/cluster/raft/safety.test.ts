// Raft's five promises, and that it makes progress once the world is whole again, whatever happened before.
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Arena, pair} from './arena.ts';
import type {Id} from './entry.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'] as const;
const id = fc.constantFrom<Id>(...IDS);

type Step =
  | {do: 'deliver' | 'repeat' | 'drop'; at: number; times: number}
  | {do: 'wait'; ms: number}
  | {do: 'sync' | 'propose' | 'read' | 'crash' | 'start' | 'compact'; id: Id}
  | {do: 'cut' | 'mend' | 'transfer' | 'add' | 'learn' | 'remove'; id: Id; other: Id};

const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 30, arbitrary: fc.record({do: fc.constant('deliver' as const), at: fc.nat(20), times: fc.integer({min: 1, max: 6})})},
  {
    weight: 3,
    arbitrary: fc.record({do: fc.constantFrom('repeat' as const, 'drop' as const), at: fc.nat(20), times: fc.constant(1)}),
  },
  {weight: 10, arbitrary: fc.record({do: fc.constant('wait' as const), ms: fc.constantFrom(20, 100, 400, 1500)})},
  {weight: 14, arbitrary: fc.record({do: fc.constant('sync' as const), id})},
  {weight: 8, arbitrary: fc.record({do: fc.constant('propose' as const), id})},
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom('read' as const, 'crash' as const, 'start' as const, 'start' as const, 'compact' as const),
      id,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'mend' as const, 'mend' as const, 'transfer' as const),
      id,
      other: id,
    }),
  },
  {weight: 1, arbitrary: fc.record({do: fc.constantFrom('add' as const, 'learn' as const, 'remove' as const), id, other: id})},
);

function play(arena: Arena, step: Step): void {
  switch (step.do) {
    case 'deliver':
      for (let i = 0; i < step.times && arena.messages.length > 0; i++) arena.deliver(step.at % arena.messages.length);
      return;
    case 'repeat':
      if (arena.messages.length > 0) arena.deliver(step.at % arena.messages.length, true);
      return;
    case 'drop':
      return arena.drop(step.at);
    case 'wait':
      arena.now += step.ms;
      for (const {id} of arena.alive) arena.elapse(id);
      return;
    case 'cut':
    case 'mend':
      if (step.do === 'cut') arena.cuts.add(pair(step.id, step.other));
      else arena.cuts.delete(pair(step.id, step.other));
      return;
    case 'transfer':
      return arena.transfer(step.id, step.other);
    case 'add':
      arena.start(step.other);
      return arena.change(step.id, {type: 'add-voter', id: step.other});
    case 'learn':
      arena.start(step.other);
      return arena.change(step.id, {type: 'add-learner', id: step.other});
    case 'remove':
      // The last voter may not go: nobody would be left to agree on anything.
      if ((arena.fighter(step.id).raft?.configuration.voters.length ?? 0) < 3) return;
      return arena.change(step.id, {type: 'remove', id: step.other});
    default:
      return arena[step.do](step.id);
  }
}

function heal(arena: Arena): void {
  arena.cuts.clear();
  for (const each of IDS) arena.start(each);
  arena.settle(30_000);
}

test('keeps its five promises through lost, late and repeated messages, cuts, crashes and changes of the members', () => {
  fc.assert(
    fc.property(fc.array(step, {minLength: 100, maxLength: 500, size: 'max'}), fc.nat(), (steps, seed) => {
      const arena = new Arena(IDS, ['a', 'b', 'c'], seed);
      arena.settle(2500);
      for (const each of steps) play(arena, each);
      heal(arena);

      // Whoever has a say agrees with the leader, and the cluster takes new values.
      const leader = arena.leader;
      expect(leader).toBeDefined();
      const before = arena.applied.size;
      arena.propose(leader?.id ?? '');
      arena.settle(2000);
      expect(arena.applied.size).toBe(before + 1);
      const {voters = [], learners = []} = arena.leader?.raft?.configuration ?? {};
      for (const each of [...voters, ...learners]) expect(arena.fighter(each).machine.values).toEqual(leader?.machine.values);

      // No read was served from before what had been applied anywhere when it was asked for.
      for (const {reads} of arena.fighters.values())
        for (const {asked, served} of reads) expect(served).toBeGreaterThanOrEqual(asked);
    }),
    {numRuns: 400},
  );
});
