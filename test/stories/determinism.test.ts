// The same seed with the same inputs is the same run, byte for byte: what is said, and everything in the trace.
import {createHash} from 'node:crypto';
import {expect, test} from 'vitest';
import {ownCourse} from '../../source/cli/level-files.ts';
import {openLevel} from '../../source/game/session/opening.ts';
import {runSteps} from '../../source/game/session/steps.ts';
import type {Level} from '../../source/game/level/level.ts';

async function fingerprint(level: Level, seed: number): Promise<{trace: string; said: string}> {
  const {world, referee} = await openLevel(level, {hostNow: () => performance.now(), seed});
  const said: string[] = [];
  await runSteps(level.solution.steps, {world, referee, heard: each => said.push(each.out, each.err)});
  await world.advance(30_000);
  const hash = createHash('sha256');
  for (const {n, at, who, verb, object, because, detail} of world.traceSince(0))
    hash.update(JSON.stringify([n, at, who, verb, object, because, detail]));
  return {trace: hash.digest('hex'), said: said.join('')};
}

test.each(ownCourse().entries)(
  '$number $level.id runs the same way twice, and another way with another seed',
  async ({level}) => {
    const first = await fingerprint(level, level.rng);
    expect(await fingerprint(level, level.rng)).toEqual(first);
    expect((await fingerprint(level, level.rng + 1)).trace).not.toBe(first.trace);
  },
);
