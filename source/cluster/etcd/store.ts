// The multi-version store of one member. Every transaction that writes makes one revision, and a key remembers what it was
// at each of them, so that a range can be read as of any revision that is not compacted away.
//
//     revision   put a=1 (2)   put b=1 (3)   put a=2, delete b (4)
//     a          [1@2]                       [1@2] 2@4             version 2, created at 2
//     b                        1@3           [1@3] gone@4          a mark with version 0
//
// Compaction at 4 takes away what a range at 4 or later cannot see: 1@2, 1@3, and b altogether.
// All members come to the same revisions, because all apply the same entries. So what the first of them made for an entry
// (`written`) serves the others too, once they have checked that it is what they would have made themselves.
import type {KeyValue, WatchedEvent} from '../../api/wire/etcd.ts';
import {FROM_KEY, type Item, KeyIndex} from './key-index.ts';

/** One transaction under way: its revision, who caused it, and what was made for its entry by whoever applied it first. */
export interface Writing {
  readonly revision: number;
  readonly cause: number;
  readonly written: WatchedEvent[];
  count: number;
}

/** All keys and their history. */
export class Store {
  /** The newest revision; an empty store is at 1. */
  revision = 1;
  compacted = 0;
  readonly index = new KeyIndex();
  /** All events since the compaction, in order. */
  events: WatchedEvent[] = [];
  /** Told of each value that came or, at a compaction, went. */
  onKeep: (value: KeyValue) => void = () => {};
  onDrop: (value: KeyValue) => void = () => {};

  /** The key's live value at a revision (default: now). */
  at(key: string, revision?: number): KeyValue | undefined {
    const item = this.index.get(key);
    return item && visible(item, revision);
  }

  /** The live values of a range at a revision, in order of the keys, until `take` says false. */
  walk(
    range: {key: string; end?: string | undefined; revision?: number | undefined},
    take: (value: KeyValue) => boolean | void,
  ): void {
    const {revision} = range;
    this.index.walk(range.key, range.end, item => {
      const value = visible(item, revision);
      return value ? take(value) : true;
    });
  }

  /** Writes a value. */
  put(writing: Writing, key: string, put: {readonly value: unknown; readonly lease: number}): WatchedEvent {
    const item = this.index.get(key);
    const previous = item && visible(item);
    const event = this.#shared(writing, key, previous) ?? putEvent(writing, {key, previous, ...put});
    this.#keep(writing, item, event);
    return event;
  }

  /** Deletes a key; undefined when it is not there. */
  delete(writing: Writing, key: string): WatchedEvent | undefined {
    const item = this.index.get(key);
    const previous = item && visible(item);
    if (!previous) return undefined;
    const event = this.#shared(writing, key, previous) ?? deleteEvent(writing, previous);
    this.#keep(writing, item, event);
    return event;
  }

  // What another member made for this very entry, if it started from the same value and came to the same revision.
  #shared(writing: Writing, key: string, previous: KeyValue | undefined): WatchedEvent | undefined {
    const made = writing.written[writing.count];
    if (!made || made.current.modRevision !== writing.revision || made.current.key !== key) return undefined;
    return made.previous === previous ? made : undefined;
  }

  #keep(writing: Writing, item: Item | undefined, event: WatchedEvent): void {
    writing.written[writing.count++] = event;
    this.revision = writing.revision;
    this.events.push(event);
    const {current} = event;
    if (!item) {
      this.index.add({key: current.key, current, older: undefined});
    } else {
      if (item.older) item.older.push(item.current);
      else item.older = [item.current];
      item.current = current;
    }
    this.onKeep(current);
  }

  /** Events from a revision on that lie in a range. */
  eventsSince(from: number, key: string, end: string | undefined): WatchedEvent[] {
    const found: WatchedEvent[] = [];
    for (let i = this.#firstEventAt(from); i < this.events.length; i++) {
      const event = this.events[i] as WatchedEvent;
      if (isWithin(event.current.key, key, end)) found.push(event);
    }
    return found;
  }

  #firstEventAt(revision: number): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle] as WatchedEvent).current.modRevision < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Takes away what no range at `revision` or later can see. The caller has checked the revision. A watch may still begin at the
   * revision itself, so its events stay. */
  compact(revision: number): void {
    this.compacted = revision;
    const until = this.#firstEventAt(revision + 1);
    const seen = new Set<string>();
    for (let i = 0; i < until; i++) seen.add((this.events[i] as WatchedEvent).current.key);
    this.events = this.events.slice(this.#firstEventAt(revision));
    for (const key of seen) {
      const item = this.index.get(key);
      if (item) this.#prune(item, revision);
    }
  }

  #prune(item: Item, revision: number): void {
    const all = item.older ? [...item.older, item.current] : [item.current];
    let last = all.findLastIndex(value => value.modRevision <= revision);
    // The value that stands at the revision stays, a mark of deletion does not.
    if (last >= 0 && (all[last] as KeyValue).version > 0) last--;
    for (const value of all.slice(0, last + 1)) this.onDrop(value);
    const left = all.slice(last + 1);
    const current = left.pop();
    if (!current) this.index.remove(item.key);
    else item.older = left.length > 0 ? left : undefined;
  }
}

/** Is a key in a range? */
export function isWithin(key: string, start: string, end: string | undefined): boolean {
  if (end === undefined) return key === start;
  return key >= start && (end === FROM_KEY || key < end);
}

function visible(item: Item, revision?: number): KeyValue | undefined {
  let value: KeyValue | undefined = item.current;
  if (revision !== undefined && value.modRevision > revision)
    value = item.older?.findLast(older => older.modRevision <= revision);
  return value && value.version > 0 ? value : undefined;
}

interface Put {
  readonly key: string;
  readonly value: unknown;
  readonly lease: number;
  readonly previous: KeyValue | undefined;
}

function putEvent({revision, cause}: Writing, {key, value, lease, previous}: Put): WatchedEvent {
  const current: KeyValue = Object.freeze({
    key,
    value,
    createRevision: previous ? previous.createRevision : revision,
    modRevision: revision,
    version: previous ? previous.version + 1 : 1,
    lease,
  });
  return Object.freeze(previous ? {type: 'put', current, previous, cause} : {type: 'put', current, cause});
}

function deleteEvent({revision, cause}: Writing, previous: KeyValue): WatchedEvent {
  const current: KeyValue = Object.freeze({
    key: previous.key,
    value: undefined,
    createRevision: 0,
    modRevision: revision,
    version: 0,
    lease: 0,
  });
  return Object.freeze({type: 'delete', current, previous, cause});
}
