// Owners that stand twice in an object count once, and the client is told.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:';

/** The object with each owner once; `when` says what the object went through. */
export function withEachOwnerOnce(object: AnyObject, warnings: string[], when = ''): AnyObject {
  const {ownerReferences: owners} = object.metadata;
  if (!owners || owners.length < 2) return object;
  const kept: OwnerReference[] = [];
  const known = new Set<string>();
  const twice = new Set<string>();
  for (const owner of owners) {
    const {apiVersion, kind, name, uid, controller, blockOwnerDeletion} = owner;
    const content = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (known.has(content)) twice.add(uid);
    else kept.push(owner);
    known.add(content);
  }
  if (twice.size === 0) return object;
  warnings.push(`.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE} ${[...twice].join(', ')}`);
  return {...object, metadata: {...object.metadata, ownerReferences: kept}};
}

/** Patches are looked through at their end only. */
export const AFTER_ADMISSION = ' after mutating admission happens';
