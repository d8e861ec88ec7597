// Ties virtual time to real time. A beat lets as much virtual time pass as real time did, times the speed, and works for no
// longer than its budget: what is left over is dropped, so a cluster that is too busy runs slow instead of freezing the screen.
// Real time comes in as an argument; nothing here reads a clock of the host but through `hostNow`.
import type {Kernel} from '../sim/process/kernel.ts';

export interface PumpOptions {
  readonly kernel: Kernel;
  /** Milliseconds of the host, from any start, for the budget. */
  readonly hostNow: () => number;
}

/** The longest that a beat works, in milliseconds of the host. */
const BUDGET_MS = 30;
/** The longest pause of the host that is made good: a laptop that slept does not catch up. */
const LONGEST_MS = 250;
/** Events between two looks at the host's clock. */
const EVENTS_A_LOOK = 64;

/** The heart of a running game. */
export class Pump {
  readonly #options: PumpOptions;
  #last: number | undefined;
  #target = 0;
  #beating = false;
  /** Virtual seconds a real second. */
  speed = 1;
  #paused = true;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#target = options.kernel.clock.now;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
    this.#last = undefined;
  }

  resume(): void {
    this.#paused = false;
  }

  /** One beat at a time of the host. Does nothing while the last one still works. */
  async beat(nowMs: number): Promise<void> {
    if (this.#beating || this.#paused) return;
    const {clock} = this.#options.kernel;
    const passed = this.#last === undefined ? 0 : Math.min(LONGEST_MS, nowMs - this.#last);
    this.#last = nowMs;
    this.#target = Math.max(this.#target, clock.now) + passed * this.speed;
    await this.#work(this.#target);
    this.#target = Math.min(this.#target, clock.now + LONGEST_MS * this.speed);
  }

  /** Lets virtual time pass up to `until`, as fast as it can, also while paused; false when the budget ended it before. */
  async run(until: number, budgetMs = Infinity): Promise<boolean> {
    return this.#work(until, budgetMs);
  }

  /** Runs what is due next, and all that is due at that same instant. */
  async step(): Promise<void> {
    const {clock} = this.#options.kernel;
    if (clock.next < Infinity) await this.#work(clock.next);
  }

  async #work(until: number, budgetMs = BUDGET_MS): Promise<boolean> {
    const {kernel, hostNow} = this.#options;
    const {clock} = kernel;
    this.#beating = true;
    try {
      const start = hostNow();
      for (let events = 1; clock.next <= until; events++) {
        const settled = kernel.step();
        if (settled) await settled;
        if (events % EVENTS_A_LOOK === 0 && hostNow() - start > budgetMs) return false;
      }
      if (until > clock.now) clock.settle(until);
      return true;
    } finally {
      this.#beating = false;
    }
  }
}
