// Volumes of claims. A bound claim keeps its pod to the nodes that reach its volume. A claim that waits for its first consumer
// goes with the pod: on each node the smallest free volume that the node reaches would do, and where there is none, the class's
// provisioner may make one, if it may there and has the space. Once a node is decided on, the volumes (or the node, for the
// provisioner) are written down, and the pod is bound when all its claims are (volume-prebinding.ts).
//
// An example. Claim `big` wants 20Gi of class `local`; node-1 has a disk of 10Gi, node-2 one of 50Gi. node-1 is refused, node-2
// passes; the disk on node-2 gets a claimRef; the volume controller completes it; then the pod is bound.
//
// Not modelled: scoring by how well volumes fit, which is behind a gate that is off.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {StorageClass} from '../../../api/kinds/storage-v1.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import {bestVolumeOn, classOfClaim, NO_PROVISIONER, SELECTED_NODE} from '../../../api/meta/volume-match.ts';
import type {ClusterEvent} from '../cluster-event.ts';
import type {Context, Plugin, Verdict} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {PluginArguments} from './arguments.ts';
import {reaches, sortClaims, type PodClaims} from './volume-claims.ts';
import {preBindVolumes, type VolumePlan} from './volume-prebinding.ts';

interface State extends PodClaims {
  readonly context: Context;
}

const ELSEWHERE = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = "node(s) didn't find available persistent volumes to bind";
const NO_SPACE = 'node(s) did not have enough free storage';
const MISSING = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** VolumeBinding, with how long the volumes of one pod may take. */
export function volumeBinding(args: PluginArguments): Plugin<State> {
  const timeoutMs = Number(args['bindTimeoutSeconds'] ?? 600) * 1000;
  return {
    name: 'VolumeBinding',
    preFilter(context) {
      if (context.pod.claims.length === 0) return 'skip';
      const sorted = sortClaims(context);
      return 'code' in sorted ? {refused: sorted} : {state: {context, ...sorted}};
    },
    filter: judgeNode,
    preBind(context, node) {
      if (context.pod.claims.length === 0) return undefined;
      const sorted = sortClaims(context);
      const plan = 'code' in sorted ? undefined : planVolumes({context, ...sorted}, node);
      if (!plan || plan === 'no volume' || plan === 'no space' || plan.bindings.length + plan.provisions.length === 0)
        return undefined;
      return preBindVolumes(context, {node: node.name, plan, timeoutMs});
    },
    worthRetry,
  };
}

function judgeNode(state: State, _pod: PodInfo, node: NodeInfo): Verdict | undefined {
  const reasons: string[] = [];
  const {lookups} = state.context.cluster;
  const volumes = state.bound.map(claim => lookups.volume(claim.spec?.volumeName ?? ''));
  if (volumes.some(volume => volume && !reaches(node, volume))) reasons.push(ELSEWHERE);
  const plan = planVolumes(state, node);
  if (plan === 'no volume') reasons.push(NO_VOLUME);
  if (plan === 'no space') reasons.push(NO_SPACE);
  if (volumes.includes(undefined)) reasons.push(MISSING);
  return reasons.length > 0 ? {code: 'unresolvable', reasons} : undefined;
}

/** The volumes that the waiting claims would get on a node. */
function planVolumes({context, delayed}: State, node: NodeInfo): VolumePlan | 'no volume' | 'no space' {
  const {cluster, pod} = context;
  const {lookups, taken} = cluster;
  const bindings: {claim: PersistentVolumeClaim; volume: PersistentVolume}[] = [];
  const provisions: PersistentVolumeClaim[] = [];
  const others = (key: string) => {
    const taking = taken.get(key);
    return taking && taking.uid !== pod.uid ? taking : undefined;
  };
  for (const claim of delayed.toSorted(bySize)) {
    const promised = others(`claim ${claim.metadata.namespace}/${claim.metadata.name}`);
    const selected = claim.metadata.annotations?.[SELECTED_NODE] ?? (promised?.volume ? undefined : promised?.node);
    if (selected !== undefined && selected !== node.name) return 'no volume';
    const free = [...lookups.volumesOf(classOfClaim(claim))].filter(({metadata}) => {
      if (promised?.volume) return metadata.name === promised.volume;
      return !others(`volume ${metadata.name}`) && !bindings.some(({volume}) => volume.metadata.name === metadata.name);
    });
    const volume = selected === undefined ? bestVolumeOn(claim, free, each => reaches(node, each)) : undefined;
    if (volume) bindings.push({claim, volume});
    else if (promised?.volume) return 'no volume';
    else provisions.push(claim);
  }
  for (const claim of provisions) {
    const storageClass = lookups.storageClass(classOfClaim(claim));
    if (!storageClass || !mayProvision(storageClass, node)) return 'no volume';
    if (!hasSpace(context, claim, {storageClass, node})) return 'no space';
  }
  return {bindings, provisions};
}

function bySize(a: PersistentVolumeClaim, b: PersistentVolumeClaim): number {
  return compareQuantities(sizeOf(a), sizeOf(b));
}

function sizeOf(claim: PersistentVolumeClaim): string | number {
  return claim.spec?.resources?.requests?.['storage'] ?? '0';
}

function mayProvision({provisioner, allowedTopologies = []}: StorageClass, node: NodeInfo): boolean {
  if (provisioner === '' || provisioner === NO_PROVISIONER) return false;
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({matchLabelExpressions = []}) =>
    matchLabelExpressions.every(({key, values}) => values.includes(node.labels[key] ?? '')),
  );
}

/** A driver that publishes its free space must have enough of it where the node is. */
function hasSpace(
  {cluster}: Context,
  claim: PersistentVolumeClaim,
  {storageClass, node}: {readonly storageClass: StorageClass; readonly node: NodeInfo},
): boolean {
  const {lookups} = cluster;
  if (!lookups.csiDriver(storageClass.provisioner)?.spec.storageCapacity) return true;
  for (const {capacity, maximumVolumeSize, nodeTopology} of lookups.capacities(storageClass.metadata.name)) {
    const most = maximumVolumeSize ?? capacity;
    if (most === undefined || compareQuantities(most, sizeOf(claim)) < 0 || !nodeTopology) continue;
    if (selectorMatcher(nodeTopology)(node.labels)) return true;
  }
  return false;
}

function worthRetry(event: ClusterEvent, pod: PodInfo): boolean {
  if (event.about === 'node') return event.after !== undefined;
  if (event.about !== 'storage' || !event.after) return false;
  const {metadata} = event.after;
  if (event.kind === 'claim') return metadata.namespace === pod.namespace && pod.claims.includes(metadata.name);
  if (event.kind !== 'class') return event.kind !== 'attachment';
  const allowed = (object: unknown) => JSON.stringify((object as StorageClass).allowedTopologies ?? []);
  return !event.before || allowed(event.before) !== allowed(event.after);
}
