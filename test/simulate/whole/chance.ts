// Dice with the questions that a maker of random things asks.
import {Dice} from '../../../source/sim/dice.ts';

/** Throws for whoever makes things. */
export class Chance {
  readonly #dice: Dice;

  constructor(seed: number, name: string) {
    this.#dice = new Dice(seed).of(name);
  }

  below(limit: number): number {
    return this.#dice.below(limit);
  }

  /** True in so many of a hundred throws. */
  percent(part: number): boolean {
    return this.#dice.below(100) < part;
  }

  /** One of these. */
  of<T>(...choices: readonly T[]): T {
    return this.pick(choices) as T;
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.#dice.below(choices.length)];
  }

  /** `value`, in so many of a hundred throws; else nothing. */
  maybe<T extends object>(part: number, value: () => T): T | Record<string, never> {
    return this.percent(part) ? value() : {};
  }
}
