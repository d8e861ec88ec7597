// What was recommended for an autoscaler's target lately, and by how much it was changed.
import type {Clock} from '../../../sim/clock.ts';
import type {History} from './limits.ts';

const LONGEST_MEMORY_MS = 3_600_000;
const NONE: History = {recommendations: [], changes: []};

/** Histories by the autoscaler's key. */
export class Histories {
  readonly #clock: Clock;
  readonly #histories = new Map<string, History>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: string): boolean {
    return this.#histories.has(key);
  }

  of(key: string): History {
    return this.#histories.get(key) ?? NONE;
  }

  forget(key: string): void {
    this.#histories.delete(key);
  }

  recommended(key: string, replicas: number): void {
    this.#add(key, {recommendations: [{replicas, atMs: this.#clock.now}], changes: []});
  }

  changed(key: string, by: number): void {
    this.#add(key, {changes: [{by, atMs: this.#clock.now}], recommendations: []});
  }

  #add(key: string, more: History): void {
    const old = this.of(key);
    const since = this.#clock.now - LONGEST_MEMORY_MS;
    this.#histories.set(key, {
      recommendations: [...old.recommendations.filter(({atMs}) => atMs > since), ...more.recommendations],
      changes: [...old.changes.filter(({atMs}) => atMs > since), ...more.changes],
    });
  }
}
