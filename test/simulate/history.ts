// What is true: every revision with its events, as the first member that applied it made it. Whatever anybody sees later must
// agree with that: another member that applies it, a watch, a read, an answer to a write.
import type {KeyValue, WatchedEvent} from '../../source/api/wire/etcd.ts';

/** What must not be. */
export class Violation extends Error {}

/** One value of a key; `value` is undefined where it was deleted. */
interface Cell {
  readonly revision: number;
  readonly current: KeyValue;
}

/** All revisions so far. */
export class History {
  /** The newest revision that a member has applied. */
  last = 1;
  readonly #events = new Map<number, readonly WatchedEvent[]>();
  readonly #cells = new Map<string, Cell[]>();
  readonly #leaders = new Map<number, string>();

  /** Somebody shows the events of a revision. */
  see(who: string, revision: number, events: readonly WatchedEvent[]): void {
    const known = this.#events.get(revision);
    if (known) {
      const same = known.length === events.length && known.every((event, i) => isSame(event, events[i]));
      if (!same) throw new Violation(`${who} has at revision ${revision} ${words(events)}, and others had ${words(known)}`);
      return;
    }
    if (revision <= this.last) throw new Violation(`${who} has a revision ${revision} that nobody else had`);
    if (revision !== this.last + 1) throw new Violation(`${who} went from revision ${this.last} to ${revision}`);
    this.last = revision;
    this.#events.set(revision, events);
    for (const {current} of events) {
      const cells = this.#cells.get(current.key) ?? [];
      cells.push({revision, current});
      this.#cells.set(current.key, cells);
    }
  }

  /** How many events a revision has. */
  countAt(revision: number): number {
    return this.#events.get(revision)?.length ?? 0;
  }

  /** The live value of a key at a revision. */
  valueAt(key: string, revision: number): KeyValue | undefined {
    const cell = this.#cells.get(key)?.findLast(each => each.revision <= revision);
    return cell && cell.current.version > 0 ? cell.current : undefined;
  }

  /** Somebody was told that a key has this value at a revision (undefined: that it is not there). */
  read(who: string, {key, revision, value}: {key: string; revision: number; value: unknown}): void {
    if (revision > this.last) throw new Violation(`${who} answered from revision ${revision}, and the newest is ${this.last}`);
    const truth = this.valueAt(key, revision)?.value;
    if (truth !== value)
      throw new Violation(`${who} said ${key}=${String(value)} at revision ${revision}, where it is ${String(truth)}`);
  }

  /** A member leads a term. */
  leads(id: string, term: number): void {
    const known = this.#leaders.get(term);
    if (known !== undefined && known !== id) throw new Violation(`${known} and ${id} both lead term ${term}`);
    this.#leaders.set(term, id);
  }

  get terms(): number {
    return this.#leaders.size;
  }
}

function isSame(a: WatchedEvent, b: WatchedEvent | undefined): boolean {
  if (!b || a.type !== b.type) return false;
  const {current: x} = a;
  const {current: y} = b;
  return x.key === y.key && x.modRevision === y.modRevision && x.version === y.version && x.value === y.value;
}

function words(events: readonly WatchedEvent[]): string {
  return `[${events.map(({type, current}) => `${type} ${current.key}=${String(current.value)}`).join(', ')}]`;
}
