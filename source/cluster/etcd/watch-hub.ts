// Who watches what. A change of one key must find its watchers without asking all of them: single keys are looked up, and
// the ends of all watched ranges cut the keys into stretches, each with the list of those who watch it - so a change costs
// one binary search. The stretches are made anew at the first change after somebody came or went.
//
// What belongs together travels together: all events of one round of applying reach a watcher as one frame.
import type {WatchedEvent, WatchFrame, WatchRequest} from '../../api/wire/etcd.ts';
import {FROM_KEY} from './key-index.ts';
import {refusals} from './refusals.ts';
import type {Store} from './store.ts';

/** Takes the frames of one watch; `over` once nothing more comes. */
export type TakeFrame = (frame: WatchFrame, over: boolean) => void;

/** One watch. */
export class Watcher {
  readonly request: WatchRequest;
  /** Events before this revision are not for it, or it has had them. */
  from: number;
  /** Nothing was sent to it since the last round of progress frames. */
  quiet = true;
  readonly take: TakeFrame;
  waiting: WatchedEvent[] = [];

  constructor(request: WatchRequest, from: number, take: TakeFrame) {
    this.request = request;
    this.from = from;
    this.take = take;
  }
}

/** All watches of one member. */
export class WatchHub {
  #store: Store;
  /** Up to here all watchers have been served. */
  #served: number;
  readonly #watchers = new Set<Watcher>();
  readonly #byKey = new Map<string, Set<Watcher>>();
  #ranges = 0;
  #cuts: string[] | undefined;
  #stretches: Watcher[][] = [];
  #due: Watcher[] = [];

  constructor(store: Store) {
    this.#store = store;
    this.#served = store.revision;
  }

  get size(): number {
    return this.#watchers.size;
  }

  /** Begins a watch; what it missed comes as its first frame. */
  add(request: WatchRequest, take: TakeFrame): Watcher {
    const {revision, compacted} = this.#store;
    const from = request.from || revision + 1;
    const watcher = new Watcher(request, Math.max(from, revision + 1), take);
    if (from < compacted) {
      take({revision, events: [], compactRevision: compacted, error: refusals.compacted.error}, true);
      return watcher;
    }
    this.#watchers.add(watcher);
    this.#enlist(watcher);
    const missed = from <= revision ? this.#store.eventsSince(from, request.key, request.end) : [];
    if (missed.length > 0) this.#send(watcher, missed);
    return watcher;
  }

  remove(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    const {key, end} = watcher.request;
    if (end === undefined) {
      const set = this.#byKey.get(key);
      set?.delete(watcher);
      if (set?.size === 0) this.#byKey.delete(key);
    } else {
      this.#ranges--;
      this.#cuts = undefined;
    }
  }

  #enlist(watcher: Watcher): void {
    const {key, end} = watcher.request;
    if (end === undefined) {
      const set = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, set.add(watcher));
    } else {
      this.#ranges++;
      this.#cuts = undefined;
    }
  }

  /** A change was applied: notes whom it is for. */
  changed(event: WatchedEvent): void {
    const {key} = event.current;
    if (this.#byKey.size > 0) for (const watcher of this.#byKey.get(key) ?? []) this.#queue(watcher, event);
    if (this.#ranges === 0) return;
    const cuts = (this.#cuts ??= this.#cut());
    let low = 0;
    let high = cuts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cuts[middle] as string) <= key) low = middle + 1;
      else high = middle;
    }
    const watchers = this.#stretches[low - 1];
    if (watchers) for (const watcher of watchers) this.#queue(watcher, event);
  }

  #queue(watcher: Watcher, event: WatchedEvent): void {
    if (event.current.modRevision < watcher.from) return;
    if (watcher.waiting.length === 0) this.#due.push(watcher);
    watcher.waiting.push(event);
  }

  #cut(): string[] {
    const ranged = [...this.#watchers].filter(({request}) => request.end !== undefined);
    const ends = new Set<string>();
    for (const {request} of ranged) {
      ends.add(request.key);
      if (request.end && request.end !== FROM_KEY) ends.add(request.end);
    }
    const cuts = [...ends].sort();
    const place = new Map(cuts.map((cut, i) => [cut, i]));
    this.#stretches = cuts.map(() => []);
    for (const watcher of ranged) {
      const {key, end} = watcher.request;
      const until = end === FROM_KEY ? cuts.length : (place.get(end ?? key) ?? 0);
      for (let i = place.get(key) ?? 0; i < until; i++) this.#stretches[i]?.push(watcher);
    }
    return cuts;
  }

  /** Another store has taken the place of this one (a snapshot came): who watches gets what the two differ by. */
  restore(store: Store): void {
    this.flush();
    const next = this.#served + 1;
    this.#store = store;
    this.#served = store.revision;
    for (const watcher of this.#watchers) {
      const from = Math.max(watcher.from, next);
      if (from < store.compacted) {
        this.end(each => each === watcher, {compactRevision: store.compacted, error: refusals.compacted.error});
        continue;
      }
      const {key, end} = watcher.request;
      const missed = store.eventsSince(from, key, end);
      if (missed.length > 0) this.#send(watcher, missed);
    }
  }

  /** The round of applying is over: frames go out. */
  flush(): void {
    this.#served = this.#store.revision;
    if (this.#due.length === 0) return;
    const due = this.#due;
    this.#due = [];
    for (const watcher of due) {
      const events = watcher.waiting;
      watcher.waiting = [];
      if (this.#watchers.has(watcher)) this.#send(watcher, events);
    }
  }

  #send(watcher: Watcher, events: readonly WatchedEvent[]): void {
    watcher.quiet = false;
    const shown = watcher.request.previous ? events : events.map(withoutPrevious);
    watcher.take({revision: this.#store.revision, events: shown}, false);
  }

  /** Tells those who asked for it, and heard nothing for a round, how far the store is. */
  progress(): void {
    for (const watcher of this.#watchers) {
      if (watcher.request.progress && watcher.quiet && watcher.from <= this.#store.revision + 1) this.report(watcher);
      watcher.quiet = true;
    }
  }

  /** Tells one watcher how far the store is. */
  report(watcher: Watcher): void {
    watcher.take({revision: this.#store.revision, events: []}, false);
  }

  /** Ends the watches that `which` picks. */
  end(which: (watcher: Watcher) => boolean, frame: Omit<WatchFrame, 'events' | 'revision'>): void {
    for (const watcher of this.#watchers) {
      if (!which(watcher)) continue;
      this.remove(watcher);
      watcher.take({revision: this.#store.revision, events: [], ...frame}, true);
    }
  }
}

function withoutPrevious(event: WatchedEvent): WatchedEvent {
  if (!event.previous) return event;
  const {type, current, cause} = event;
  return {type, current, cause};
}
