// What happened, as it was seen at the seams: links, the request line, work queues, the scheduler's framework. Each entry
// names the entries that caused it, so `why`, the path view and the debrief are readings of this one record. It is a ring:
// old entries fall out, and a reader takes a missing number for "too long ago".
import type {Clock} from './clock.ts';

/** One thing that happened. */
export interface Entry {
  /** Counts up from 1; what other entries' `because` refers to. */
  readonly n: number;
  /** Virtual milliseconds. */
  readonly at: number;
  /** The component, as its user agent or process is called: `scheduler`, `kubelet@node-1`, `kubectl`. */
  readonly who: string;
  /** What it did: `create`, `update`, `filter`, `bind`, `pull`. */
  readonly verb: string;
  /** On what, as `resource/namespace/name`, or another stable name. */
  readonly object: string;
  /** The entries that caused this one: the first and the latest where a queue merged several. */
  readonly because: readonly number[];
  /** Further facts, frozen, by verb: a status code, a node's verdicts. */
  readonly detail?: unknown;
}

/** A ring of entries; `size` of them are kept. */
export class Trace {
  readonly size: number;
  readonly #clock: Clock;
  readonly #ring: Entry[] = [];
  #count = 0;

  constructor(clock: Clock, size = 65_536) {
    this.#clock = clock;
    this.size = size;
  }

  /** Writes an entry, caused by what is current (and `more`), and makes it current for all that follows from it. */
  note(who: string, verb: string, object: string, detail?: unknown, more?: number): number {
    const {cause} = this.#clock;
    const n = ++this.#count;
    const because = more && more !== cause ? [more, cause].filter(Boolean) : cause ? [cause] : [];
    this.#ring[n % this.size] = {n, at: this.#clock.now, who, verb, object, because, ...(detail === undefined ? {} : {detail})};
    this.#clock.cause = n;
    return n;
  }

  /** The entry of that number, unless it has fallen out. */
  get(n: number): Entry | undefined {
    const entry = this.#ring[n % this.size];
    return entry?.n === n ? entry : undefined;
  }

  /** How many entries were ever written: also the number of the newest. */
  get count(): number {
    return this.#count;
  }

  /** The kept entries after number `after`, oldest first. */
  *since(after = 0): Generator<Entry> {
    for (let n = Math.max(after + 1, this.#count - this.size + 1); n <= this.#count; n++) {
      const entry = this.get(n);
      if (entry) yield entry;
    }
  }

  /** The kept entries, newest first. */
  *backwards(): Generator<Entry> {
    for (let n = this.#count; n > 0 && n > this.#count - this.size; n--) {
      const entry = this.get(n);
      if (entry) yield entry;
    }
  }
}
