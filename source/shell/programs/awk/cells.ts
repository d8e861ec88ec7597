// Where awk keeps its values: variables that are a value or an array, whichever they are used as first.
import {AwkProblem} from './tokens.ts';
import type {Value} from './values.ts';

/** More elements than this are refused, where a real awk would fill the machine's memory. */
const MOST_ELEMENTS = 1_000_000;

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

  /** Sets an element. */
  put(key: string, value: Value): void {
    const {array} = this;
    array.set(key, value);
    if (array.size > MOST_ELEMENTS) throw new AwkProblem('out of memory');
  }

  get array(): Map<string, Value> {
    this.#array ??= this.#origin ? this.#origin.array : new Map();
    return this.#array;
  }
}
