// The ways of CustomResourceDefinitions themselves: they remember in which versions objects were ever stored, and one that is
// deleted stays until its objects are gone.
import type {CustomResourceDefinition} from '../../../api/kinds/apiextensions-v1.ts';
import {withCondition} from '../../../api/meta/conditions.ts';
import {storageVersion} from '../../../api/meta/custom-resources.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Strategy} from '../strategy/strategy.ts';

/** Held by every definition that is being deleted, until its objects are gone. */
export const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

export const customResourceDefinitions: Strategy = {
  generation: true,
  conditional: true,
  create: object => withStoredVersion(object),
  update: object => withStoredVersion(object),
  isHeld: object => object.metadata.deletionTimestamp === undefined,
  markDeleted(object) {
    const {metadata} = object;
    const {status} = object as unknown as CustomResourceDefinition;
    const finalizers = metadata.finalizers ?? [];
    const pending = {
      type: 'Terminating',
      status: 'True',
      // The real server says InstanceDeletionPending for the few milliseconds until it begins.
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
      ...(metadata.deletionTimestamp === undefined ? {} : {lastTransitionTime: metadata.deletionTimestamp}),
    };
    return {
      ...object,
      metadata: {...metadata, finalizers: finalizers.includes(CLEANUP) ? finalizers : [...finalizers, CLEANUP]},
      status: {...status, conditions: withCondition(status?.conditions, pending)},
    };
  },
};

function withStoredVersion(object: AnyObject): AnyObject {
  const definition = object as unknown as CustomResourceDefinition;
  const version = storageVersion(definition)?.name;
  const stored = definition.status?.storedVersions ?? [];
  if (version === undefined || stored.includes(version)) return object;
  return {...object, status: {...definition.status, storedVersions: [...stored, version]}};
}
