// The log of one member, as far as it is in memory:
//
//     offset          applied      stable   committed        last
//       |  entries ...   |            |         |              |
//     (compacted)    handed to    on disk   a majority has it
//                    the state
//
// Invariants: offset <= applied <= committed, applied <= stable (nothing is handed out that this disk could lose),
// committed <= last. What is committed is never cut off; a conflict there means that a member forgot what it had promised.
import {assert} from '../../sim/assert.ts';
import type {Entry} from './entry.ts';

/** Where a log begins: everything up to `index` is in the state already. */
export interface LogStart {
  readonly index: number;
  readonly term: number;
}

/** Entries after `offset`, and the marks that move over them. */
export class Log {
  /** The index before the first entry that is kept, and its term. */
  offset: number;
  offsetTerm: number;
  committed: number;
  applied: number;
  stable: number;
  #entries: Entry[];

  constructor(start: LogStart, entries: readonly Entry[]) {
    this.offset = start.index;
    this.offsetTerm = start.term;
    this.#entries = [...entries];
    this.committed = start.index;
    this.applied = start.index;
    this.stable = this.last;
  }

  get last(): number {
    return this.offset + this.#entries.length;
  }

  get lastTerm(): number {
    return this.#entries.at(-1)?.term ?? this.offsetTerm;
  }

  /** The term at an index; undefined when it is compacted or not there yet. */
  termAt(index: number): number | undefined {
    if (index === this.offset) return this.offsetTerm;
    return this.#entries[index - this.offset - 1]?.term;
  }

  matches(index: number, term: number): boolean {
    return this.termAt(index) === term;
  }

  /** Is a log that ends so at least as new as this one? */
  isUpToDate(lastIndex: number, lastTerm: number): boolean {
    return lastTerm > this.lastTerm || (lastTerm === this.lastTerm && lastIndex >= this.last);
  }

  /** Entries from `from` up to and with `to`. */
  slice(from: number, to: number): Entry[] {
    return this.#entries.slice(from - this.offset - 1, to - this.offset);
  }

  /** Adds one at the end. */
  push(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** The first of the entries that this log lacks or has otherwise; undefined when it has them all. */
  conflict(entries: readonly Entry[]): number | undefined {
    for (const entry of entries) if (!this.matches(entry.index, entry.term)) return entry.index;
    return undefined;
  }

  /** Takes the entries from index `from` on in place of what stands there. */
  replace(entries: readonly Entry[], from: number): void {
    if (from <= this.last) {
      assert(from > this.committed, `entry ${from} is committed and cannot be replaced`);
      this.#entries.length = from - 1 - this.offset;
      this.stable = Math.min(this.stable, from - 1);
    }
    for (const entry of entries) if (entry.index >= from) this.#entries.push(entry);
  }

  /** The highest index up to `index` whose term is at most `term`: where two logs may still agree. */
  lastNotAfter(index: number, term: number): LogStart {
    let at = Math.min(index, this.last);
    for (; at > this.offset; at--) if ((this.termAt(at) ?? 0) <= term) break;
    return {index: at, term: this.termAt(at) ?? 0};
  }

  /** Forgets entries up to `index`, which must be applied. */
  compact(index: number): void {
    if (index <= this.offset) return;
    assert(index <= this.applied, `compacting at ${index} what is applied only up to ${this.applied}`);
    const term = this.termAt(index) ?? 0;
    this.#entries.splice(0, index - this.offset);
    this.offset = index;
    this.offsetTerm = term;
  }

  /** Begins anew after a snapshot. */
  restore(start: LogStart): void {
    this.#entries = [];
    this.offset = start.index;
    this.offsetTerm = start.term;
    this.committed = start.index;
    this.applied = start.index;
    this.stable = start.index;
  }
}
