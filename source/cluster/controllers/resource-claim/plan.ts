// Claims for devices: made from a pod's templates, kept for as long as a pod has a use for them, given back afterwards.
import type {Pod, PodResourceClaim} from '../../../api/kinds/core-v1.ts';
import type {ResourceClaim, ResourceClaimTemplate} from '../../../api/kinds/resource-v1.ts';
import {controllerOf} from '../../../api/meta/object.ts';
import {isTerminal, isTerminating} from '../../../api/meta/pod.ts';

export const FINALIZER = 'resource.kubernetes.io/delete-protection';
export const POD_CLAIM = 'resource.kubernetes.io/pod-claim-name';

/** Has the pod no use for claims any more? */
export function isPodDone(pod: Pod): boolean {
  return isTerminal(pod) || (isTerminating(pod) && !pod.spec.nodeName);
}

/** The claim that a pod's entry of a template becomes. */
export function claimFrom(pod: Pod, entry: PodResourceClaim, template: ResourceClaimTemplate): ResourceClaim {
  const {name, namespace, uid} = pod.metadata;
  const {labels, annotations} = template.spec.metadata ?? {};
  const owner = {apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true};
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      generateName: `${name}-${entry.name}-`,
      namespace,
      ...(labels ? {labels} : {}),
      annotations: {...annotations, [POD_CLAIM]: entry.name},
      ownerReferences: [owner],
    },
    spec: template.spec.spec,
  } as unknown as ResourceClaim;
}

/** The claim that was made for a pod's entry before. */
export function madeFor(pod: Pod, entry: PodResourceClaim, claims: Iterable<ResourceClaim>): ResourceClaim | undefined {
  for (const claim of claims) {
    if (controllerOf(claim)?.uid !== pod.metadata.uid || claim.metadata.deletionTimestamp !== undefined) continue;
    if (claim.metadata.annotations?.[POD_CLAIM] === entry.name) return claim;
  }
  return undefined;
}

/** What to do about a claim: nothing, a new status, or to take it away since its pod is done. */
export type ClaimPlan = 'keep' | 'remove' | {readonly status: NonNullable<ResourceClaim['status']>; readonly release: boolean};

/** Looks whether those for whom a claim is reserved still need it. */
export function planClaim(claim: ResourceClaim, podOf: (uid: string, name: string) => Pod | undefined): ClaimPlan {
  const {reservedFor = [], allocation, devices, ...rest} = claim.status ?? {};
  const needs = (uid: string, name: string): boolean => {
    const pod = podOf(uid, name);
    return pod !== undefined && !isPodDone(pod);
  };
  const left = reservedFor.filter(({resource, uid, name}) => resource !== 'pods' || needs(uid, name));
  const release = left.length === 0 && claim.metadata.finalizers?.includes(FINALIZER) === true;
  const goes = claim.metadata.deletionTimestamp !== undefined;
  if (left.length < reservedFor.length || (release && goes)) {
    const kept = release || !allocation ? {} : {allocation};
    return {
      status: {...rest, ...kept, ...(devices && !release ? {devices} : {}), ...(left.length > 0 ? {reservedFor: left} : {})},
      release,
    };
  }
  const owner = controllerOf(claim);
  const orphaned = owner?.kind === 'Pod' && !needs(owner.uid, owner.name);
  if (orphaned && left.length === 0 && claim.metadata.deletionTimestamp === undefined) return 'remove';
  return 'keep';
}
