// All objects of one resource as etcd has them, a moment later; what lists, admission and the authorizers read, and where watches
// come from. Keys are `namespace/name` or `name`. Lists are in the order of the keys; the order is kept until a key comes or goes.
//
// Each key has one cell, and the indexes (by namespace, pods by node) hold the same cells, so a change of an object that moves in
// none of them is one look-up.
import type {AnyObject} from '../../../api/meta/object.ts';
import {CacheEvent} from './event.ts';
import {History} from './history.ts';
import {nodeOf, Watchers} from './watchers.ts';

/** What other parts want to know at once when an object changes. */
export type Listener = (object: AnyObject | undefined, previous: AnyObject | undefined, key: string) => void;

/** The place of one object. */
export interface Cell {
  readonly key: string;
  object: AnyObject;
}

type Cells = Map<string, Cell>;

const NONE: ReadonlyMap<string, Cell> = new Map();

/** The copy of one resource. */
export class ResourceCache {
  readonly prefix: string;
  readonly watchers: Watchers;
  readonly #namespaced: boolean;
  readonly #cells: Cells = new Map();
  readonly #byNamespace = new Map<string, Cells>();
  readonly #byNode: Map<string, Cells> | undefined;
  readonly #sorted = new Map<string, readonly string[]>();
  readonly #listeners: Listener[] = [];
  #history: History;

  constructor(prefix: string, options: {readonly namespaced: boolean; readonly nodes?: boolean; readonly since?: number}) {
    this.prefix = prefix;
    this.#namespaced = options.namespaced;
    this.#history = new History(options.since ?? 0);
    this.#byNode = options.nodes ? new Map() : undefined;
    this.watchers = new Watchers(options.namespaced);
  }

  get(key: string): AnyObject | undefined {
    return this.#cells.get(key)?.object;
  }

  get size(): number {
    return this.#cells.size;
  }

  get history(): History {
    return this.#history;
  }

  /** All objects, or those of one namespace, in no order. */
  objects(namespace = ''): AnyObject[] {
    return [...this.#cellsOf(namespace).values()].map(cell => cell.object);
  }

  /** The pods bound to a node, by key. */
  onNode(node: string): ReadonlyMap<string, Cell> {
    return this.#byNode?.get(node) ?? NONE;
  }

  /** The keys in order. */
  keys(namespace = ''): readonly string[] {
    const known = this.#sorted.get(namespace);
    if (known) return known;
    const made = [...this.#cellsOf(namespace).keys()].sort();
    this.#sorted.set(namespace, made);
    return made;
  }

  /** Hears of every change from now on, after the cache has it, and of what is there. */
  on(listener: Listener): void {
    this.#listeners.push(listener);
    for (const {key, object} of this.#cells.values()) listener(object, undefined, key);
  }

  /** Takes a change in and tells the watchers. */
  apply(facts: {revision: number; key: string; object: AnyObject | undefined; cause: number; at: number}): void {
    const {key, object} = facts;
    const previous = this.#put(key, object);
    if (!object && !previous) return;
    const event = new CacheEvent(facts, previous);
    this.#history.add(event);
    for (const listener of this.#listeners) listener(object, previous, key);
    this.watchers.tell(event);
  }

  /** Begins anew with these objects: whoever watches must list again. */
  replace(objects: ReadonlyMap<string, AnyObject>, revision: number): void {
    const gone = [...this.#cells.keys()].filter(key => !objects.has(key));
    for (const key of gone) this.#replaceOne(key, undefined);
    for (const [key, object] of objects) {
      if (this.get(key)?.metadata.resourceVersion !== object.metadata.resourceVersion) this.#replaceOne(key, object);
    }
    this.#history = new History(revision);
    this.watchers.endAll();
  }

  #replaceOne(key: string, object: AnyObject | undefined): void {
    const previous = this.#put(key, object);
    for (const listener of this.#listeners) listener(object, previous, key);
  }

  #cellsOf(namespace: string): ReadonlyMap<string, Cell> {
    return namespace === '' ? this.#cells : (this.#byNamespace.get(namespace) ?? NONE);
  }

  /** Puts an object into its cell, or takes the cell away; the object that was there. */
  #put(key: string, object: AnyObject | undefined): AnyObject | undefined {
    const cell = this.#cells.get(key);
    if (!cell) {
      if (object) this.#add({key, object});
      return undefined;
    }
    const previous = cell.object;
    if (object) {
      if (this.#byNode) this.#move(cell, nodeOf(previous), nodeOf(object));
      cell.object = object;
      return previous;
    }
    this.#cells.delete(key);
    this.#reorder(key, cells => cells.delete(key));
    if (this.#byNode) this.#move(cell, nodeOf(previous), undefined);
    return previous;
  }

  #add(cell: Cell): void {
    this.#cells.set(cell.key, cell);
    this.#reorder(cell.key, cells => cells.set(cell.key, cell));
    if (this.#byNode) this.#move(cell, undefined, nodeOf(cell.object));
  }

  #reorder(key: string, change: (cells: Cells) => void): void {
    this.#sorted.delete('');
    if (!this.#namespaced) return;
    const namespace = key.slice(0, key.indexOf('/'));
    this.#sorted.delete(namespace);
    changeIn(this.#byNamespace, namespace, change);
  }

  #move(cell: Cell, before: string | undefined, now: string | undefined): void {
    if (before === now || !this.#byNode) return;
    if (before) changeIn(this.#byNode, before, cells => cells.delete(cell.key));
    if (now) changeIn(this.#byNode, now, cells => cells.set(cell.key, cell));
  }
}

function changeIn(map: Map<string, Cells>, value: string, change: (cells: Cells) => void): void {
  const cells = map.get(value) ?? new Map<string, Cell>();
  change(cells);
  if (cells.size === 0) map.delete(value);
  else if (cells.size === 1) map.set(value, cells);
}
