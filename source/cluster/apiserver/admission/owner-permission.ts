// OwnerReferencesPermissionEnforcement: an owner that must be gone last holds the deletion of others up, so only who may set the owner's
// finalizers may say so; and who changes owners at all must be allowed to delete the object.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {resourceOfKind} from '../../../api/meta/resources.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';
import {forbid} from './pod-object.ts';

export const ownerPermission: Plugin = {
  name: 'OwnerReferencesPermissionEnforcement',
  optional: true,
  resources: ['*'],
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {object, old, operation} = attributes;
    if (!object) return undefined;
    const now = object.metadata.ownerReferences ?? [];
    const before = old?.metadata.ownerReferences ?? [];
    if (operation === 'UPDATE' && JSON.stringify(now) !== JSON.stringify(before) && !mayDelete(attributes, object))
      return forbid(attributes, object, "cannot set an ownerRef on a resource you can't delete: , <nil>");
    const blocking = now.filter(owner => owner.blockOwnerDeletion && !isBlocking(before, owner));
    if (blocking.every(owner => mayFinalize(attributes, owner))) return undefined;
    const why = "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>";
    return forbid(attributes, object, why);
  },
};

function isBlocking(owners: readonly OwnerReference[], {uid}: OwnerReference): boolean {
  return owners.some(owner => owner.uid === uid && owner.blockOwnerDeletion);
}

function mayDelete({write}: Attributes, {metadata: {name}}: AnyObject): boolean {
  const {core, user, info} = write;
  const {group, version, resource} = write.served.facts;
  return core.authorize(user, {...info, verb: 'delete', group, version, resource, subresource: '', name: name ?? ''}).allowed;
}

/** A kind that nobody knows has no finalizers that one could be kept from. */
function mayFinalize({write: {core, user, info}}: Attributes, {apiVersion, kind, name}: OwnerReference): boolean {
  const facts = resourceOfKind(apiVersion, kind);
  if (!facts) return true;
  const {group, version, resource, namespaced} = facts;
  const namespace = namespaced ? info.namespace : '';
  const access = {verb: 'update', group, version, resource, subresource: 'finalizers', namespace, name, path: ''};
  return core.authorize(user, access).allowed;
}
