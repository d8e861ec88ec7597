// What must wait inside the cluster is a task: a generator that yields waits. No promises: a task runs within events of the
// clock, so its order is the clock's.
//
//     function* renew(client: Client): Task {
//       for (;;) {
//         yield* sleep(10_000);
//         const answer = yield* client.get(leases, 'kube-system', 'kube-scheduler');
//       }
//     }
//
// A scope is what a process's tasks and timers live in: stopping it drops them all, pausing it holds them.
import type {Clock, Timer} from './clock.ts';

/** Begins a wait. `wake` resumes the task, at once and once; whoever wakes from the middle of other work uses `scope.soon`. */
export type Wait = (wake: (value?: unknown) => void, scope: Scope) => void;

/** A piece of work that can wait: run it with `scope.run`, or from another task with `yield*`. */
export type Task<T = void> = Generator<Wait, T, unknown>;

/** Something that ends with a scope. */
export interface Ending {
  stop(): void;
}

/** The timers and tasks that live and die together. */
export class Scope {
  readonly clock: Clock;
  #state: 'running' | 'paused' | 'stopped' = 'running';
  #held: (() => void)[] = [];
  #endings = new Set<Ending>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  get stopped(): boolean {
    return this.#state === 'stopped';
  }

  get running(): boolean {
    return this.#state === 'running';
  }

  get paused(): boolean {
    return this.#state === 'paused';
  }

  /** Runs `run` after `delayMs`, unless the scope was stopped by then; where it is paused, when it is resumed. */
  after(delayMs: number, run: () => void): Timer {
    return this.clock.after(delayMs, () => this.enter(run));
  }

  /** Runs `run` at this same instant, after what runs now. */
  soon(run: () => void): Timer {
    return this.after(0, run);
  }

  /** Runs `run` every `periodMs`, the first time after `firstMs`. */
  every(periodMs: number, run: () => void, firstMs = periodMs): void {
    this.after(firstMs, () => {
      run();
      this.every(periodMs, run);
    });
  }

  /** Runs `run` now: not at all when stopped, later when paused. The door for whatever comes from outside. */
  enter(run: () => void): void {
    if (this.#state === 'running') run();
    else if (this.#state === 'paused') this.#held.push(run);
  }

  /** Starts a task now; `done` gets what it returns. */
  run<T>(task: Task<T>, done?: (value: T) => void): void {
    this.enter(() => advance(this, task, undefined, done));
  }

  /** Calls `ending` when the scope is stopped; the answer takes that back. */
  onStop(ending: () => void): () => void {
    const item = {stop: ending};
    this.#endings.add(item);
    return () => this.#endings.delete(item);
  }

  /** The same for an object that can be stopped, without a closure: `detach` takes it back. */
  attach(ending: Ending): void {
    this.#endings.add(ending);
  }

  detach(ending: Ending): void {
    this.#endings.delete(ending);
  }

  /** Drops all timers and tasks, for good. */
  stop(): void {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#held = [];
    const endings = [...this.#endings];
    this.#endings.clear();
    for (const ending of endings) ending.stop();
  }

  /** Holds everything until `resume`. */
  pause(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  /** Goes on, first with what was held, in the order in which it came. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'running';
    const held = this.#held;
    this.#held = [];
    for (const run of held) this.soon(run);
  }
}

function advance<T>(scope: Scope, task: Task<T>, first: unknown, done: ((value: T) => void) | undefined): void {
  let value = first;
  for (;;) {
    const step = task.next(value);
    if (step.done) {
      done?.(step.value);
      return;
    }
    let waiting = false;
    let woken = false;
    step.value(result => {
      if (woken) return;
      woken = true;
      value = result;
      if (waiting) scope.enter(() => advance(scope, task, result, done));
    }, scope);
    if (!woken) {
      waiting = true;
      return;
    }
  }
}

/** Waits for `delayMs` of virtual time. */
export function* sleep(delayMs: number): Task {
  yield (wake, scope) => scope.after(delayMs, wake);
}

/** Waits for whatever `start` begins; the task goes on with the value given to `wake`. */
export function* wait<T>(start: (wake: (value: T) => void, scope: Scope) => void): Task<T> {
  return (yield start as Wait) as T;
}

/** Runs several tasks side by side and waits for all; their values in the order of the tasks. */
export function* all<T>(tasks: readonly Task<T>[]): Task<T[]> {
  if (tasks.length === 0) return [];
  return yield* wait<T[]>((wake, scope) => {
    const values: T[] = [];
    let left = tasks.length;
    for (const [index, task] of tasks.entries()) {
      scope.run(task, value => {
        values[index] = value;
        if (--left === 0) wake(values);
      });
    }
  });
}

/** Something that tasks can wait for again and again: `fire` wakes all that wait now. */
export class Signal {
  #waiting: ((fired: boolean) => void)[] = [];

  /** Waits until it fires (true), or until `timeoutMs` have passed (false). */
  *wait(timeoutMs = Infinity): Task<boolean> {
    return yield* wait<boolean>((wake, scope) => {
      const timer = timeoutMs === Infinity ? undefined : scope.after(timeoutMs, () => wake(false));
      this.#waiting.push(fired => {
        scope.clock.cancel(timer);
        scope.soon(() => wake(fired));
      });
    });
  }

  /** Wakes all that wait, each in an event of its own. */
  fire(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake(true);
  }
}
