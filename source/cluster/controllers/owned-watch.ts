// Wakes a controller's objects when something happens to what they own: the owner by its controller reference, or, for an
// object without one, every owner whose selector fits. Changes that no owner cares about wake nobody.
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {controllerOf, type KubeObject} from '../../api/meta/object.ts';
import {selectorMatcher} from '../../api/meta/selector.ts';
import type {Informer} from '../../client/informer.ts';

export interface OwnedWatch<T extends KubeObject, O extends KubeObject> {
  readonly owned: Informer<T>;
  readonly owners: Informer<O>;
  /** The kind that references name. */
  readonly kind: string;
  readonly selectorOf: (owner: O) => LabelSelector | undefined;
  /** Does a change of one of its objects matter to the owner? */
  readonly matters: (object: T, old: T) => boolean;
  readonly wake: (ownerKey: string) => void;
  /** A new object of the owner was seen. */
  readonly seen?: (ownerKey: string, object: T) => void;
  /** One is gone, or on its way out. */
  readonly gone?: (ownerKey: string, object: T) => void;
}

/** Begins to watch. */
export function watchOwned<T extends KubeObject, O extends KubeObject>(options: OwnedWatch<T, O>): void {
  const {owned, owners, wake} = options;
  const byNamespace = owners.index(owner => [owner.metadata.namespace ?? '']);
  const ownerOf = (object: T): string | undefined => {
    const reference = controllerOf(object);
    if (reference?.kind !== options.kind) return undefined;
    const key = `${object.metadata.namespace}/${reference.name}`;
    return owners.get(key)?.metadata.uid === reference.uid ? key : undefined;
  };
  const wakeMatching = (object: T): void => {
    for (const [key, owner] of byNamespace.of(object.metadata.namespace ?? '')) {
      if (selectorMatcher(options.selectorOf(owner))(object.metadata.labels)) wake(key);
    }
  };
  const remove = (object: T): void => {
    const key = ownerOf(object);
    if (key === undefined) return;
    options.gone?.(key, object);
    wake(key);
  };
  owned.on({
    added: object => {
      if (object.metadata.deletionTimestamp !== undefined) return remove(object);
      if (!controllerOf(object)) return wakeMatching(object);
      const key = ownerOf(object);
      if (key === undefined) return undefined;
      options.seen?.(key, object);
      return wake(key);
    },
    updated: (object, old) => {
      const moved = controllerOf(object)?.uid !== controllerOf(old)?.uid;
      const relabelled = !sameLabels(object, old);
      if (moved) {
        const before = ownerOf(old);
        if (before !== undefined) wake(before);
      }
      if (object.metadata.deletionTimestamp !== undefined && old.metadata.deletionTimestamp === undefined) return remove(object);
      if (controllerOf(object)) {
        const key = moved || relabelled || options.matters(object, old) ? ownerOf(object) : undefined;
        return key === undefined ? undefined : wake(key);
      }
      return moved || relabelled ? wakeMatching(object) : undefined;
    },
    deleted: remove,
  });
}

function sameLabels(a: KubeObject, b: KubeObject): boolean {
  const {labels: left = NO_LABELS} = a.metadata;
  const {labels: right = NO_LABELS} = b.metadata;
  if (left === right) return true;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every(key => left[key] === right[key]);
}

const NO_LABELS: Readonly<Record<string, string>> = {};
