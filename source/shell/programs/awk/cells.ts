// Where awk keeps its values: variables that are a value or an array, whichever they are used as first.
import type {Value} from './values.ts';

/** One variable. A parameter that was given a variable without a value shares the array that it may become. */
export class Cell {
  value: Value;
  #array: Map<string, Value> | undefined;
  readonly #origin: Cell | undefined;

  constructor(value?: Value, origin?: Cell) {
    this.value = value;
    this.#origin = origin;
  }

  get isArray(): boolean {
    return this.#array !== undefined || this.#origin?.isArray === true;
  }

  get array(): Map<string, Value> {
    this.#array ??= this.#origin ? this.#origin.array : new Map();
    return this.#array;
  }
}
