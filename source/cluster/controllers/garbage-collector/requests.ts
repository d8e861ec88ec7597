// What the collector asks of the API server. Custom resources take no strategic patch: theirs names the owners that stay.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import {splitKey, type KubeObject} from '../../../api/meta/object.ts';
import type {Request} from '../../../api/wire/http.ts';
import {patch} from '../../../client/verbs.ts';
import {ownersOf, type Item} from './graph.ts';

/** Takes references off an object; whole is it where it is known, which a custom resource must be. */
export function withoutOwners(item: Item, whole: KubeObject | undefined, uids: readonly string[]): Request {
  if (whole) {
    const staying = ownersOf(whole).filter(each => !uids.includes(each.uid));
    return withOwners(item, whole, staying);
  }
  const body = {metadata: {uid: item.uid, ownerReferences: uids.map(uid => ({$patch: 'delete', uid}))}};
  return patch(item.resource, splitKey(item.key), 'strategic', body);
}

/** Lets an object no longer hold up its owners. */
export function unblocking(item: Item, object: KubeObject, isCustom: boolean): Request {
  const owners = ownersOf(object);
  if (isCustom) {
    const all = owners.map(each => (each.blockOwnerDeletion ? {...each, blockOwnerDeletion: false} : each));
    return withOwners(item, object, all);
  }
  const ownerReferences = owners.filter(each => each.blockOwnerDeletion).map(({uid}) => ({uid, blockOwnerDeletion: false}));
  return patch(item.resource, splitKey(item.key), 'strategic', {metadata: {uid: object.metadata.uid, ownerReferences}});
}

/** Lets an object go as far as one finalizer is concerned. */
export function withoutFinalizer(item: Item, {metadata}: KubeObject, name: string): Request {
  const {uid, resourceVersion, finalizers = []} = metadata;
  const body = {metadata: {uid, resourceVersion, finalizers: finalizers.filter(each => each !== name)}};
  return patch(item.resource, splitKey(item.key), 'merge', body);
}

function withOwners(item: Item, {metadata}: KubeObject, ownerReferences: readonly OwnerReference[]): Request {
  const body = {metadata: {uid: item.uid, resourceVersion: metadata.resourceVersion, ownerReferences}};
  return patch(item.resource, splitKey(item.key), 'merge', body);
}
