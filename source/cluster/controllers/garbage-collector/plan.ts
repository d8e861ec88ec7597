// What happens to an object whose owners went.
//
// An owner reference is solid when the owner is there, waiting when the owner is being deleted and waits for its dependents
// (foreground), dangling when there is no such owner. One solid owner keeps an object: the other references are taken off it.
// Without one it is deleted; in the foreground too where an owner waits and the object has dependents of its own.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {KubeObject} from '../../../api/meta/object.ts';

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

/** An object's references, by what became of the owners. */
export interface References {
  readonly solid: readonly OwnerReference[];
  readonly dangling: readonly OwnerReference[];
  readonly waiting: readonly OwnerReference[];
}

/** What to do. */
export type Action =
  | {readonly what: 'keep'}
  | {readonly what: 'detach'; readonly uids: readonly string[]}
  | {readonly what: 'delete'; readonly policy: 'Foreground' | 'Background' | 'Orphan'; readonly unblock: boolean};

/** Has it this finalizer? */
function hasFinalizer(object: KubeObject, name: string): boolean {
  return object.metadata.finalizers?.includes(name) === true;
}

/** Is it being deleted, and waiting for its dependents? */
export function isWaiting(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, FOREGROUND);
}

/** Is it being deleted, with its dependents to be set free first? */
export function isOrphaning(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && hasFinalizer(object, ORPHAN);
}

/** Decides about an object with references. `dependents` are the objects that name it. */
export function planObject(object: KubeObject, references: References, dependents: readonly KubeObject[]): Action {
  const {solid, dangling, waiting} = references;
  if (solid.length > 0) {
    const uids = [...dangling, ...waiting].map(each => each.uid);
    return uids.length === 0 ? {what: 'keep'} : {what: 'detach', uids};
  }
  if (waiting.length > 0 && dependents.length > 0) {
    // A dependent that waits as well could be waiting for this one: then nobody may block anybody.
    return {what: 'delete', policy: 'Foreground', unblock: dependents.some(isWaiting)};
  }
  const policy = hasFinalizer(object, ORPHAN) ? 'Orphan' : hasFinalizer(object, FOREGROUND) ? 'Foreground' : 'Background';
  return {what: 'delete', policy, unblock: false};
}

/** Does a dependent hold up the end of an owner that waits? */
export function blocks(dependent: KubeObject, ownerUid: string): boolean {
  return dependent.metadata.ownerReferences?.some(each => each.uid === ownerUid && each.blockOwnerDeletion === true) === true;
}
