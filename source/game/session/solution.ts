// How many writes the level's own solution needs: it is played once in a world of its own, and the answer is kept.
import type {Level} from '../level/level.ts';
import {openLevel} from './opening.ts';
import {runSteps} from './steps.ts';
import {writeCount} from './judging/writes.ts';

const known = new WeakMap<Level, number>();

/** The writes of the solution; undefined where the solution cannot be played. */
export async function solutionWrites(level: Level, hostNow: () => number): Promise<number | undefined> {
  const before = known.get(level);
  if (before !== undefined) return before;
  const {world, referee} = await openLevel(level, {hostNow});
  const start = world.traceCount;
  const failed = await runSteps(level.solution.steps, {world, referee});
  if (failed) return undefined;
  const writes = writeCount(world.traceSince(start));
  known.set(level, writes);
  return writes;
}
