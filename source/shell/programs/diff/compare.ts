// Which lines of two texts differ, as GNU diff chooses among the shortest ways: Myers' search from both ends for the middle of
// the way, again for what lies before and behind it, on lines that occur in both texts. Then runs of changes are moved: together
// where that makes fewer, else as far down as they go.
//
// Not: GNU's guess about lines that occur many times, which for some long texts gives another way of the same kind.

/** Lines `from` up to `to` of one text stand where these of the other did. */
export interface Change {
  readonly left: {readonly from: number; readonly to: number};
  readonly right: {readonly from: number; readonly to: number};
}

/** A search that costs more takes the best way that it has. */
const DEAREST = 1500;

/** How many lines at the beginning and the end of both are the same, and are not looked at. */
export interface Ends {
  readonly head: number;
  readonly tail: number;
}

/** What two texts begin and end with, but for so many lines beside what differs. */
export function sameEnds(left: readonly string[], right: readonly string[], horizon: number): Ends {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head++;
  let tail = 0;
  const most = Math.min(left.length, right.length) - head;
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  return {head: Math.max(0, head - horizon), tail: Math.max(0, tail - horizon)};
}

/** The changes that make the left lines the right ones, in order. Lines are compared by their keys. */
export function compareLines(left: readonly string[], right: readonly string[], {head, tail}: Ends): readonly Change[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines.slice(head, lines.length - tail), line => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const a = new Side(numbered(left));
  const b = new Side(numbered(right));
  const inLeft = new Set(a.lines);
  a.choose(new Set(b.lines));
  b.choose(inLeft);
  new Search(a, b).run({left: 0, leftEnd: a.chosen.length, right: 0, rightEnd: b.chosen.length});
  a.shift(b);
  b.shift(a);
  return changesOf(a, b, head);
}

/** One text: its lines as numbers, which of them are looked at, and which have changed. */
class Side {
  readonly lines: Int32Array;
  readonly changed: Uint8Array;
  /** Indexes of the lines that the search looks at. */
  chosen: number[] = [];

  constructor(lines: Int32Array) {
    this.lines = lines;
    this.changed = new Uint8Array(lines.length + 1);
  }

  /** Lines that the other text has not have changed for sure. */
  choose(others: ReadonlySet<number>): void {
    for (let index = 0; index < this.lines.length; index++) {
      if (others.has(this.lines[index] ?? -1)) this.chosen.push(index);
      else this.changed[index] = 1;
    }
  }

  at(index: number): number {
    return this.lines[this.chosen[index] ?? -1] ?? -1;
  }

  mark(from: number, to: number): void {
    for (let index = from; index < to; index++) this.changed[this.chosen[index] ?? 0] = 1;
  }

  /** Moves runs of changes: back to join one before, forward as far as can be, and then to where the other text changes too. */
  shift(other: Side): void {
    const {lines, changed} = this;
    const end = lines.length;
    const before = (index: number): number => changed[index - 1] ?? 0;
    let at = 0;
    let beside = 0;
    for (;;) {
      while (at < end && !changed[at]) {
        while (other.changed[beside]) beside++;
        beside++;
        at++;
      }
      if (at === end) return;
      let start = at;
      while (changed[at]) at++;
      while (other.changed[beside]) beside++;
      let length: number;
      let meeting: number;
      do {
        length = at - start;
        while (start > 0 && lines[start - 1] === lines[at - 1]) {
          changed[--start] = 1;
          changed[--at] = 0;
          while (before(start)) start--;
          do beside--;
          while (other.changed[beside]);
        }
        meeting = other.changed[beside - 1] ? at : end;
        while (at < end && lines[start] === lines[at]) {
          changed[start++] = 0;
          changed[at++] = 1;
          while (changed[at]) at++;
          beside++;
          while (other.changed[beside]) {
            meeting = at;
            beside++;
          }
        }
      } while (length !== at - start);
      while (meeting < at) {
        changed[--start] = 1;
        changed[--at] = 0;
        do beside--;
        while (other.changed[beside]);
      }
    }
  }
}

interface Box {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

/** The search for a shortest way through two rows of lines. */
class Search {
  readonly #left: Side;
  readonly #right: Side;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Diagonals may be negative. */
  readonly #zero: number;

  constructor(left: Side, right: Side) {
    this.#left = left;
    this.#right = right;
    this.#zero = right.chosen.length + 1;
    const size = left.chosen.length + right.chosen.length + 3;
    this.#forward = new Int32Array(size);
    this.#backward = new Int32Array(size);
  }

  run(box: Box): void {
    const waiting = [box];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      let {left, leftEnd, right, rightEnd} = next;
      while (left < leftEnd && right < rightEnd && this.#same(left, right)) {
        left++;
        right++;
      }
      while (left < leftEnd && right < rightEnd && this.#same(leftEnd - 1, rightEnd - 1)) {
        leftEnd--;
        rightEnd--;
      }
      if (left === leftEnd) this.#right.mark(right, rightEnd);
      else if (right === rightEnd) this.#left.mark(left, leftEnd);
      else {
        const middle = this.#middle({left, leftEnd, right, rightEnd});
        waiting.push(
          {left, leftEnd: middle.left, right, rightEnd: middle.right},
          {left: middle.left, leftEnd, right: middle.right, rightEnd},
        );
      }
    }
  }

  #same(left: number, right: number): boolean {
    return this.#left.at(left) === this.#right.at(right);
  }

  /** A place in the middle of a shortest way. */
  #middle(box: Box): {left: number; right: number} {
    const {left, leftEnd, right, rightEnd} = box;
    const forward = this.#forward;
    const backward = this.#backward;
    const zero = this.#zero;
    const least = left - rightEnd;
    const most = leftEnd - right;
    const from = left - right;
    const to = leftEnd - rightEnd;
    const isOdd = ((from - to) & 1) !== 0;
    let [low, high, lowBack, highBack] = [from, from, to, to];
    forward[zero + from] = left;
    backward[zero + to] = leftEnd;
    for (let cost = 1; ; cost++) {
      if (low > least) forward[zero + --low - 1] = -1;
      else low++;
      if (high < most) forward[zero + ++high + 1] = -1;
      else high--;
      for (let diagonal = high; diagonal >= low; diagonal -= 2) {
        const above = forward[zero + diagonal - 1] ?? -1;
        const below = forward[zero + diagonal + 1] ?? -1;
        let x = above < below ? below : above + 1;
        while (x < leftEnd && x - diagonal < rightEnd && this.#same(x, x - diagonal)) x++;
        forward[zero + diagonal] = x;
        if (isOdd && lowBack <= diagonal && diagonal <= highBack && (backward[zero + diagonal] ?? 0) <= x) {
          return {left: x, right: x - diagonal};
        }
      }
      if (lowBack > least) backward[zero + --lowBack - 1] = 0x7fffffff;
      else lowBack++;
      if (highBack < most) backward[zero + ++highBack + 1] = 0x7fffffff;
      else highBack--;
      for (let diagonal = highBack; diagonal >= lowBack; diagonal -= 2) {
        const above = backward[zero + diagonal - 1] ?? 0;
        const below = backward[zero + diagonal + 1] ?? 0;
        let x = above < below ? above : below - 1;
        while (x > left && x - diagonal > right && this.#same(x - 1, x - diagonal - 1)) x--;
        backward[zero + diagonal] = x;
        if (!isOdd && low <= diagonal && diagonal <= high && x <= (forward[zero + diagonal] ?? 0)) {
          return {left: x, right: x - diagonal};
        }
      }
      if (cost >= DEAREST) return this.#furthest(box, low, high);
    }
  }

  /** The place that the forward search came furthest to. */
  #furthest({leftEnd, right, rightEnd}: Box, low: number, high: number): {left: number; right: number} {
    let best = {left: 0, right};
    for (let diagonal = low; diagonal <= high; diagonal += 2) {
      const x = Math.min(this.#forward[this.#zero + diagonal] ?? 0, leftEnd);
      const y = x - diagonal;
      if (y <= rightEnd && x + y > best.left + best.right) best = {left: x, right: y};
    }
    return best;
  }
}

/** The runs of changed lines that face each other. */
function changesOf(a: Side, b: Side, offset: number): Change[] {
  const changes: Change[] = [];
  let left = 0;
  let right = 0;
  while (left < a.lines.length || right < b.lines.length) {
    if (!a.changed[left] && !b.changed[right]) {
      left++;
      right++;
      continue;
    }
    const [leftFrom, rightFrom] = [left, right];
    while (a.changed[left]) left++;
    while (b.changed[right]) right++;
    changes.push({left: {from: leftFrom + offset, to: left + offset}, right: {from: rightFrom + offset, to: right + offset}});
  }
  return changes;
}
