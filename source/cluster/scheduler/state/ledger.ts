// The numbers that filtering and scoring read of every node, side by side in one array: eight to a node, which is one line of a
// processor's cache. With a thousand nodes and ten thousand decisions a second these loops wait for memory more than they reckon;
// the same numbers as fields of objects cost several times as much. Everything else about a node is read from its NodeInfo.

/** Where a number stands in a node's row. */
export const ALLOCATABLE_CPU = 0;
export const ALLOCATABLE_MEMORY = 1;
export const REQUESTED_CPU = 2;
export const REQUESTED_MEMORY = 3;
export const ASSUMED_CPU = 4;
export const ASSUMED_MEMORY = 5;
/** How many pods more the node takes. */
export const FREE_PODS = 6;
/** How many taints keep pods away. */
export const HARD_TAINTS = 7;

const ROW = 8;

/** The rows of many nodes. */
export class Ledger {
  numbers: Float64Array;
  readonly #free: number[] = [];
  #end = 0;

  constructor(rows = 1) {
    this.numbers = new Float64Array(rows * ROW);
  }

  /** An empty row: the index of its first number. */
  take(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const at = this.#end;
    this.#end += ROW;
    if (this.#end > this.numbers.length) {
      const larger = new Float64Array(this.#end * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    return at;
  }

  /** A row is not needed any more. */
  give(at: number): void {
    this.numbers.fill(0, at, at + ROW);
    this.#free.push(at);
  }

  /** A number of a row. */
  read(at: number, which: number): number {
    return this.numbers[at + which] as number;
  }

  write(at: number, which: number, value: number): void {
    this.numbers[at + which] = value;
  }
}
