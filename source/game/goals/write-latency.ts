// How long a write takes: the game changes an object every two seconds, as a dry run, and 99 of 100 of the latest tries must have
// succeeded in less than a bound.
import {checked, duration, needed, optional, record} from '../level/reader.ts';
import type {CheckKind, ObjectReference, Sample} from './check.ts';
import {objectReference} from './references.ts';

interface Arguments {
  readonly object: ObjectReference;
  readonly below: number;
  readonly window?: number;
}

const WINDOW_MS = 20_000;
const SHARE = 0.99;

export const writeLatency: CheckKind<Arguments> = {
  name: 'writeLatency',
  arguments: checked(
    record({object: needed(objectReference()), below: needed(duration()), window: optional(duration())}),
    ({below}) => (below > 0 ? undefined : 'a time above 0 is wanted here'),
  ),
  judge({object, below, window = WINDOW_MS}, referee) {
    const all = referee.samples({write: object});
    const last = all.at(-1);
    if (!last) return {met: false, note: 'not tried yet'};
    const recent = all.filter(sample => sample.at > referee.now - window);
    const ms = percentile(recent.length > 0 ? recent : [last]);
    return {met: recent.length > 0 && ms < below, note: ms === Infinity ? 'refused' : `p99 ${Math.round(ms)} ms`};
  },
  probes: ({object}) => [{write: object}],
};

/** The time that 99 of 100 stayed under; a try that failed took forever. */
function percentile(samples: readonly Sample[]): number {
  const times = samples.map(({status, tookMs}) => (status === 200 ? tookMs : Infinity)).toSorted((a, b) => a - b);
  return times[Math.ceil(times.length * SHARE) - 1] ?? Infinity;
}
