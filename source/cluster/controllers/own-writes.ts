// What a controller wrote itself, until its informer has caught up. Without it a controller that looks again too early would
// undo or repeat its last step.
import {keyOf, type KubeObject} from '../../api/meta/object.ts';

/** The latest of what was written and what was heard. */
export class OwnWrites<T extends KubeObject> {
  readonly #written = new Map<string, Map<string, T | 'removed'>>();

  /** Remembers what a write answered. */
  wrote(owner: string, object: T): void {
    this.#of(owner).set(keyOf(object), object);
  }

  /** Remembers a removal. */
  removed(owner: string, object: T): void {
    this.#of(owner).set(keyOf(object), 'removed');
  }

  /** The owner is gone. */
  forget(owner: string): void {
    this.#written.delete(owner);
  }

  /** The owner's objects: those that the informer has, where own writes are not newer. */
  merge(owner: string, heard: Iterable<T>): readonly T[] {
    const written = this.#written.get(owner);
    if (!written) return [...heard];
    const merged: T[] = [];
    const seen = new Set<string>();
    for (const object of heard) {
      const key = keyOf(object);
      seen.add(key);
      const own = written.get(key);
      if (own === 'removed') continue;
      if (own && isNewer(own, object)) {
        merged.push(own);
        continue;
      }
      written.delete(key);
      merged.push(object);
    }
    for (const [key, own] of written) {
      if (seen.has(key)) continue;
      if (own === 'removed') written.delete(key);
      else merged.push(own);
    }
    if (written.size === 0) this.#written.delete(owner);
    return merged;
  }

  /** The informer heard of an end. */
  heardEnd(owner: string, object: KubeObject): void {
    this.#written.get(owner)?.delete(keyOf(object));
  }

  #of(owner: string): Map<string, T | 'removed'> {
    const known = this.#written.get(owner) ?? new Map<string, T | 'removed'>();
    this.#written.set(owner, known);
    return known;
  }
}

function isNewer(a: KubeObject, b: KubeObject): boolean {
  return Number(a.metadata.resourceVersion) > Number(b.metadata.resourceVersion);
}
