// The claims of a pod, and what a pod that waits for them, or for devices, hopes to hear.
import type {ResourceClaim} from '../../../api/kinds/resource-v1.ts';
import type {ClusterEvent} from '../cluster-event.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import type {PodInfo} from '../state/pod-info.ts';

/** The claims that a pod uses, or why it cannot have them yet. A reference for which no claim is made, on purpose, does not count. */
export function claimsOf({lookups}: ClusterState, {namespace, pod, uid}: PodInfo): readonly ResourceClaim[] | string {
  const claims: ResourceClaim[] = [];
  for (const {name, resourceClaimName} of pod.spec.resourceClaims ?? []) {
    const made = pod.status?.resourceClaimStatuses?.find(status => status.name === name);
    if (resourceClaimName === undefined && !made) return 'pod claim name has not been generated';
    const claimName = resourceClaimName ?? made?.resourceClaimName;
    if (claimName === undefined) continue;
    const claim = lookups.resourceClaim(namespace, claimName);
    if (!claim) return `resourceclaim ${JSON.stringify(claimName)} not found`;
    const {deletionTimestamp, ownerReferences = []} = claim.metadata;
    if (deletionTimestamp) return `resourceclaim ${JSON.stringify(claimName)} is being deleted`;
    if (resourceClaimName === undefined && !ownerReferences.some(owner => owner.controller && owner.uid === uid))
      return `ResourceClaim ${namespace}/${claimName} was not created for Pod ${namespace}/${pod.metadata.name} (Pod is not owner)`;
    claims.push(claim);
  }
  return claims;
}

/** Could the news help a pod that waits for its claims, or for devices? */
export function mayHelp(event: ClusterEvent, pod: PodInfo, cluster: ClusterState): boolean {
  if (event.about === 'devices') return true;
  if (event.about === 'node')
    return event.after !== undefined && JSON.stringify(event.before?.labels) !== JSON.stringify(event.after.labels);
  if (event.about === 'itself') {
    const isNamed = event.before.pod.status?.resourceClaimStatuses !== event.after.pod.status?.resourceClaimStatuses;
    return isNamed && typeof claimsOf(cluster, pod) !== 'string';
  }
  if (event.about !== 'device claim') return false;
  const {before, after} = event;
  const claims = claimsOf(cluster, pod);
  if (typeof claims === 'string') return false;
  if (before?.status?.allocation && !after.status?.allocation) return true;
  const isUsed = claims.some(({metadata}) => metadata.uid === after.metadata.uid);
  return isUsed && (!before || JSON.stringify(before.status) !== JSON.stringify(after.status));
}
