// What a majority means: of five members three, of four still three, of three two, of one it alone.
import type {Id} from './entry.ts';

/** How many of `voters` make a majority. */
export function majority(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/** The highest index that a majority has, given what each voter has. */
export function agreedIndex(voters: readonly Id[], matchOf: (id: Id) => number): number {
  if (voters.length === 1) return matchOf(voters[0] as Id);
  const matches = voters.map(matchOf).sort((a, b) => b - a);
  return matches[majority(voters.length) - 1] ?? 0;
}

/** How an election stands. */
export interface Count {
  readonly granted: number;
  readonly refused: number;
  readonly result: 'won' | 'lost' | 'open';
}

/** Counts votes; whoever is no voter does not count. */
export function count(voters: readonly Id[], votes: ReadonlyMap<Id, boolean>): Count {
  let granted = 0;
  let refused = 0;
  for (const id of voters) {
    const vote = votes.get(id);
    if (vote === true) granted++;
    else if (vote === false) refused++;
  }
  const needed = majority(voters.length);
  const result = granted >= needed ? 'won' : voters.length - refused < needed ? 'lost' : 'open';
  return {granted, refused, result};
}
