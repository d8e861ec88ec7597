// What is said after a win: the score and why, what happened in the machine, and the player's own way.
import type {Entry} from '../course.ts';
import {scoreOf} from '../score.ts';
import {PLACES, type Place} from './own-way.ts';
import {solutionWrites} from './solution.ts';
import type {Debrief, LevelState, WayStep} from './state.ts';

export interface Played {
  readonly entry: Entry;
  readonly hostNow: () => number;
  readonly next: string | undefined;
  /** Virtual milliseconds from the start to the win. */
  readonly ms: number;
  /** How many hints were taken. */
  readonly hints: number;
  readonly way: readonly WayStep[];
  readonly state: LevelState;
}

/** The debrief of a run that was won; the level's own solution is played once to know how few writes it needs. */
export async function debriefOf({entry: {level}, hostNow, next, ms, hints, way, state}: Played): Promise<Debrief> {
  const prices = state.hints.slice(0, hints).map(hint => hint.stars);
  const starBreaches = state.breaches.filter(breach => breach.severity === 'star').length;
  const {writes} = state;
  const score = scoreOf({hintPrices: prices, starBreaches, writes, solutionWrites: await solutionWrites(level, hostNow)});
  const {model, seed = level.idea, production = '', exam = '', commands = []} = level.debrief;
  return {
    score,
    ms,
    writes,
    model,
    lesson: seed,
    production,
    exam,
    commands,
    way: [...way],
    looked: lookedAt(way),
    next,
    keptAs: undefined,
  };
}

/** Where the player looked first at each place of the way, in the order of the way; never looked at where `at` is absent. */
function lookedAt(way: readonly WayStep[]): Debrief['looked'] {
  const firsts = new Map<Place, WayStep>();
  for (const step of way) for (const place of step.looks) if (!firsts.has(place)) firsts.set(place, step);
  const order = [...firsts.keys()];
  return PLACES.map(place => ({place, at: firsts.get(place)?.at, nth: order.indexOf(place) + 1}));
}
