// A work queue holds keys that want a look, each once. A key that is added while it is being worked on is worked on again
// afterwards. A key that failed comes back after a wait that doubles (5 ms up to 1000 s). Each key keeps the first and the latest
// cause of its being here; the look is traced with both.
import type {Daemon} from '../sim/daemon.ts';
import type {Task} from '../sim/task.ts';

/** What a look came to: nothing more (undefined), try again with back-off, or look again after a time. */
export type Outcome = undefined | void | 'again' | {readonly afterMs: number};

export interface WorkQueueOptions {
  readonly daemon: Daemon;
  /** The loop's name in the trace, as `deployment-controller`. */
  readonly name: string;
  /** Looks at a key: plans and sends. A task where it has to wait for answers. */
  readonly reconcile: (key: string) => Outcome | Task<Outcome>;
  /** How many keys are worked on at once. */
  readonly workers?: number;
  /** How long a key lies before it is looked at, so that changes that come together are seen together. */
  readonly lieMs?: number;
  /** The first wait of a key that failed. */
  readonly firstRetryMs?: number;
}

const FIRST_RETRY_MS = 5;
const LONGEST_RETRY_MS = 1_000_000;

interface Item {
  first: number;
  latest: number;
}

/** Keys, and the loop that works on them. */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting = new Map<string, Item>();
  readonly #working = new Set<string>();
  readonly #again = new Map<string, Item>();
  readonly #failures = new Map<string, number>();
  readonly #due = new Map<string, number>();
  #open = false;
  #scheduled = false;
  #hurried = false;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** Begins to work; keys that were added before are kept until then. */
  start(): void {
    this.#open = true;
    this.#schedule();
  }

  /** Stops working, as a controller-manager that lost its lease. */
  stop(): void {
    this.#open = false;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** Wants a look at a key. */
  add(key: string): void {
    const {cause} = this.#options.daemon.clock;
    const where = this.#working.has(key) ? this.#again : this.#waiting;
    const item = where.get(key);
    if (item) item.latest = cause;
    else where.set(key, {first: cause, latest: cause});
    if (where === this.#waiting) this.#schedule();
  }

  /** Wants a look at a key at once: what lies here with it need not lie any longer. */
  addNow(key: string): void {
    this.add(key);
    if (this.#hurried || !this.#open || this.#options.lieMs === undefined) return;
    this.#hurried = true;
    this.#options.daemon.scope.after(1, () => {
      this.#hurried = false;
      this.#work();
    });
  }

  /** Wants a look at a key after a time. An earlier wish for the same key stands. */
  addAfter(key: string, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const {clock, scope} = this.#options.daemon;
    const due = clock.now + delayMs;
    const known = this.#due.get(key);
    if (known !== undefined && known <= due && known > clock.now) return;
    this.#due.set(key, due);
    scope.after(delayMs, () => {
      if (this.#due.get(key) === due) {
        this.#due.delete(key);
        this.add(key);
      }
    });
  }

  /** Wants another try of a key that failed. */
  retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.min(LONGEST_RETRY_MS, (this.#options.firstRetryMs ?? FIRST_RETRY_MS) * 2 ** Math.min(failures, 30)));
  }

  #schedule(): void {
    if (this.#scheduled || !this.#open || this.#waiting.size === 0) return;
    this.#scheduled = true;
    this.#options.daemon.scope.after(this.#options.lieMs ?? 1, () => {
      this.#scheduled = false;
      this.#work();
    });
  }

  #work(): void {
    const {workers = 5} = this.#options;
    for (const [key, item] of this.#waiting) {
      if (!this.#open || this.#working.size >= workers) return;
      this.#waiting.delete(key);
      this.#look(key, item);
    }
  }

  #look(key: string, item: Item): void {
    const {daemon, name, reconcile} = this.#options;
    const {clock} = daemon;
    const before = clock.cause;
    clock.cause = item.latest;
    daemon.trace.note(name, 'sync', key, undefined, item.first);
    const outcome = reconcile(key);
    if (isTask(outcome)) {
      this.#working.add(key);
      daemon.scope.run(outcome, result => {
        this.#working.delete(key);
        this.#settle(key, result);
        const again = this.#again.get(key);
        if (again) {
          this.#again.delete(key);
          this.#waiting.set(key, again);
        }
        this.#schedule();
      });
    } else {
      this.#settle(key, outcome);
    }
    clock.cause = before;
  }

  #settle(key: string, outcome: Outcome): void {
    if (outcome === 'again') {
      this.retry(key);
      return;
    }
    this.#failures.delete(key);
    if (outcome) this.addAfter(key, outcome.afterMs);
  }
}

function isTask(outcome: Outcome | Task<Outcome>): outcome is Task<Outcome> {
  return typeof outcome === 'object' && outcome !== null && 'next' in outcome;
}
