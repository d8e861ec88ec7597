// Claims and volumes: which volume a claim gets, and how a volume is made the claim's. The controller and the scheduler choose
// alike, but not from the same volumes:
//
//   the controller  volumes with the fewest access modes that still cover the claim's come first; among those the smallest
//   the scheduler   the smallest of those that the node reaches (for claims that wait for their first consumer)
//
// A volume that somebody reserved for the claim is taken before all others.
import type {ObjectReference, PersistentVolume, PersistentVolumeClaim} from '../kinds/core-v1.ts';
import type {StorageClass} from '../kinds/storage-v1.ts';
import {compareQuantities} from './quantity.ts';
import {selectorMatcher} from './selector.ts';

/** Annotations of claims and volumes. */
export const BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
export const BOUND_BY = 'pv.kubernetes.io/bound-by-controller';
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const CLASS = 'volume.beta.kubernetes.io/storage-class';

/** The provisioner of classes whose volumes are made by hand. */
export const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/** The class that a claim asks for; empty for none. */
export function classOfClaim({metadata, spec}: PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS] ?? spec?.storageClassName ?? '';
}

/** The class that a volume is of. */
export function classOfVolume({metadata, spec}: PersistentVolume): string {
  return metadata.annotations?.[CLASS] ?? spec?.storageClassName ?? '';
}

/** Has the claim got its volume, with all that belongs to it? */
export function isClaimBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined;
}

/** Do claims of the class wait for the node of their first consumer? */
export function isDelayedClass(storageClass: StorageClass | undefined): boolean {
  return storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
}

/** Is the volume the claim's, or reserved for it by name? */
export function isFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec?.claimRef;
  if (!reference || reference.name !== claim.metadata.name || reference.namespace !== claim.metadata.namespace) return false;
  return !reference.uid || reference.uid === claim.metadata.uid;
}

/** Why a volume cannot serve a claim that names it; undefined when it can. */
export function unfitReason(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  if (volume.metadata.deletionTimestamp !== undefined) return `the volume is marked for deletion "${volume.metadata.name}"`;
  const wanted = claim.spec?.resources?.requests?.['storage'] ?? '0';
  if (compareQuantities(sizeOf(volume), wanted) < 0) return 'requested PV is too small';
  if (classOfVolume(volume) !== classOfClaim(claim)) return 'storageClassName does not match';
  const attributes = claim.spec?.volumeAttributesClassName ?? '';
  if ((volume.spec?.volumeAttributesClassName ?? '') !== attributes) return 'volumeAttributesClassName does not match';
  if (modeOf(volume.spec?.volumeMode) !== modeOf(claim.spec?.volumeMode)) return 'incompatible volumeMode';
  return covers(volume, claim) ? undefined : 'incompatible accessMode';
}

function sizeOf(volume: PersistentVolume): string | number {
  return volume.spec?.capacity?.['storage'] ?? '0';
}

function modeOf(mode: string | undefined): string {
  return mode ?? 'Filesystem';
}

function covers(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes: readonly string[] = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every(mode => modes.includes(mode));
}

/** The controller's choice. `delayed`: only a volume that is reserved for the claim, as the scheduler is to choose. */
export function bestVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  delayed: boolean,
): PersistentVolume | undefined {
  const fit = volumes.filter(volume => unfitReason(volume, claim) === undefined);
  const reserved = fit.find(volume => isFor(volume, claim));
  if (reserved || delayed) return reserved;
  return fit.filter(isFreeFor(claim)).toSorted((a, b) => modesOf(a) - modesOf(b) || bySize(a, b))[0];
}

/** The scheduler's choice, for a node that reaches some of the volumes. */
export function bestVolumeOn(
  claim: PersistentVolumeClaim,
  volumes: Iterable<PersistentVolume>,
  reaches: (volume: PersistentVolume) => boolean,
): PersistentVolume | undefined {
  const fit = [...volumes].filter(volume => unfitReason(volume, claim) === undefined && reaches(volume));
  return fit.find(volume => isFor(volume, claim)) ?? fit.filter(isFreeFor(claim)).toSorted(bySize)[0];
}

function isFreeFor(claim: PersistentVolumeClaim): (volume: PersistentVolume) => boolean {
  const matches = claim.spec?.selector ? selectorMatcher(claim.spec.selector) : undefined;
  return ({metadata, spec, status}) => !spec?.claimRef && status?.phase === 'Available' && (!matches || matches(metadata.labels));
}

function modesOf(volume: PersistentVolume): number {
  return (volume.spec?.accessModes ?? []).length;
}

function bySize(a: PersistentVolume, b: PersistentVolume): number {
  return compareQuantities(sizeOf(a), sizeOf(b)) || (a.metadata.name < b.metadata.name ? -1 : 1);
}

/** The volume with its claim; the same object when it has it. */
export function boundVolume(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const {claimRef} = volume.spec ?? {};
  if (claimRef?.uid === claim.metadata.uid) return volume;
  const reference: ObjectReference = {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    name: claim.metadata.name,
    namespace: claim.metadata.namespace ?? '',
    uid: claim.metadata.uid,
    resourceVersion: claim.metadata.resourceVersion,
  };
  const annotations = claimRef ? volume.metadata.annotations : {...volume.metadata.annotations, [BOUND_BY]: 'yes'};
  const metadata = annotations ? {...volume.metadata, annotations} : volume.metadata;
  return {...volume, metadata, spec: {...volume.spec, claimRef: reference}} as PersistentVolume;
}
