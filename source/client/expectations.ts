// A controller that has just asked for three pods must not ask again because its informer has not seen them yet. It expects
// them: each one that is seen, and each create that failed, lowers the expectation; until it is met the controller only looks.
// An expectation that is not met in five minutes is given up, as something was missed.
import type {Clock} from '../sim/clock.ts';

const GIVE_UP_MS = 5 * 60_000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly since: number;
}

/** What a controller expects to see, by the key of its own object. */
export class Expectations {
  readonly #clock: Clock;
  readonly #expected = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has everything that was asked for been seen (or given up)? */
  met(key: string): boolean {
    const expected = this.#expected.get(key);
    if (!expected) return true;
    return (expected.creations <= 0 && expected.deletions.size === 0) || this.#clock.now - expected.since > GIVE_UP_MS;
  }

  /** Expects `count` new objects. */
  creations(key: string, count: number): void {
    this.#expected.set(key, {creations: count, deletions: new Set(), since: this.#clock.now});
  }

  /** Expects objects to go, each by a name of its own (`namespace/name` or a uid). */
  deletions(key: string, names: readonly string[]): void {
    this.#expected.set(key, {creations: 0, deletions: new Set(names), since: this.#clock.now});
  }

  /** One was seen, or its create failed. */
  created(key: string, count = 1): void {
    const expected = this.#expected.get(key);
    if (expected) expected.creations -= count;
  }

  /** One went, or its delete failed. */
  deleted(key: string, name: string): void {
    this.#expected.get(key)?.deletions.delete(name);
  }

  /** The controller's own object is gone. */
  forget(key: string): void {
    this.#expected.delete(key);
  }
}
