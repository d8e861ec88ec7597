// Virtual time. The clock holds what is still to happen in a total order: due time first, then the order of asking, so two
// events never tie. Every event remembers the cause (a trace entry's number) that was current when it was asked for, and
// restores it before it runs: nobody hands causes on by hand.
//
// Most waits are of a few lengths: none at all, the way over a link, a sync of a disk. What waits equally long is due in the order
// of asking, so each of these lengths has a plain row, and only the rest goes through the heap. The next event is the first of
// the rows' heads and the heap's top in that same total order.
import {assert} from './assert.ts';

/** One thing that is still to happen. `run` is null once it was cancelled or has run. */
export interface Timer {
  readonly due: number;
  readonly order: number;
  readonly cause: number;
  run: (() => void) | null;
}

/** More events than this at one instant mean that two parts answer each other without end. */
const EVENTS_AT_ONE_INSTANT = 100_000;

/** The lengths that have rows: at once, links (own machine, another, two of them), an fsync, a work queue. */
const ROWS: readonly number[] = [0, 0.02, 0.1, 0.2, 0.5, 1];

/** Timers that are due in the order in which they stand. */
class Row {
  #timers: Timer[] = [];
  #head = 0;

  add(timer: Timer): void {
    this.#timers.push(timer);
  }

  /** The first that was not cancelled. */
  peek(): Timer | undefined {
    while (this.#head < this.#timers.length) {
      const timer = this.#timers[this.#head];
      if (timer?.run) return timer;
      this.drop();
    }
    return undefined;
  }

  /** Takes the first away. */
  drop(): void {
    this.#head++;
    if (this.#head >= this.#timers.length) {
      this.#timers.length = 0;
      this.#head = 0;
    } else if (this.#head >= LONG && this.#head * 2 > this.#timers.length) {
      this.#timers = this.#timers.slice(this.#head);
      this.#head = 0;
    }
  }
}

/** A row whose head is so far from its beginning is moved. */
const LONG = 4096;

/** Milliseconds of virtual time since the start of the world, and everything that waits for them. */
export class Clock {
  now = 0;
  /** The trace entry that caused what runs now; 0 for none. */
  cause = 0;
  /** Something long was done just now: who runs the clock beside real time may look after others first. */
  laboured = false;
  /** How many events have run. */
  count = 0;
  #heap: Timer[] = [];
  readonly #rows = ROWS.map(() => new Row());
  /** What was found to be next, and the row it is in (none: the heap), until something comes before it. */
  #first: Timer | undefined;
  #firstRow: Row | undefined;
  #order = 0;
  #atInstant = 0;

  /** Runs `run` at `due` (milliseconds), or at once where that is past. */
  at(due: number, run: () => void): Timer {
    return due > this.now ? this.#add(due, run, undefined) : this.#add(this.now, run, this.#rows[0]);
  }

  /** Runs `run` after `delayMs`. */
  after(delayMs: number, run: () => void): Timer {
    if (delayMs <= 0) return this.#add(this.now, run, this.#rows[0]);
    return this.#add(this.now + delayMs, run, this.#rows[ROWS.indexOf(delayMs)]);
  }

  #add(due: number, run: () => void, row: Row | undefined): Timer {
    const timer: Timer = {due, order: this.#order++, cause: this.cause, run};
    if (row) row.add(timer);
    else this.#push(timer);
    if (this.#first && due < this.#first.due) this.#first = undefined;
    return timer;
  }

  /** Takes an event back; nothing happens when it has run already. */
  cancel(timer: Timer | undefined): void {
    if (!timer) return;
    timer.run = null;
    if (timer === this.#first) this.#first = undefined;
  }

  /** When the next event is due; Infinity when nothing waits. */
  get next(): number {
    return (this.#first ??= this.#find())?.due ?? Infinity;
  }

  /** Runs the next event. False when none waits. */
  step(): boolean {
    const timer = this.#take();
    if (!timer) return false;
    if (timer.due > this.now) {
      this.now = timer.due;
      this.#atInstant = 0;
    }
    assert(++this.#atInstant < EVENTS_AT_ONE_INSTANT, `a hundred thousand events at ${this.now} ms`);
    this.count++;
    this.cause = timer.cause;
    const {run} = timer;
    timer.run = null;
    run?.();
    this.cause = 0;
    return true;
  }

  /** Lets time pass up to `until`, with nothing that is due by then left undone by the caller. */
  settle(until: number): void {
    assert(this.next > until, 'time cannot jump over an event');
    if (until > this.now) {
      this.now = until;
      this.#atInstant = 0;
    }
  }

  #take(): Timer | undefined {
    const timer = (this.#first ??= this.#find());
    if (!timer) return undefined;
    this.#first = undefined;
    if (this.#firstRow) this.#firstRow.drop();
    else this.#pop();
    return timer;
  }

  #find(): Timer | undefined {
    let first = this.#peekHeap();
    this.#firstRow = undefined;
    for (const row of this.#rows) {
      const timer = row.peek();
      if (!timer || (first && !isBefore(timer, first))) continue;
      first = timer;
      this.#firstRow = row;
    }
    return first;
  }

  #peekHeap(): Timer | undefined {
    for (;;) {
      const timer = this.#heap[0];
      if (!timer || timer.run) return timer;
      this.#pop();
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above] as Timer;
      if (!isBefore(timer, parent)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child++;
      if (!isBefore(heap[child] as Timer, last)) break;
      heap[index] = heap[child] as Timer;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
