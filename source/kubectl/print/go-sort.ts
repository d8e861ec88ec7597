// Sorts as Go's `sort.Sort` does: lists of up to twelve keep the order of equals; longer ones are parted around pivots (pattern-defeating
// quicksort), and then equals come as they come. What kubectl sorts so is seen: events of one second, rows with the same key.
const SHORT = 12;
const LONG = 50;
const MOST_STEPS = 5;
const MOST_SWAPS = 12;

type Hint = 'rising' | 'falling' | 'unknown';

/** The items in Go's order. */
export function goSorted<T>(items: readonly T[], less: (a: T, b: T) => boolean): T[] {
  const sorter = new Sorter(items, less);
  sorter.sort(0, items.length, 32 - Math.clz32(items.length));
  return sorter.items;
}

class Sorter<T> {
  readonly items: T[];
  readonly #compare: (a: T, b: T) => boolean;

  constructor(items: readonly T[], compare: (a: T, b: T) => boolean) {
    this.items = [...items];
    this.#compare = compare;
  }

  #less(i: number, j: number): boolean {
    return this.#compare(this.items[i] as T, this.items[j] as T);
  }

  #swap(i: number, j: number): void {
    const kept = this.items[i] as T;
    this.items[i] = this.items[j] as T;
    this.items[j] = kept;
  }

  /** Sorts from `from` up to `to`; with no bad choice of a pivot left, by a heap. */
  sort(from: number, to: number, badLeft: number): void {
    let [start, end, left] = [from, to, badLeft];
    let balanced = true;
    let parted = true;
    for (;;) {
      const length = end - start;
      if (length <= SHORT) return this.#insert(start, end);
      if (left === 0) return this.#heap(start, end);
      if (!balanced) {
        this.#scatter(start, end);
        left--;
      }
      let {pivot, hint} = this.#choose(start, end);
      if (hint === 'falling') {
        this.#reverse(start, end);
        pivot = end - 1 - (pivot - start);
        [balanced, parted, hint] = [true, true, 'rising'];
      }
      if (balanced && parted && hint === 'rising' && this.#nearlySorted(start, end)) return undefined;
      if (start > 0 && !this.#less(start - 1, pivot)) {
        start = this.#partEqual(start, end, pivot);
        continue;
      }
      const {middle, already} = this.#part(start, end, pivot);
      parted = already;
      const [below, above] = [middle - start, end - middle];
      balanced = Math.min(below, above) >= Math.floor(length / 8);
      if (below < above) {
        this.sort(start, middle, left);
        start = middle + 1;
      } else {
        this.sort(middle + 1, end, left);
        end = middle;
      }
    }
  }

  #insert(from: number, to: number): void {
    for (let i = from + 1; i < to; i++) for (let j = i; j > from && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
  }

  #heap(from: number, to: number): void {
    const length = to - from;
    for (let i = Math.floor((length - 1) / 2); i >= 0; i--) this.#sink(i, length, from);
    for (let i = length - 1; i >= 0; i--) {
      this.#swap(from, from + i);
      this.#sink(0, i, from);
    }
  }

  #sink(from: number, length: number, first: number): void {
    for (let root = from; ;) {
      let child = 2 * root + 1;
      if (child >= length) return;
      if (child + 1 < length && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  #part(from: number, to: number, pivot: number): {middle: number; already: boolean} {
    this.#swap(from, pivot);
    let [i, j] = [from + 1, to - 1];
    let already = true;
    for (;;) {
      while (i <= j && this.#less(i, from)) i++;
      while (i <= j && !this.#less(j, from)) j--;
      if (i > j) break;
      already = false;
      this.#swap(i++, j--);
    }
    this.#swap(j, from);
    return {middle: j, already};
  }

  #partEqual(from: number, to: number, pivot: number): number {
    this.#swap(from, pivot);
    let [i, j] = [from + 1, to - 1];
    for (;;) {
      while (i <= j && !this.#less(from, i)) i++;
      while (i <= j && this.#less(from, j)) j--;
      if (i > j) return i;
      this.#swap(i++, j--);
    }
  }

  /** A few swaps may be all that is missing. */
  #nearlySorted(from: number, to: number): boolean {
    let i = from + 1;
    for (let step = 0; step < MOST_STEPS; step++) {
      while (i < to && !this.#less(i, i - 1)) i++;
      if (i === to) return true;
      if (to - from < LONG) return false;
      this.#swap(i, i - 1);
      if (i - from >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (to - i >= 2) for (let j = i + 1; j < to && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  /** Moves three items about, so that no pattern makes every pivot a bad one. */
  #scatter(from: number, to: number): void {
    const length = to - from;
    if (length < 8) return;
    let random = BigInt(length);
    const mask = (1n << BigInt(length.toString(2).length)) - 1n;
    const place = from + Math.floor(length / 4) * 2 - 1;
    for (let i = 0; i < 3; i++) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 7n;
      random ^= BigInt.asUintN(64, random << 17n);
      let other = Number(random & mask);
      if (other >= length) other -= length;
      this.#swap(place + i, from + other);
    }
  }

  #choose(from: number, to: number): {pivot: number; hint: Hint} {
    const length = to - from;
    const quarter = Math.floor(length / 4);
    const count = {swaps: 0};
    let [i, j, k] = [from + quarter, from + quarter * 2, from + quarter * 3];
    if (length >= 8) {
      if (length >= LONG) [i, j, k] = [this.#around(i, count), this.#around(j, count), this.#around(k, count)];
      j = this.#median([i, j, k], count);
    }
    const hint = count.swaps === 0 ? 'rising' : count.swaps === MOST_SWAPS ? 'falling' : 'unknown';
    return {pivot: j, hint};
  }

  #around(i: number, count: {swaps: number}): number {
    return this.#median([i - 1, i, i + 1], count);
  }

  #median([first, second, third]: readonly [number, number, number], count: {swaps: number}): number {
    let [a, b, c] = [first, second, third];
    if (this.#less(b, a)) [a, b, count.swaps] = [b, a, count.swaps + 1];
    if (this.#less(c, b)) [b, c, count.swaps] = [c, b, count.swaps + 1];
    if (this.#less(b, a)) [a, b, count.swaps] = [b, a, count.swaps + 1];
    return c === b ? c : b;
  }

  #reverse(from: number, to: number): void {
    for (let [i, j] = [from, to - 1]; i < j; i++, j--) this.#swap(i, j);
  }
}
