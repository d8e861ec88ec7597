// Waits that double up to a bound.
import type {Dice} from '../sim/dice.ts';

/** `dice` adds up to as much again to each wait. */
export interface BackoffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
  readonly dice?: Dice;
}

/** The row of waits of one who tries again and again. */
export class Backoff {
  readonly #options: BackoffOptions;
  #tries = 0;

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  /** The next wait in milliseconds. */
  next(): number {
    const {firstMs, mostMs, dice} = this.#options;
    const wait = Math.min(mostMs, firstMs * 2 ** Math.min(this.#tries++, 30));
    return dice ? wait * (1 + dice.fraction()) : wait;
  }

  reset(): void {
    this.#tries = 0;
  }
}
