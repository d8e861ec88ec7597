// Who belongs to whom. A controller owns the objects that name it in a controller reference and fit its selector. One that
// fits but has no controller is adopted; one that it controls but that fits no longer is released. An owner that is being
// deleted does neither: what it leaves behind is the garbage collector's business.
import type {LabelSelector, OwnerReference} from '../../api/kinds/meta.ts';
import {controllerOf, type KubeObject, type Resource} from '../../api/meta/object.ts';
import {selectorMatcher} from '../../api/meta/selector.ts';
import type {Request} from '../../api/wire/http.ts';
import type {Client} from '../../client/client.ts';
import {patch} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';
import {sendAll} from './send-all.ts';

/** What a look at the candidates came to. */
export interface Claim<T> {
  readonly owned: readonly T[];
  readonly adopt: readonly T[];
  readonly release: readonly T[];
}

/** A kind, as owner references name it. */
export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Sorts candidates into owned, to be adopted and to be released; strangers are left out. */
export function claim<T extends KubeObject>(
  owner: KubeObject,
  selector: LabelSelector | undefined,
  candidates: Iterable<T>,
): Claim<T> {
  const matches = selectorMatcher(selector);
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  const owned: T[] = [];
  const adopt: T[] = [];
  const release: T[] = [];
  for (const object of candidates) {
    const reference = controllerOf(object);
    const fits = matches(object.metadata.labels);
    if (reference) {
      if (reference.uid !== owner.metadata.uid) continue;
      if (fits) owned.push(object);
      else if (!leaving) release.push(object);
    } else if (fits && !leaving && object.metadata.deletionTimestamp === undefined) {
      adopt.push(object);
    }
  }
  return {owned, adopt, release};
}

/** The reference that makes `owner` the controller of another object. */
export function controllerReference(owner: KubeObject, kind: OwnerKind): OwnerReference {
  const {name, uid} = owner.metadata;
  return Object.freeze({...kind, name, uid, controller: true, blockOwnerDeletion: true});
}

/** The request that adopts an object. */
function adoption(resource: Resource, object: KubeObject, reference: OwnerReference): Request {
  const {name, namespace, uid} = object.metadata;
  return patch(resource, {name, namespace}, 'strategic', {metadata: {uid, ownerReferences: [reference]}});
}

/** The request that takes a reference to an owner away. */
function releasing(resource: Resource, object: KubeObject, ownerUid: string): Request {
  const {name, namespace, uid} = object.metadata;
  const body = {metadata: {uid, ownerReferences: [{$patch: 'delete', uid: ownerUid}]}};
  return patch(resource, {name, namespace}, 'strategic', body);
}

/** Adopts and releases, and gives all that is owned then. An adoption that fails leaves its object out. */
export function* settleClaim<T extends KubeObject>(
  client: Client,
  claimed: Claim<T>,
  how: {readonly resource: Resource; readonly owner: KubeObject; readonly kind: OwnerKind},
): Task<readonly T[]> {
  if (claimed.adopt.length === 0 && claimed.release.length === 0) return claimed.owned;
  const {resource, owner, kind} = how;
  const reference = controllerReference(owner, kind);
  const adopted = yield* sendAll<T>(
    client,
    claimed.adopt.map(object => adoption(resource, object, reference)),
  );
  yield* sendAll<T>(
    client,
    claimed.release.map(object => releasing(resource, object, owner.metadata.uid)),
  );
  return [...claimed.owned, ...adopted.flatMap(result => (result.ok ? [result.value] : []))];
}
