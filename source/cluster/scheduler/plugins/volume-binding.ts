// Volumes of claims. Modelled: a claim that is missing, being deleted, or of a class that binds at once and not bound yet refuses
// the pod; a bound volume keeps the pod to the nodes that can reach it. Claims that wait for their first consumer are bound by
// the room that the storage issue builds: until then no node has a volume for them, and the pod is told so.
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {Labels} from '../../../api/meta/selector.ts';
import type {Context, Plugin, Verdict} from '../framework.ts';
import {compileTerms} from '../node-selector.ts';

interface State {
  readonly reachable: readonly ((labels: Labels, name: string) => boolean)[];
  readonly waiting: boolean;
}

const ELSEWHERE: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match PersistentVolume's node affinity"]};
const NO_VOLUME: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't find available persistent volumes to bind"]};
const UNBOUND: Verdict = {code: 'unresolvable', reasons: ['pod has unbound immediate PersistentVolumeClaims']};

export const volumeBinding: Plugin<State> = {
  name: 'VolumeBinding',
  preFilter(context) {
    const names = claimNames(context);
    if (names.length === 0) return 'skip';
    const claims: PersistentVolumeClaim[] = [];
    for (const name of names) {
      const claim = context.cluster.lookups.claim(context.pod.namespace, name);
      if (!claim) return refused(`persistentvolumeclaim ${JSON.stringify(name)} not found`);
      if (claim.metadata.deletionTimestamp) return refused(`persistentvolumeclaim ${JSON.stringify(name)} is being deleted`);
      claims.push(claim);
    }
    return prepare(context, claims);
  },
  filter({reachable, waiting}, _pod, node) {
    if (reachable.some(reaches => !reaches(node.labels, node.name))) return ELSEWHERE;
    return waiting ? NO_VOLUME : undefined;
  },
  worthRetry: event => event.about === 'storage' || (event.about === 'node' && event.after !== undefined),
};

function refused(reason: string): {readonly refused: Verdict} {
  return {refused: {code: 'unresolvable', reasons: [reason]}};
}

/** The claims of a pod by name, those of its own (ephemeral) volumes too. */
function claimNames({pod}: Context): readonly string[] {
  return (pod.pod.spec.volumes ?? []).flatMap(volume => {
    if (volume.persistentVolumeClaim) return [volume.persistentVolumeClaim.claimName];
    return volume.ephemeral ? [`${pod.pod.metadata.name}-${volume.name}`] : [];
  });
}

function prepare(
  {cluster}: Context,
  claims: readonly PersistentVolumeClaim[],
): {readonly state: State} | {readonly refused: Verdict} {
  const unbound = claims.filter(claim => !isBound(claim));
  const waits = ({spec}: PersistentVolumeClaim) =>
    cluster.lookups.storageClass(spec?.storageClassName ?? '')?.volumeBindingMode === 'WaitForFirstConsumer';
  if (unbound.some(claim => !waits(claim))) return {refused: UNBOUND};
  const reachable = claims.filter(isBound).flatMap(claim => {
    const terms = cluster.lookups.volume(claim.spec?.volumeName ?? '')?.spec.nodeAffinity?.required?.nodeSelectorTerms;
    return terms ? [compileTerms(terms)] : [];
  });
  return {state: {reachable, waiting: unbound.length > 0}};
}

function isBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && claim.metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined;
}
