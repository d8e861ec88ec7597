// What makes a pod of a StatefulSet itself: its ordinal, and by that its name, its labels and its claims. A pod that comes back
// comes back as who it was.
import type {StatefulSet} from '../../../api/kinds/apps-v1.ts';
import type {PersistentVolumeClaim, Pod, Volume} from '../../../api/kinds/core-v1.ts';
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {Draft} from '../../../api/meta/object.ts';
import {controllerReference} from '../ownership.ts';
import {podFromTemplate} from '../pod-creation.ts';
import {REVISION_HASH, revisionTemplate} from '../revisions.ts';
import type {ControllerRevision} from '../../../api/kinds/apps-v1.ts';

export const STATEFULSET_KIND = Object.freeze({apiVersion: 'apps/v1', kind: 'StatefulSet'});
const POD_NAME = 'statefulset.kubernetes.io/pod-name';
const POD_INDEX = 'apps.kubernetes.io/pod-index';

/** The number at the end of a member's name; undefined for a pod that is no member of the set. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const {name} = pod.metadata;
  const prefix = `${set.metadata.name}-`;
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The first ordinal of a set. */
export function firstOrdinal(set: StatefulSet): number {
  return set.spec.ordinals?.start ?? 0;
}

/** How many pods it wants. */
export function wantedPods(set: StatefulSet): number {
  return set.spec.replicas ?? 1;
}

/** Does the set want a pod of that ordinal? */
export function isWanted(set: StatefulSet, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + wantedPods(set);
}

/** The revision that a pod was made from. */
export function revisionOf(pod: Pod): string | undefined {
  return pod.metadata.labels?.[REVISION_HASH];
}

/** A pod of the set, as a revision has it. */
export function memberPod(set: StatefulSet, ordinal: number, revision: ControllerRevision): Draft<Pod> {
  const {name, namespace = ''} = set.metadata;
  const template = revisionTemplate(revision) ?? set.spec.template;
  const plain = podFromTemplate(template, {namespace, owner: name}, controllerReference(set, STATEFULSET_KIND));
  const own = `${name}-${ordinal}`;
  const labels = {
    ...plain.metadata.labels,
    [POD_NAME]: own,
    [POD_INDEX]: String(ordinal),
    [REVISION_HASH]: revision.metadata.name,
  };
  const claims = (set.spec.volumeClaimTemplates ?? []).map(claim => claim.metadata.name);
  const kept = (plain.spec.volumes ?? []).filter(volume => !claims.includes(volume.name));
  const volumes = claims.map((claim): Volume => ({name: claim, persistentVolumeClaim: {claimName: `${claim}-${own}`}}));
  const {serviceName} = set.spec;
  return {
    ...plain,
    metadata: {...plain.metadata, name: own, labels},
    spec: {
      ...plain.spec,
      hostname: own,
      ...(serviceName ? {subdomain: serviceName} : {}),
      ...(volumes.length > 0 || kept.length > 0 ? {volumes: [...volumes, ...kept]} : {}),
    },
  };
}

/** The labels by which a member is known, where it has lost them: somebody took one away, or wrote another. */
export function missingLabels(set: StatefulSet, pod: Pod): Labels | undefined {
  const ordinal = ordinalOf(set, pod);
  const own: Labels = {[POD_NAME]: pod.metadata.name, [POD_INDEX]: String(ordinal)};
  return pod.metadata.labels?.[POD_NAME] === own[POD_NAME] ? undefined : own;
}

/** Belongs the claim to an earlier pod of the same name? Then it goes soon. */
export function isStale(set: StatefulSet, claim: PersistentVolumeClaim, pod: string): boolean {
  if ((set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled ?? 'Retain') === 'Retain') return false;
  return claim.metadata.ownerReferences?.some(({kind, name}) => kind === 'Pod' && name === pod) === true;
}

/** A claim to be made. */
export interface ClaimDraft {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {readonly name: string; readonly namespace: string; readonly labels?: Labels; readonly annotations?: Labels};
  readonly spec?: PersistentVolumeClaim['spec'];
}

type Labels = Readonly<Record<string, string>>;

/** The claims that a member of an ordinal needs. */
export function memberClaims(set: StatefulSet, ordinal: number): readonly ClaimDraft[] {
  const {name, namespace = ''} = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map(template => {
    const {labels, annotations} = template.metadata;
    const own = {
      name: `${template.metadata.name}-${name}-${ordinal}`,
      namespace,
      labels: {...labels, ...set.spec.selector.matchLabels},
      ...(annotations ? {annotations} : {}),
    };
    return {apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: own, ...(template.spec ? {spec: template.spec} : {})};
  });
}

/** The owners that a claim is to have, after the set's retention policy; undefined where it has them. `leaves` when its pod is one too many. */
export function claimOwners(
  set: StatefulSet,
  claim: PersistentVolumeClaim,
  pod: {readonly name: string; readonly uid: string; readonly leaves: boolean},
): readonly OwnerReference[] | undefined {
  const {whenDeleted = 'Retain', whenScaled = 'Retain'} = set.spec.persistentVolumeClaimRetentionPolicy ?? {};
  const old = claim.metadata.ownerReferences ?? [];
  const byPod = whenScaled === 'Delete' && pod.leaves;
  const bySet = whenDeleted === 'Delete' && !byPod;
  const others = old.filter(each => each.uid !== set.metadata.uid && each.uid !== pod.uid);
  const hasSet = old.some(each => each.uid === set.metadata.uid);
  const hasPod = old.some(each => each.uid === pod.uid);
  if (hasSet === bySet && hasPod === byPod) return undefined;
  // A claim that something else controls is left alone.
  if (others.some(each => each.controller)) return undefined;
  const bound = {controller: true, blockOwnerDeletion: true};
  return [
    ...others,
    ...(bySet ? [{...STATEFULSET_KIND, name: set.metadata.name, uid: set.metadata.uid, ...bound}] : []),
    ...(byPod ? [{apiVersion: 'v1', kind: 'Pod', name: pod.name, uid: pod.uid, ...bound}] : []),
  ];
}
