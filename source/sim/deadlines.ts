// Deadlines of the same length, many of them, most never reached: they end in the order in which they began, so one timer for
// the oldest is enough, and an answered request leaves nothing in the clock.
import type {Timer} from './clock.ts';
import type {Scope} from './task.ts';

/** Who waits, and is told when it was in vain. */
export interface Patient {
  miss(): void;
}

/** A deadline that can be called off. */
export interface Deadline {
  readonly due: number;
  patient: Patient | undefined;
}

/** A row of deadlines of one length. */
export class Deadlines {
  readonly #scope: Scope;
  readonly #lengthMs: number;
  #row: Deadline[] = [];
  #head = 0;
  #timer: Timer | undefined;

  constructor(scope: Scope, lengthMs: number) {
    this.#scope = scope;
    this.#lengthMs = lengthMs;
  }

  /** The patient misses it after the length of time, unless `met` came first. */
  add(patient: Patient): Deadline {
    const deadline: Deadline = {due: this.#scope.clock.now + this.#lengthMs, patient};
    this.#row.push(deadline);
    if (!this.#timer) this.#arm(deadline.due);
    return deadline;
  }

  /** Calls a deadline off. */
  met(deadline: Deadline): void {
    deadline.patient = undefined;
    // Answers come mostly in order, so the head moves along with them.
    while (this.#head < this.#row.length && !this.#row[this.#head]?.patient) this.#head++;
    if (this.#head === this.#row.length) {
      this.#row.length = 0;
      this.#head = 0;
      // Nobody waits: nothing is to happen.
      this.#scope.clock.cancel(this.#timer);
      this.#timer = undefined;
    } else if (this.#head > 1024 && this.#head * 2 > this.#row.length) {
      this.#row = this.#row.slice(this.#head);
      this.#head = 0;
    }
  }

  #arm(due: number): void {
    this.#timer = this.#scope.after(due - this.#scope.clock.now, () => this.#ring());
  }

  #ring(): void {
    this.#timer = undefined;
    const {now} = this.#scope.clock;
    const late: Deadline[] = [];
    while (this.#head < this.#row.length) {
      const first = this.#row[this.#head];
      if (!first || (first.patient && first.due > now)) break;
      if (first.patient) late.push(first);
      this.#head++;
    }
    const next = this.#row[this.#head];
    if (next) this.#arm(next.due);
    else {
      this.#row.length = 0;
      this.#head = 0;
    }
    for (const deadline of late) deadline.patient?.miss();
  }
}
