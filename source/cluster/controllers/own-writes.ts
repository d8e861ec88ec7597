// What a controller wrote itself, until its informer has caught up. Without it a controller that looks again too early would
// undo or repeat its last step. An entry that the informer never confirms is given up after ten seconds.
import {keyOf, type KubeObject} from '../../api/meta/object.ts';
import type {Clock} from '../../sim/clock.ts';

interface Entry<T> {
  /** Undefined for a removal. */
  readonly object: T | undefined;
  readonly atMs: number;
}

const GIVE_UP_MS = 10_000;

/** The latest of what was written and what was heard. */
export class OwnWrites<T extends KubeObject> {
  readonly #clock: Clock;
  readonly #written = new Map<string, Map<string, Entry<T>>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Remembers what a write answered. */
  wrote(owner: string, object: T): void {
    this.#of(owner).set(keyOf(object), {object, atMs: this.#clock.now});
  }

  /** Remembers a removal. */
  removed(owner: string, object: T): void {
    this.#of(owner).set(keyOf(object), {object: undefined, atMs: this.#clock.now});
  }

  /** The owner is gone. */
  forget(owner: string): void {
    this.#written.delete(owner);
  }

  /** The informer heard of an end. */
  heardEnd(owner: string, object: KubeObject): void {
    this.#written.get(owner)?.delete(keyOf(object));
  }

  /** The owner's objects: those that the informer has, where own writes are not newer. */
  merge(owner: string, heard: Iterable<T>): readonly T[] {
    const written = this.#written.get(owner);
    if (!written) return [...heard];
    for (const [key, entry] of written) if (this.#clock.now - entry.atMs > GIVE_UP_MS) written.delete(key);
    const merged: T[] = [];
    const seen = new Set<string>();
    for (const object of heard) {
      const key = keyOf(object);
      seen.add(key);
      const entry = written.get(key);
      if (entry && (!entry.object || isNewer(entry.object, object))) {
        if (entry.object) merged.push(entry.object);
        continue;
      }
      written.delete(key);
      merged.push(object);
    }
    for (const [key, {object}] of written) {
      if (seen.has(key)) continue;
      if (object) merged.push(object);
      else written.delete(key);
    }
    if (written.size === 0) this.#written.delete(owner);
    return merged;
  }

  #of(owner: string): Map<string, Entry<T>> {
    const known = this.#written.get(owner) ?? new Map<string, Entry<T>>();
    this.#written.set(owner, known);
    return known;
  }
}

function isNewer(a: KubeObject, b: KubeObject): boolean {
  return Number(a.metadata.resourceVersion) > Number(b.metadata.resourceVersion);
}
