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
/** How far requests may run virtual time ahead of real time, in milliseconds. */
const LEAD_MS = 100;
/** Events between two looks at the host's clock. */
const EVENTS_A_LOOK = 8;

/** The heart of a running game. */
export class Pump {
  readonly #options: PumpOptions;
  #last: number | undefined;
  #target = 0;
  #beating = false;
  /** How far virtual time is ahead of the target because somebody waited for an answer. */
  #lead = 0;
  /** Does anybody wait for an answer now? */
  #hurried: (() => boolean) | undefined;
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

  /**
   * One beat at a time of the host, up to `limit` at most; false when somebody still waits whom more work would serve. Does nothing
   * while the last one still works.
   */
  async beat(nowMs: number, limit = Infinity): Promise<boolean> {
    if (this.#beating || this.#paused) return true;
    const {clock} = this.#options.kernel;
    this.#aim(nowMs);
    this.#target = Math.min(this.#target, limit);
    const done = await this.#work(this.#target);
    this.#target = Math.min(this.#target, clock.now + LONGEST_MS * this.speed);
    this.#lead = Math.max(0, clock.now - this.#target);
    // What a beat did not come to the end of, it does not add to.
    if (!this.#hurried?.()) return true;
    return done ? this.hurry(nowMs, this.#hurried) : false;
  }

  /** Moves the target by the real time that has passed. What requests took in advance counts as passed already. */
  #aim(nowMs: number): void {
    const {clock} = this.#options.kernel;
    const passed = this.#last === undefined ? 0 : Math.min(LONGEST_MS, nowMs - this.#last);
    this.#last = nowMs;
    this.#target = Math.max(this.#target, clock.now - this.#lead) + passed * this.speed;
  }

  /**
   * Runs virtual time ahead while somebody waits for an answer, so that he need not wait for the next beat: at most 100 ms, which
   * the coming beats make good. Whatever takes longer waits in real time. With a clock that stands still (paused, or speed 0) nothing
   * is made good, and each call may take its 100 ms. False when there is more to do for him at once, after others had their turn.
   */
  async hurry(nowMs: number, isWaiting: () => boolean): Promise<boolean> {
    this.#hurried = isWaiting;
    if (this.#beating) return true;
    const {clock} = this.#options.kernel;
    const still = this.#paused || this.speed === 0;
    if (!still) this.#aim(nowMs);
    this.#lead = still ? 0 : Math.max(0, clock.now - this.#target);
    const done = await this.#work(clock.now - this.#lead + LEAD_MS, {isWanted: isWaiting, settle: false});
    this.#lead = still ? 0 : Math.max(0, clock.now - this.#target);
    return done;
  }

  /** Lets virtual time pass up to `until`, as fast as it can, also while paused; false when the budget ended it before. */
  async run(until: number, budgetMs = Infinity): Promise<boolean> {
    return this.#work(until, {budgetMs});
  }

  /** Runs what is due next, and all that is due at that same instant. */
  async step(): Promise<void> {
    const {clock} = this.#options.kernel;
    if (clock.next < Infinity) await this.#work(clock.next);
  }

  async #work(until: number, {budgetMs = BUDGET_MS, isWanted, settle = true}: Work = {}): Promise<boolean> {
    const {kernel, hostNow} = this.#options;
    const {clock} = kernel;
    this.#beating = true;
    try {
      const start = hostNow();
      clock.laboured = false;
      for (let events = 1; clock.next <= until; events++) {
        if (isWanted && !isWanted()) return true;
        const settled = kernel.step();
        if (settled) await settled;
        // A budget never ends within an instant: what comes in between two beats would else depend on the host's speed.
        if (!clock.laboured && events % EVENTS_A_LOOK !== 0) continue;
        if (clock.next > clock.now && (hostNow() - start > budgetMs || (clock.laboured && budgetMs < Infinity))) return false;
      }
      if (settle && until > clock.now) clock.settle(until);
      return true;
    } finally {
      this.#beating = false;
    }
  }
}

interface Work {
  readonly budgetMs?: number;
  /** Work ends when this does not hold any more. */
  readonly isWanted?: () => boolean;
  /** Does the clock move on to the end when nothing is due before it? */
  readonly settle?: boolean;
}
