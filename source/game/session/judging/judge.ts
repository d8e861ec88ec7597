// Watches the goals of a level: which hold now and since when, which constraints were broken, and whether the level is won. It is
// asked after every instant in which the cluster changed, and when a goal that must hold for a time may have held long enough.
import {isDeepStrictEqual} from 'node:util';
import type {Referee} from '../../goals/check.ts';
import type {Level} from '../../level/level.ts';

export interface GoalState {
  readonly id: string;
  readonly text: string;
  /** Holds, and has held for as long as it must. */
  readonly met: boolean;
  /** Holds now, but not for long enough yet. */
  readonly holding: boolean;
  readonly note: string;
}

export interface Breach {
  readonly id: string;
  readonly severity: 'fail' | 'star' | 'note';
  readonly reason: string;
  /** Virtual milliseconds. */
  readonly at: number;
}

/** What the judge knows. */
export interface Judgement {
  readonly goals: readonly GoalState[];
  readonly breaches: readonly Breach[];
  readonly won: boolean;
  /** When to look again though nothing changes; Infinity for never. */
  readonly again: number;
}

/** The judge of one run of a level. */
export class Judge {
  readonly #level: Level;
  readonly #referee: Referee;
  readonly #since = new Map<string, number>();
  readonly #breaches = new Map<string, Breach>();
  #last: Judgement | undefined;

  constructor(level: Level, referee: Referee) {
    this.#level = level;
    this.#referee = referee;
  }

  /** Looks now. The same object as before where nothing is different. */
  look(): Judgement {
    const {now} = this.#referee;
    let again = Infinity;
    const goals = this.#level.objectives.map(({id, text, check, for: holdMs = 0}): GoalState => {
      const verdict = check.judge(this.#referee);
      if (!verdict.met) this.#since.delete(id);
      else if (!this.#since.has(id)) this.#since.set(id, now);
      const due = (this.#since.get(id) ?? Infinity) + holdMs;
      if (verdict.met && due > now) again = Math.min(again, due);
      return {id, text, met: verdict.met && due <= now, holding: verdict.met && due > now, note: verdict.note};
    });
    for (const {id, check, severity, reason} of this.#level.constraints ?? []) {
      if (!this.#breaches.has(id) && !check.judge(this.#referee).met) this.#breaches.set(id, {id, severity, reason, at: now});
    }
    const breaches = [...this.#breaches.values()];
    const won = goals.every(goal => goal.met) && !breaches.some(breach => breach.severity === 'fail');
    const next: Judgement = {goals, breaches, won, again};
    if (this.#last && isDeepStrictEqual(this.#last, next)) return this.#last;
    this.#last = next;
    return next;
  }
}
