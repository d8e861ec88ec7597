// Leases: a time to live that keys may be tied to. Every member knows them and their keys; only the leader counts the time,
// and when one runs out it proposes to revoke it, so that all members drop the keys at the same revision. A new leader gives
// every lease its full time again: it cannot know what its predecessor had promised last.

/** One lease as every member keeps it. */
export interface Lease {
  readonly id: number;
  readonly ttlSeconds: number;
  readonly keys: Set<string>;
}

/** The shortest time to live: an election must fit in, one and a half of them. */
const MIN_TTL_SECONDS = 2;

/** The longest: some 285 years. */
export const MAX_TTL_SECONDS = 9_000_000_000;

/** All leases and their keys. */
export class Leases {
  readonly #leases = new Map<number, Lease>();

  has(id: number): boolean {
    return this.#leases.has(id);
  }

  get(id: number): Lease | undefined {
    return this.#leases.get(id);
  }

  /** Ids in the order of granting. */
  get all(): readonly Lease[] {
    return [...this.#leases.values()];
  }

  grant(id: number, ttlSeconds: number, keys: readonly string[] = []): Lease {
    const lease: Lease = {id, ttlSeconds: Math.max(ttlSeconds, MIN_TTL_SECONDS), keys: new Set(keys)};
    this.#leases.set(id, lease);
    return lease;
  }

  /** Forgets a lease; whose keys are to be deleted is the caller's to do. */
  revoke(id: number): void {
    this.#leases.delete(id);
  }

  /** A key went from one lease (0: none) to another. */
  moved(key: string, from: number, to: number): void {
    if (from === to) return;
    if (from) this.#leases.get(from)?.keys.delete(key);
    if (to) this.#leases.get(to)?.keys.add(key);
  }
}
