// The letters that end a generated name. Each prefix has a row of chance of its own, so that what else is created in a cluster does
// not change what the pods of a ReplicaSet are called.
import type {Dice} from '../../../sim/dice.ts';

/** So many prefixes are remembered; one that was forgotten begins its row anew, and `create` tries again where a name is taken. */
const MOST_PREFIXES = 20_000;

export class GeneratedNames {
  readonly #dice: Dice;
  readonly #rows = new Map<string, Dice>();

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** The prefix with five letters after it; `place` is where the object will lie. */
  next(prefix: string, place: string): string {
    const key = `${place}/${prefix}`;
    let row = this.#rows.get(key);
    if (!row) {
      if (this.#rows.size >= MOST_PREFIXES) for (const oldest of this.#rows.keys()) if (this.#rows.delete(oldest)) break;
      row = this.#dice.of(key);
      this.#rows.set(key, row);
    }
    // In one piece, as it lives long and is a key of many maps.
    return [prefix, row.suffix()].join('');
  }
}
