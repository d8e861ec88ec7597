// The last events of a resource, so that a watch can begin a little in the past. It holds a hundred, and grows while what would
// fall out is younger than 75 seconds, up to about a hundred thousand: so a client that lists and then watches is not told 410.
//
// A real cache makes room only when something new comes. Ours also gives back what a burst of thousands left behind (each event holds
// the object as it was), once that is older than the 75 seconds: who watches from before it lists again.
import type {CacheEvent} from './event.ts';

const LEAST = 100;
const MOST = 102_400;
const FRESH_MS = 75_000;
/** So many stay, however old, until something new comes. */
const AT_REST = 4096;

/** A ring of events. */
export class History {
  #events: CacheEvent[] = [];
  #head = 0;
  /** Events up to this revision are not known any more. */
  #since: number;

  constructor(since: number) {
    this.#since = since;
  }

  /** The oldest revision after which every event is known. */
  get since(): number {
    return this.#since;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  add(event: CacheEvent): void {
    this.#forget(event.at, LEAST);
    this.#events.push(event);
  }

  /** Gives back what is old of very many. */
  rest(now: number): void {
    if (this.size > AT_REST) this.#forget(now, AT_REST);
  }

  /** Lets go of what is not fresh, but for the last so many. */
  #forget(now: number, least: number): void {
    for (;;) {
      const {size} = this;
      const oldest = this.#events[this.#head];
      if (!oldest || size < least || (size < MOST && now - oldest.at <= FRESH_MS)) break;
      this.#since = oldest.revision;
      this.#head++;
    }
    if (this.#head <= 1024 || this.#head * 2 <= this.#events.length) return;
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }

  /** The events after a revision, oldest first. The caller has compared it with `since`. */
  *after(revision: number): Generator<CacheEvent> {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    const events = this.#events;
    for (let at = low; at < events.length; at++) {
      const event = events[at];
      if (event) yield event;
    }
  }
}
