// Which volume a claim gets. Volumes with the fewest access modes that still cover the claim's come first; among those the
// smallest that is large enough. A volume that somebody reserved for the claim is taken before all others.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';

/** The class that a claim asks for; empty for none. */
export function classOfClaim({metadata, spec}: PersistentVolumeClaim): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
}

/** The class that a volume is of. */
export function classOfVolume({metadata, spec}: PersistentVolume): string {
  return metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec?.storageClassName ?? '';
}

/** Is the volume the claim's, or reserved for it by name? */
export function isFor(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const reference = volume.spec?.claimRef;
  if (!reference || reference.name !== claim.metadata.name || reference.namespace !== claim.metadata.namespace) return false;
  return !reference.uid || reference.uid === claim.metadata.uid;
}

/** Why a volume cannot serve a claim that names it; undefined when it can. */
export function unfitReason(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const wanted = claim.spec?.resources?.requests?.['storage'] ?? '0';
  if (compareQuantities(volume.spec?.capacity?.['storage'] ?? '0', wanted) < 0) return 'requested PV is too small';
  if (classOfVolume(volume) !== classOfClaim(claim)) return 'storageClassName does not match';
  if (modeOf(volume.spec?.volumeMode) !== modeOf(claim.spec?.volumeMode)) return 'incompatible volumeMode';
  return covers(volume, claim) ? undefined : 'incompatible accessMode';
}

function modeOf(mode: string | undefined): string {
  return mode ?? 'Filesystem';
}

function covers(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const modes: readonly string[] = volume.spec?.accessModes ?? [];
  return (claim.spec?.accessModes ?? []).every(mode => modes.includes(mode));
}

/** The best volume for a claim. `delayed`: only one that is reserved for it, as the scheduler is to choose. */
export function bestVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  delayed: boolean,
): PersistentVolume | undefined {
  const matches = claim.spec?.selector ? selectorMatcher(claim.spec.selector) : undefined;
  const fit = volumes.filter(volume => {
    if (volume.metadata.deletionTimestamp !== undefined || unfitReason(volume, claim) !== undefined) return false;
    if (isFor(volume, claim)) return true;
    return (
      !delayed && !volume.spec?.claimRef && volume.status?.phase === 'Available' && (!matches || matches(volume.metadata.labels))
    );
  });
  return fit.find(volume => isFor(volume, claim)) ?? fit.toSorted(compare)[0];
}

function compare(a: PersistentVolume, b: PersistentVolume): number {
  return (
    (a.spec?.accessModes ?? []).length - (b.spec?.accessModes ?? []).length ||
    compareQuantities(a.spec?.capacity?.['storage'] ?? '0', b.spec?.capacity?.['storage'] ?? '0') ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  );
}
