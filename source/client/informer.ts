// An informer keeps a copy of one resource up to date: a list, then a watch from the list's revision. When the watch breaks it
// watches again from where it was; when that revision is gone it lists anew. Handlers hear of each change after the store has
// it. Objects are the server's own, frozen: nobody copies, nobody changes them.
import {keyOf, type KubeObject, type Resource} from '../api/meta/object.ts';
import type {WatchEvent} from '../api/wire/http.ts';
import type {Caller} from '../sim/network.ts';
import {Backoff} from './backoff.ts';
import type {Client, Result} from './client.ts';
import {list, watch} from './verbs.ts';

/** What somebody wants to hear of a resource. */
export interface Handler<T> {
  added?(object: T): void;
  updated?(object: T, old: T): void;
  deleted?(object: T): void;
}

export interface InformerOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

interface ListBody<T> {
  readonly metadata: {readonly resourceVersion: string};
  readonly items: readonly T[];
}

/** How long a watch is asked to last, in seconds, before the server ends it: this much, and up to as much again. */
const WATCH_SECONDS = 300;

/** How often one looks who may not watch. */
const POLL_MS = 5000;

/** Objects found by something other than their key. */
export interface Index<T> {
  /** The objects under a value, by key; empty where there are none. */
  of(value: string): ReadonlyMap<string, T>;
}

/** One resource, as this client sees it. */
export class Informer<T extends KubeObject> {
  readonly resource: Resource;
  readonly #client: Client;
  readonly #options: InformerOptions;
  readonly #store = new Map<string, T>();
  readonly #handlers: Handler<T>[] = [];
  readonly #indexes: {readonly by: (object: T) => readonly string[]; readonly values: Map<string, Map<string, T>>}[] = [];
  readonly #backoff: Backoff;
  #synced: (() => void)[] | undefined = [];
  #revision = '';
  #watch: Caller | undefined;

  constructor(client: Client, resource: Resource, options: InformerOptions = {}) {
    this.#client = client;
    this.resource = resource;
    this.#options = options;
    this.#backoff = new Backoff({firstMs: 800, mostMs: 30_000, dice: client.daemon.dice.of(`reflector ${resource.resource}`)});
  }

  /** All objects by key (`namespace/name`). */
  get store(): ReadonlyMap<string, T> {
    return this.#store;
  }

  /** Has the first list arrived? */
  get synced(): boolean {
    return this.#synced === undefined;
  }

  /** Is there a watch that has not broken? */
  get connected(): boolean {
    return this.#watch !== undefined;
  }

  get(key: string): T | undefined {
    return this.#store.get(key);
  }

  /** Calls `ready` once the first list has arrived. */
  onSynced(ready: () => void): void {
    if (this.#synced) this.#synced.push(ready);
    else ready();
  }

  /** Hears of every change from now on, and of what is there already as added. */
  on(handler: Handler<T>): void {
    this.#handlers.push(handler);
    for (const object of this.#store.values()) handler.added?.(object);
  }

  /** Keeps an index: objects under each of the values that `by` gives. */
  index(by: (object: T) => readonly string[]): Index<T> {
    const values = new Map<string, Map<string, T>>();
    const index = {by, values};
    this.#indexes.push(index);
    for (const [key, object] of this.#store) for (const value of by(object)) put(values, value, key, object);
    const none: ReadonlyMap<string, T> = new Map();
    return {of: value => values.get(value) ?? none};
  }

  /** Begins to list and watch. */
  start(): void {
    this.#client.send<ListBody<T>>(list(this.resource, {...this.#options, resourceVersion: '0'}), result => this.#listed(result));
  }

  #listed(result: Result<ListBody<T>>): void {
    if (!result.ok) {
      this.#complain(result.status.message ?? '');
      this.#later(() => this.start());
      return;
    }
    this.#backoff.reset();
    this.#revision = result.value.metadata.resourceVersion;
    const gone = new Set(this.#store.keys());
    for (const object of result.value.items) {
      gone.delete(keyOf(object));
      this.#set(object);
    }
    for (const key of gone) this.#delete(key);
    const ready = this.#synced;
    this.#synced = undefined;
    for (const call of ready ?? []) call();
    this.#follow();
  }

  /** What a reflector says of a list that failed. It asks for pages, and says so. */
  #complain(why: string): void {
    const {kind, version} = this.resource;
    const type = `*${version}.${kind}`;
    const words = `failed to list ${type}: ${why.replace('resourceVersion=0', 'limit=500&resourceVersion=0')}`;
    const place = 'reflector="pkg/mod/k8s.io/client-go@v0.35.4/tools/cache/reflector.go:289"';
    this.#client.daemon.print(
      `E reflector.go:204] "Failed to watch" err=${JSON.stringify(words)} logger="UnhandledError" ${place} type="${type}"`,
    );
  }

  #follow(): void {
    const seconds = WATCH_SECONDS + this.#client.daemon.dice.below(WATCH_SECONDS);
    const request = watch(this.resource, {
      ...this.#options,
      resourceVersion: this.#revision,
      bookmarks: true,
      timeoutSeconds: seconds,
    });
    this.#watch = this.#client.stream<WatchEvent<T>>(request, {
      answer: result => {
        if (result.ok) return;
        if (result.status.code === 403) this.#poll();
        else this.#broken(result.status.code === 410);
      },
      frame: frame => this.#take(frame),
      end: failure => this.#broken(false, failure === undefined),
    });
  }

  /** One who may list but not watch looks again and again. */
  #poll(): void {
    this.#watch = undefined;
    this.#client.daemon.scope.after(POLL_MS, () => this.start());
  }

  #broken(gone: boolean, gently = false): void {
    if (!this.#watch) return;
    this.#watch = undefined;
    if (gone) this.#later(() => this.start());
    else if (gently) this.#follow();
    else this.#later(() => this.#follow());
  }

  #take(event: WatchEvent<T>): void {
    if (event.type === 'ERROR') {
      this.#watch?.cancel();
      this.#broken(true);
      return;
    }
    this.#revision = event.object.metadata.resourceVersion;
    this.#backoff.reset();
    if (event.cause !== undefined) this.#client.daemon.clock.cause = event.cause;
    if (event.type === 'DELETED') this.#delete(keyOf(event.object), event.object);
    else if (event.type !== 'BOOKMARK') this.#set(event.object);
  }

  #set(object: T): void {
    const key = keyOf(object);
    const old = this.#store.get(key);
    if (old?.metadata.resourceVersion === object.metadata.resourceVersion && old.metadata.uid === object.metadata.uid) return;
    this.#store.set(key, object);
    for (const {by, values} of this.#indexes) reindex(values, {key, before: old ? by(old) : [], after: by(object), object});
    for (const handler of this.#handlers) {
      if (old) handler.updated?.(object, old);
      else handler.added?.(object);
    }
  }

  #delete(key: string, last?: T): void {
    const old = this.#store.get(key);
    if (!old) return;
    this.#store.delete(key);
    for (const {by, values} of this.#indexes) for (const value of by(old)) drop(values, value, key);
    for (const handler of this.#handlers) handler.deleted?.(last ?? old);
  }

  #later(run: () => void): void {
    this.#client.daemon.scope.after(this.#backoff.next(), run);
  }
}

function reindex<T>(
  values: Map<string, Map<string, T>>,
  change: {key: string; before: readonly string[]; after: readonly string[]; object: T},
): void {
  for (const value of change.before) if (!change.after.includes(value)) drop(values, value, change.key);
  for (const value of change.after) put(values, value, change.key, change.object);
}

function put<T>(values: Map<string, Map<string, T>>, value: string, key: string, object: T): void {
  const objects = values.get(value) ?? new Map<string, T>();
  objects.set(key, object);
  values.set(value, objects);
}

function drop<T>(values: Map<string, Map<string, T>>, value: string, key: string): void {
  const objects = values.get(value);
  objects?.delete(key);
  if (objects?.size === 0) values.delete(value);
}

/** The informers of one component, shared among its loops: one of a kind for a resource and selection. */
export class Informers {
  readonly #client: Client;
  readonly #all = new Map<string, Informer<KubeObject>>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The informer of a resource; it is started by `start`, or at once when that was called before. */
  of<T extends KubeObject>(resource: Resource, options: InformerOptions = {}): Informer<T> {
    const name = [resource.group, resource.resource, options.namespace, options.labelSelector, options.fieldSelector].join(' ');
    const known = this.#all.get(name);
    if (known) return known as unknown as Informer<T>;
    const made = new Informer<T>(this.#client, resource, options);
    this.#all.set(name, made as unknown as Informer<KubeObject>);
    if (this.#started) made.start();
    return made;
  }

  #started = false;

  /** Starts all of them; `ready` is called when every one that was there has its first list. */
  start(ready?: () => void): void {
    this.#started = true;
    const all = [...this.#all.values()];
    let left = all.length;
    if (left === 0) ready?.();
    for (const informer of all) {
      informer.start();
      informer.onSynced(() => {
        if (--left === 0) ready?.();
      });
    }
  }
}
