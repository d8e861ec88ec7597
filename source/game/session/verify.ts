// Verifies that a run ends as it says: it is played again, without a screen, and its end is compared.
import {counted} from '../counted.ts';
import type {Entry} from '../course.ts';
import {NO_PROGRESS} from '../progress.ts';
import type {Run} from '../run.ts';
import {Session} from './session.ts';

/** What a replay came to. */
export interface Verified {
  /** Sentences that say what is otherwise than the run says; none where all is as it says. */
  readonly problems: readonly string[];
  /** How long the run was, in whole virtual seconds. */
  readonly seconds: number;
}

export async function verify(run: Run, entry: Entry, hostNow: () => number): Promise<Verified> {
  const session = await Session.open({entry, progress: NO_PROGRESS, hostNow, resume: run, watching: 'replay'});
  const {phase, writes} = session.state;
  const {digest, seconds} = session;
  session.close();
  const {end} = run;
  if (!end) return {problems: ['the run has no end: it was left before'], seconds};
  const problems: string[] = [];
  if (end.won !== (phase === 'won')) problems.push(end.won ? 'the replay does not win' : 'the replay wins, and the run did not');
  if (end.writes !== writes) problems.push(`the replay makes ${counted(writes, 'write')}, the run ${end.writes}`);
  if (end.digest !== digest) problems.push('what happens in the replay is not what happened in the run');
  return {problems, seconds};
}
