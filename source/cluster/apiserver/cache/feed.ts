// How the caches follow etcd: everything is read once, and then one watch over all keys brings every change in the order of the
// revisions. As one watch feeds all caches, its last revision is how far all of them are, and a consistent list needs only ask
// etcd for its revision and wait until the feed is there. When the watch breaks it goes on from where it was, on the next member;
// when that revision is compacted everything is read anew, and all watches end.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {KeyValue, WatchFrame} from '../../../api/wire/etcd.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import type {Caller} from '../../../sim/network.ts';
import {sleep, wait, type Task} from '../../../sim/task.ts';
import {EtcdFailure, type EtcdConnection} from '../store/connection.ts';
import {ROOT} from '../store/keys.ts';
import {stamped} from '../store/stamp.ts';
import type {ResourceCache} from './resource-cache.ts';

const ALL_KEYS = {key: '\u0000', end: '\uffff'};
const AGAIN_MS = 1000;

type OpenCache = (prefix: string, namespaced: boolean, since: number) => ResourceCache;

interface Waiting {
  readonly revision: number;
  readonly wake: (reached: boolean) => void;
}

/** Keeps the caches up to date. */
export class Feed {
  readonly #daemon: Daemon;
  readonly #etcd: EtcdConnection;
  readonly #caches: ReadonlyMap<string, ResourceCache>;
  readonly #open: OpenCache;
  #revision = 0;
  #waiting: Waiting[] = [];
  #watch: Caller | undefined;
  #round = 0;
  #resting: Iterator<ResourceCache>;

  /** The caches by the prefix of their keys, and how a cache is made for keys of a kind that nobody has described yet. */
  constructor(daemon: Daemon, etcd: EtcdConnection, caches: {known: ReadonlyMap<string, ResourceCache>; open: OpenCache}) {
    this.#daemon = daemon;
    this.#open = caches.open;
    this.#etcd = etcd;
    this.#caches = caches.known;
    this.#resting = caches.known.values();
    etcd.onTurn = () => this.#turned();
  }

  /** How far the caches are. */
  get revision(): number {
    return this.#revision;
  }

  /** Have the caches been filled? */
  get isFilled(): boolean {
    return this.#revision > 0;
  }

  /** Reads everything and begins to watch; returns when the caches are filled, however long etcd takes. */
  *start(): Task {
    yield* this.#load();
    this.#follow();
  }

  /** Waits until the caches have a revision. False when they did not get there in time. */
  *reach(revision: number, timeoutMs: number): Task<boolean> {
    if (this.#revision >= revision) return true;
    return yield* wait<boolean>((wake, scope) => {
      const timer = scope.after(timeoutMs, () => done(false));
      const done = (reached: boolean): void => {
        scope.clock.cancel(timer);
        wake(reached);
      };
      this.#waiting.push({revision, wake: done});
    });
  }

  *#load(): Task {
    for (;;) {
      const answer = yield* this.#etcd.range({kind: 'range', ...ALL_KEYS});
      if (!(answer instanceof EtcdFailure)) {
        this.#fill(answer.kvs, answer.header.revision);
        return;
      }
      yield* sleep(AGAIN_MS);
    }
  }

  #fill(kvs: readonly KeyValue[], revision: number): void {
    const byPrefix = new Map<ResourceCache, Map<string, AnyObject>>();
    for (const cache of this.#caches.values()) byPrefix.set(cache, new Map());
    for (const kv of kvs) {
      const found = this.#find(kv.key);
      if (!found) continue;
      const objects = byPrefix.get(found.cache) ?? new Map<string, AnyObject>();
      byPrefix.set(found.cache, objects.set(found.key, stamped(kv.value as AnyObject, kv.modRevision)));
    }
    this.#revision = revision;
    for (const [cache, objects] of byPrefix) cache.replace(objects, revision);
    this.#wakeWaiting();
  }

  #follow(): void {
    const round = ++this.#round;
    this.#watch = this.#etcd.watch(
      {kind: 'watch', ...ALL_KEYS, from: this.#revision + 1, requireLeader: true},
      {
        frame: frame => {
          if (round === this.#round) this.#take(frame as WatchFrame);
        },
        end: () => {
          if (round === this.#round) this.#daemon.scope.after(AGAIN_MS, () => this.#again(round));
        },
      },
    );
  }

  #again(round: number): void {
    if (round === this.#round) this.#follow();
  }

  /** The connection went to another member: the watch goes along, so that reads and events stay in step. */
  #turned(): void {
    if (!this.#watch) return;
    this.#watch.cancel();
    this.#follow();
  }

  #take(frame: WatchFrame): void {
    if (frame.compactRevision !== undefined) {
      this.#daemon.print('W watcher.go:331] watch chan error: etcdserver: mvcc: required revision has been compacted');
      this.#round++;
      this.#watch?.cancel();
      this.#daemon.scope.run(this.start());
      return;
    }
    if (frame.error) return;
    const {clock} = this.#daemon;
    const at = clock.now;
    for (const {current, type, cause} of frame.events) {
      const found = this.#find(current.key);
      this.#revision = current.modRevision;
      if (!found) continue;
      const object = type === 'put' ? stamped(current.value as AnyObject, current.modRevision) : undefined;
      clock.cause = cause;
      found.cache.apply({revision: current.modRevision, key: found.key, object, cause, at});
    }
    if (frame.revision > this.#revision) this.#revision = frame.revision;
    this.#restOne(at);
    if (this.#waiting.length > 0) this.#wakeWaiting();
  }

  /** One cache after the other gives back what a burst left, one with each frame. */
  #restOne(now: number): void {
    const next = this.#resting.next();
    if (next.done) this.#resting = this.#caches.values();
    else next.value.history.rest(now);
  }

  #wakeWaiting(): void {
    const ready = this.#waiting.filter(each => each.revision <= this.#revision);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter(each => each.revision > this.#revision);
    for (const {wake} of ready) this.#daemon.scope.soon(() => wake(true));
  }

  /** The cache that a key belongs to: prefixes have one or two parts after the root. */
  #find(key: string): {cache: ResourceCache; key: string} | undefined {
    if (!key.startsWith(ROOT)) return undefined;
    const first = key.indexOf('/', ROOT.length) + 1;
    if (first === 0) return undefined;
    const cache = this.#caches.get(key.slice(0, first));
    if (cache) return {cache, key: key.slice(first)};
    const second = key.indexOf('/', first) + 1;
    if (second === 0) return undefined;
    const deeper = this.#caches.get(key.slice(0, second)) ?? this.#unknown(key, first, second);
    return deeper ? {cache: deeper, key: key.slice(second)} : undefined;
  }

  /** Custom resources may be read before their definition is: their group has a dot in it. */
  #unknown(key: string, first: number, second: number): ResourceCache | undefined {
    if (!key.slice(ROOT.length, first).includes('.')) return undefined;
    return this.#open(key.slice(0, second), key.indexOf('/', second) > 0, Math.max(0, this.#revision - 1));
  }
}
