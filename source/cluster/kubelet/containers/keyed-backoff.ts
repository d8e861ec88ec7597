// Waits that double, a row for each key: for containers that end again and again, and for images that cannot be pulled. A key
// that has been quiet for ten minutes begins anew.

const FIRST_MS = 10_000;
const QUIET_MS = 600_000;

interface Item {
  delayMs: number;
  at: number;
}

/** Back-offs by key. Times are the caller's. */
export class KeyedBackoff {
  readonly #firstMs: number;
  readonly #mostMs: number;
  readonly #items = new Map<string, Item>();

  constructor(mostMs = 300_000) {
    this.#firstMs = Math.min(FIRST_MS, mostMs);
    this.#mostMs = mostMs;
  }

  /** The wait that a key is in, and until when, counted from `since` (absent: from its last step). Undefined: none. */
  waiting(key: string, now: number, since?: number): {readonly delayMs: number; readonly until: number} | undefined {
    const item = this.#items.get(key);
    if (!item || this.#expired(item, since ?? now)) return undefined;
    const until = (since ?? item.at) + item.delayMs;
    return now < until ? {delayMs: item.delayMs, until} : undefined;
  }

  /** The next step of a key, because of something at `at`. */
  step(key: string, now: number, at = now): void {
    const item = this.#items.get(key);
    const delayMs = !item || this.#expired(item, at) ? this.#firstMs : Math.min(this.#mostMs, item.delayMs * 2);
    this.#items.set(key, {delayMs, at: now});
  }

  /** The pod is gone. */
  forget(key: string): void {
    this.#items.delete(key);
  }

  #expired(item: Item, at: number): boolean {
    return at - item.at > QUIET_MS;
  }
}
