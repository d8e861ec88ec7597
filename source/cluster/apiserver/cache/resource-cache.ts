// All objects of one resource as etcd has them, a moment later; what lists, admission and the authorizers read, and where watches
// come from. Keys are `namespace/name` or `name`. Lists are in the order of the keys; the order is kept until a key comes or goes.
import type {AnyObject} from '../../../api/meta/object.ts';
import {CacheEvent} from './event.ts';
import {History} from './history.ts';
import {nodeOf, Watchers} from './watchers.ts';

/** What other parts want to know at once when an object changes. */
export type Listener = (object: AnyObject | undefined, previous: AnyObject | undefined, key: string) => void;

const NONE: ReadonlyMap<string, AnyObject> = new Map();

/** The copy of one resource. */
export class ResourceCache {
  readonly prefix: string;
  readonly watchers: Watchers;
  readonly #namespaced: boolean;
  readonly #objects = new Map<string, AnyObject>();
  readonly #byNamespace = new Map<string, Map<string, AnyObject>>();
  readonly #byNode: Map<string, Map<string, AnyObject>> | undefined;
  readonly #sorted = new Map<string, readonly string[]>();
  readonly #listeners: Listener[] = [];
  #history = new History(0);

  constructor(prefix: string, options: {readonly namespaced: boolean; readonly nodes?: boolean}) {
    this.prefix = prefix;
    this.#namespaced = options.namespaced;
    this.#byNode = options.nodes ? new Map() : undefined;
    this.watchers = new Watchers(options.namespaced);
  }

  get(key: string): AnyObject | undefined {
    return this.#objects.get(key);
  }

  get size(): number {
    return this.#objects.size;
  }

  get history(): History {
    return this.#history;
  }

  /** All objects in no order, or those of one namespace. */
  objects(namespace = ''): ReadonlyMap<string, AnyObject> {
    return namespace === '' ? this.#objects : (this.#byNamespace.get(namespace) ?? NONE);
  }

  /** The pods bound to a node. */
  onNode(node: string): ReadonlyMap<string, AnyObject> {
    return this.#byNode?.get(node) ?? NONE;
  }

  /** The keys in order. */
  keys(namespace = ''): readonly string[] {
    const known = this.#sorted.get(namespace);
    if (known) return known;
    const made = [...this.objects(namespace).keys()].sort();
    this.#sorted.set(namespace, made);
    return made;
  }

  /** Hears of every change from now on, after the cache has it, and of what is there. */
  on(listener: Listener): void {
    this.#listeners.push(listener);
    for (const [key, object] of this.#objects) listener(object, undefined, key);
  }

  /** Takes a change in and tells the watchers. */
  apply(facts: {revision: number; key: string; object: AnyObject | undefined; cause: number; at: number}): void {
    const {key, object} = facts;
    const previous = this.#objects.get(key);
    if (!object && !previous) return;
    this.#put(key, object, previous);
    const event = new CacheEvent({...facts, previous});
    this.#history.add(event);
    for (const listener of this.#listeners) listener(object, previous, key);
    this.watchers.tell(event);
  }

  /** Begins anew with these objects: whoever watches must list again. */
  replace(objects: ReadonlyMap<string, AnyObject>, revision: number): void {
    for (const [key, previous] of this.#objects) {
      if (objects.has(key)) continue;
      this.#put(key, undefined, previous);
      for (const listener of this.#listeners) listener(undefined, previous, key);
    }
    for (const [key, object] of objects) {
      const previous = this.#objects.get(key);
      if (previous?.metadata.resourceVersion === object.metadata.resourceVersion) continue;
      this.#put(key, object, previous);
      for (const listener of this.#listeners) listener(object, previous, key);
    }
    this.#history = new History(revision);
    this.watchers.endAll();
  }

  #put(key: string, object: AnyObject | undefined, previous: AnyObject | undefined): void {
    const namespace = this.#namespaced ? key.slice(0, key.indexOf('/')) : '';
    if (object) this.#objects.set(key, object);
    else this.#objects.delete(key);
    if (this.#namespaced) place(this.#byNamespace, namespace, {key, object});
    if (!object || !previous) {
      this.#sorted.delete('');
      if (namespace !== '') this.#sorted.delete(namespace);
    }
    if (!this.#byNode) return;
    const before = nodeOf(previous);
    const now = nodeOf(object);
    if (before && before !== now) place(this.#byNode, before, {key, object: undefined});
    if (now) place(this.#byNode, now, {key, object});
  }
}

function place(
  map: Map<string, Map<string, AnyObject>>,
  value: string,
  entry: {key: string; object: AnyObject | undefined},
): void {
  const {key, object} = entry;
  const some = map.get(value);
  if (object) {
    if (some) some.set(key, object);
    else map.set(value, new Map([[key, object]]));
  } else if (some) {
    some.delete(key);
    if (some.size === 0) map.delete(value);
  }
}
