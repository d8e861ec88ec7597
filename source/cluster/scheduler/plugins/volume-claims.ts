// The claims of a pod, sorted by what they still need: some have their volumes, some wait for the node of this pod.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {compileTerms} from '../../../api/meta/node-selector.ts';
import {controllerOf} from '../../../api/meta/object.ts';
import {classOfClaim, isClaimBound, isDelayedClass} from '../../../api/meta/volume-match.ts';
import type {Context, Verdict} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';

/** Claims by what they need. */
export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Not bound, and their class waits for the first consumer. */
  readonly delayed: readonly PersistentVolumeClaim[];
}

const UNBOUND: Verdict = {code: 'unresolvable', reasons: ['pod has unbound immediate PersistentVolumeClaims']};

/** Sorts the claims; a verdict when one of them lets the pod run nowhere. */
export function sortClaims(context: Context): PodClaims | Verdict {
  const {cluster, pod} = context;
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  let immediate = false;
  for (const name of pod.claims) {
    const claim = cluster.lookups.claim(pod.namespace, name);
    const why = whyUnusable(context, name, claim);
    if (why !== undefined || !claim) return {code: 'unresolvable', reasons: [why ?? '']};
    if (isClaimBound(claim)) bound.push(claim);
    else if (!claim.spec?.volumeName && isDelayedClass(cluster.lookups.storageClass(classOfClaim(claim)))) delayed.push(claim);
    else immediate = true;
  }
  return immediate ? UNBOUND : {bound, delayed};
}

/** What is wrong with a claim, wherever the pod might go. */
export function whyUnusable({pod}: Context, name: string, claim: PersistentVolumeClaim | undefined): string | undefined {
  const own = !pod.pod.spec.volumes?.some(volume => volume.persistentVolumeClaim?.claimName === name);
  const quoted = JSON.stringify(name);
  if (!claim) {
    return own
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      : `persistentvolumeclaim ${quoted} not found`;
  }
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${JSON.stringify(claim.spec?.volumeName ?? '')}`;
  if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim ${quoted} is being deleted`;
  if (own && controllerOf(claim)?.uid !== pod.uid)
    return `PVC ${claim.metadata.namespace}/${name} was not created for pod ${pod.key} (pod is not owner)`;
  return undefined;
}

/** Does the node reach the volume? */
export function reaches(node: NodeInfo, volume: PersistentVolume): boolean {
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return !terms || compileTerms(terms)(node.labels, node.name);
}
