// A machine's journal: what its units said, and what the machine itself said of them, in the order of time. It is kept in memory
// as on disk: it outlives processes, and it is bounded.
import type {JournalEntry} from '../../api/wire/journal.ts';

/** A line as its writer gives it; most say how things are. */
export type NewEntry = Omit<JournalEntry, 'priority' | 'boot'> & {readonly priority?: number};

const INFO = 6;

const MOST = 6000;

/** The journal of one machine. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  /** Counts the starts of the machine. */
  boot = 0;

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  append(line: NewEntry): void {
    const entry = {priority: INFO, ...line, boot: this.boot};
    this.#entries.push(entry);
    if (this.#entries.length > MOST) this.#entries.splice(0, MOST / 2);
    for (const listener of this.#listeners) listener(entry);
  }

  /** Hears of every new line; the answer takes that back. */
  follow(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
