// Waiting for something to happen in the cluster.
import type {Timer} from '../../sim/clock.ts';
import {wait, type Task} from '../../sim/task.ts';

/** Wakes those who wait for the next piece of news. */
export class News {
  #waiting: (() => void)[] = [];

  /** Something happened. */
  tell(): void {
    if (this.#waiting.length === 0) return;
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  /** Waits for the next piece of news, at most so long. */
  *next(mostMs: number): Task {
    yield* wait<void>((wake, scope) => {
      const state: {timer?: Timer} = {};
      const once = () => {
        if (state.timer) scope.clock.cancel(state.timer);
        this.#waiting = this.#waiting.filter(each => each !== once);
        scope.soon(() => wake());
      };
      state.timer = scope.after(mostMs, once);
      this.#waiting.push(once);
    });
  }
}
