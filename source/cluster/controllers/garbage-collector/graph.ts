// Who depends on whom, by uid. Only objects that name owners are in it, and owners only as the uid that others name: whether an
// owner is there is asked where it matters. Every change costs as much as the object has owners.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';

/** Where an object is. */
export interface Item {
  readonly uid: string;
  readonly resource: ResourceFacts;
  /** `namespace/name`, or the name alone. */
  readonly key: string;
}

/** What a change of an object's owners came to. */
export interface OwnerChange {
  readonly added: readonly OwnerReference[];
  /** References that are gone, or that no longer block their owner's end. */
  readonly unblocked: readonly OwnerReference[];
}

const NO_CHANGE: OwnerChange = Object.freeze({added: Object.freeze([]), unblocked: Object.freeze([])});
const NO_OWNERS: readonly OwnerReference[] = Object.freeze([]);

/** The owners of an object. */
export function ownersOf(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? NO_OWNERS;
}

/** Dependents by owner. */
export class Graph {
  readonly #dependents = new Map<string, Map<string, Item>>();

  /** Takes in an object as it is now. */
  put(item: Item, object: KubeObject, old: KubeObject | undefined): OwnerChange {
    const before = old ? ownersOf(old) : NO_OWNERS;
    const after = ownersOf(object);
    if (before === after || (before.length === 0 && after.length === 0)) return NO_CHANGE;
    const known = new Map(before.map(each => [each.uid, each]));
    const added = after.filter(each => !known.has(each.uid));
    for (const {uid} of added) this.#link(uid, item);
    const unblocked: OwnerReference[] = [];
    for (const each of before) {
      const still = after.find(other => other.uid === each.uid);
      if (!still) this.#unlink(each.uid, item.uid);
      if (each.blockOwnerDeletion && !still?.blockOwnerDeletion) unblocked.push(each);
    }
    return {added, unblocked};
  }

  /** Takes out an object that is gone. */
  drop(item: Item, object: KubeObject): void {
    for (const {uid} of ownersOf(object)) this.#unlink(uid, item.uid);
  }

  /** The objects that name an owner. */
  dependents(uid: string): readonly Item[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  /** Does any object name it? */
  hasDependents(uid: string): boolean {
    return this.#dependents.has(uid);
  }

  #link(owner: string, item: Item): void {
    const known = this.#dependents.get(owner) ?? new Map<string, Item>();
    known.set(item.uid, item);
    this.#dependents.set(owner, known);
  }

  #unlink(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }
}
