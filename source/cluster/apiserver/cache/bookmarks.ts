// Bookmarks tell a watcher for whom nothing happened how far the server is, so that it can go on from there later. One timer
// serves all watchers, and it runs only while there are some.
import type {Scope} from '../../../sim/task.ts';

/** A watch that takes bookmarks. */
export interface Bookmarked {
  /** Sends a bookmark unless it would say nothing new. */
  bookmark(revision: number): void;
}

const PERIOD_MS = 60_000;

/** Sends bookmarks once a minute. */
export class Bookmarks {
  readonly #scope: Scope;
  readonly #revision: () => number;
  readonly #watches = new Set<Bookmarked>();
  #running = false;

  constructor(scope: Scope, revision: () => number) {
    this.#scope = scope;
    this.#revision = revision;
  }

  add(watch: Bookmarked): void {
    this.#watches.add(watch);
    if (!this.#running) this.#arm();
  }

  remove(watch: Bookmarked): void {
    this.#watches.delete(watch);
  }

  #arm(): void {
    this.#running = true;
    this.#scope.after(PERIOD_MS, () => {
      this.#running = false;
      if (this.#watches.size === 0) return;
      const revision = this.#revision();
      for (const watch of this.#watches) watch.bookmark(revision);
      this.#arm();
    });
  }
}
