// Who watches a resource, arranged so that an event reaches those it may concern and no others: watchers of one object by its
// key, of one node's pods by the node, of one namespace by that, and the rest, who hear everything.
import type {Selection} from '../http/selection.ts';
import type {CacheEvent} from './event.ts';

/** One open watch. */
export interface Watcher {
  /** Empty for all namespaces. */
  readonly namespace: string;
  readonly selection: Selection;
  hear(event: CacheEvent): void;
  /** The server cannot go on with it. */
  end(): void;
}

/** The watchers of one resource. */
export class Watchers {
  readonly #all = new Set<Watcher>();
  readonly #byKey = new Map<string, Set<Watcher>>();
  readonly #byNode = new Map<string, Set<Watcher>>();
  readonly #byNamespace = new Map<string, Set<Watcher>>();
  readonly #namespaced: boolean;

  constructor(namespaced: boolean) {
    this.#namespaced = namespaced;
  }

  add(watcher: Watcher): void {
    const slot = this.#slot(watcher);
    if (!slot) {
      this.#all.add(watcher);
      return;
    }
    const set = slot.map.get(slot.value);
    if (set) set.add(watcher);
    else slot.map.set(slot.value, new Set([watcher]));
  }

  remove(watcher: Watcher): void {
    const slot = this.#slot(watcher);
    const set = slot ? slot.map.get(slot.value) : this.#all;
    set?.delete(watcher);
    if (slot && set?.size === 0) slot.map.delete(slot.value);
  }

  /** How many there are. */
  get count(): number {
    let count = this.#all.size;
    for (const map of [this.#byKey, this.#byNode, this.#byNamespace]) for (const set of map.values()) count += set.size;
    return count;
  }

  /** Hands an event to all that it may concern. */
  tell(event: CacheEvent): void {
    for (const watcher of this.#all) watcher.hear(event);
    if (this.#byKey.size > 0) each(this.#byKey.get(event.key), event);
    if (this.#byNamespace.size > 0) each(this.#byNamespace.get(namespaceOf(event.key)), event);
    if (this.#byNode.size === 0) return;
    const now = nodeOf(event.object);
    const before = nodeOf(event.previous);
    if (now !== undefined) each(this.#byNode.get(now), event);
    if (before !== undefined && before !== now) each(this.#byNode.get(before), event);
  }

  /** Ends all of them. */
  endAll(): void {
    const filed = [this.#byKey, this.#byNode, this.#byNamespace].flatMap(map => [...map.values()]);
    for (const watcher of [this.#all, ...filed].flatMap(set => [...set])) watcher.end();
  }

  /** Where a watcher is filed; undefined for one who hears everything. */
  #slot(watcher: Watcher): {map: Map<string, Set<Watcher>>; value: string} | undefined {
    const {name, node} = watcher.selection;
    const namespace = watcher.namespace || (watcher.selection.namespace ?? '');
    if (name !== undefined && (!this.#namespaced || namespace !== '')) {
      return {map: this.#byKey, value: this.#namespaced ? `${namespace}/${name}` : name};
    }
    if (node) return {map: this.#byNode, value: node};
    return namespace !== '' && this.#namespaced ? {map: this.#byNamespace, value: namespace} : undefined;
  }
}

function each(watchers: Set<Watcher> | undefined, event: CacheEvent): void {
  if (watchers) for (const watcher of watchers) watcher.hear(event);
}

function namespaceOf(key: string): string {
  const slash = key.indexOf('/');
  return slash < 0 ? '' : key.slice(0, slash);
}

/** The node that a pod is bound to. */
export function nodeOf(object: {readonly spec?: unknown} | undefined): string | undefined {
  return (object?.spec as {readonly nodeName?: string} | undefined)?.nodeName;
}
