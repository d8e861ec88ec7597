// Plays the steps of a level file: commands, as the player would type them, and waits.
import type {World} from '../../world/world.ts';
import type {Outcome} from '../../world/player.ts';
import type {Step} from '../level/level.ts';
import type {WorldReferee} from './judging/referee.ts';

const WAIT_MS = 120_000;

/** What was said by a command of the steps. */
export interface Said extends Outcome {
  readonly run: string;
}

/** Plays the steps in order; `heard` gets what each command said. Answers the sentence that says which wait was in vain. */
export async function runSteps(
  steps: readonly Step[],
  around: {readonly world: World; readonly referee: WorldReferee; readonly heard?: (said: Said) => void},
): Promise<string | undefined> {
  const {world, referee, heard} = around;
  for (const {run, on, wait, timeout = WAIT_MS} of steps) {
    if (run !== undefined) {
      // Run it first: an optional call does not look at its arguments when nobody hears.
      const outcome = await world.player.run(run, on);
      heard?.({run, ...outcome});
    } else if (wait && 'forMs' in wait) await world.advance(wait.forMs);
    else if (wait && !(await world.until(() => wait.until.judge(referee).met, timeout)))
      return `waited ${timeout / 1000} s in vain for ${wait.until.name}`;
  }
  return undefined;
}
