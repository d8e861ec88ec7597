// Virtual time. The clock holds what is still to happen in a total order: due time first, then the order of asking, so two
// events never tie. Every event remembers the cause (a trace entry's number) that was current when it was asked for, and
// restores it before it runs: nobody hands causes on by hand.
//
// What is due at once goes through a plain queue instead of the heap. That keeps the order, because whatever is asked for
// now was asked later than all that already waits in the heap for this same instant.
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

/** Milliseconds of virtual time since the start of the world, and everything that waits for them. */
export class Clock {
  now = 0;
  /** The trace entry that caused what runs now; 0 for none. */
  cause = 0;
  /** How many events have run. */
  count = 0;
  #heap: Timer[] = [];
  #soon: Timer[] = [];
  #head = 0;
  #order = 0;
  #atInstant = 0;

  /** Runs `run` at `due` (milliseconds), or at once where that is past. */
  at(due: number, run: () => void): Timer {
    const timer: Timer = {due: due > this.now ? due : this.now, order: this.#order++, cause: this.cause, run};
    if (timer.due === this.now) this.#soon.push(timer);
    else this.#push(timer);
    return timer;
  }

  /** Runs `run` after `delayMs`. */
  after(delayMs: number, run: () => void): Timer {
    return this.at(this.now + delayMs, run);
  }

  /** Takes an event back; nothing happens when it has run already. */
  cancel(timer: Timer | undefined): void {
    if (timer) timer.run = null;
  }

  /** When the next event is due; Infinity when nothing waits. */
  get next(): number {
    const soon = this.#peekSoon();
    if (soon) return this.now;
    return this.#peekHeap()?.due ?? Infinity;
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
    const soon = this.#peekSoon();
    const top = this.#peekHeap();
    if (soon && !(top && top.due <= soon.due && top.order < soon.order)) {
      this.#head++;
      if (this.#head === this.#soon.length) {
        this.#soon.length = 0;
        this.#head = 0;
      }
      return soon;
    }
    if (top) this.#pop();
    return top;
  }

  #peekSoon(): Timer | undefined {
    for (;;) {
      const timer = this.#soon[this.#head];
      if (!timer || timer.run) return timer;
      this.#head++;
      if (this.#head >= this.#soon.length) {
        this.#soon.length = 0;
        this.#head = 0;
      }
    }
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
