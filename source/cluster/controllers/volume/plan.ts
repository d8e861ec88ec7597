// A claim and a volume are bound in four writes: the volume names the claim, the volume is Bound, the claim names the volume, the
// claim is Bound. Any of them may be the last before the controller dies, so each look starts from what is there: the claim's
// look drives a binding forward, the volume's look finds the phase that the volume is in.
import type {PersistentVolume, PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import {BIND_COMPLETED, BOUND_BY, isFor, PROVISIONED_BY, unfitReason} from '../../../api/meta/volume-match.ts';
import type {Happening} from '../../../client/events.ts';

/** What to do about a claim that has no volume yet, or lost it. */
export type ClaimStep =
  | {readonly step: 'bind'; readonly volume: PersistentVolume}
  | {readonly step: 'search'}
  | {readonly step: 'wait'; readonly event?: Happening}
  | {readonly step: 'lose'; readonly event: Happening};

/** The step for a claim. `named` is the volume that it names. */
export function planClaim(claim: PersistentVolumeClaim, named: PersistentVolume | undefined): ClaimStep {
  const {volumeName} = claim.spec ?? {};
  if (claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return planBoundClaim(claim, named);
  if (!volumeName) return {step: 'search'};
  if (!named) return {step: 'wait'};
  if (!named.spec?.claimRef) {
    const why = unfitReason(named, claim);
    if (why === undefined) return {step: 'bind', volume: named};
    return {step: 'wait', event: warning('VolumeMismatch', `Cannot bind to requested volume "${volumeName}": ${why}`)};
  }
  if (isFor(named, claim)) return {step: 'bind', volume: named};
  return {step: 'wait', event: warning('FailedBinding', `volume "${volumeName}" already bound to a different claim.`)};
}

function planBoundClaim(claim: PersistentVolumeClaim, named: PersistentVolume | undefined): ClaimStep {
  const lost = 'Data on the volume is lost!';
  if (!claim.spec?.volumeName) {
    return {step: 'lose', event: warning('ClaimLost', `Bound claim has lost reference to PersistentVolume. ${lost}`)};
  }
  if (!named) return {step: 'lose', event: warning('ClaimLost', `Bound claim has lost its PersistentVolume. ${lost}`)};
  if (!named.spec?.claimRef || isFor(named, claim)) return {step: 'bind', volume: named};
  return {
    step: 'lose',
    event: warning('ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly'),
  };
}

function warning(reason: string, message: string): Happening {
  return {type: 'Warning', reason, message};
}

/** The claim with its volume; the same object when it has it. */
export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim {
  const named = claim.spec?.volumeName === volume.metadata.name;
  if (named && claim.metadata.annotations?.[BIND_COMPLETED] !== undefined) return claim;
  const by = named ? {} : {[BOUND_BY]: 'yes'};
  const annotations = {...claim.metadata.annotations, ...by, [BIND_COMPLETED]: 'yes'};
  return {
    ...claim,
    metadata: {...claim.metadata, annotations},
    spec: {...claim.spec, volumeName: volume.metadata.name},
  } as PersistentVolumeClaim;
}

/** The status of a claim with its volume. Size and attributes are the volume's at first; later others keep them. */
export function boundStatus({status}: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim['status'] & {} {
  const {accessModes, capacity, volumeAttributesClassName} = volume.spec ?? {};
  const modes = accessModes ? {accessModes} : {};
  if (status?.phase === 'Bound') return {...status, ...modes};
  const storage = capacity?.['storage'];
  return {
    ...status,
    phase: 'Bound',
    ...modes,
    ...(storage === undefined ? {} : {capacity: {...status?.capacity, storage}}),
    ...(volumeAttributesClassName ? {currentVolumeAttributesClassName: volumeAttributesClassName} : {}),
  };
}

/** What becomes of a volume. */
export interface VolumeStep {
  readonly phase: 'Available' | 'Bound' | 'Released' | 'Failed';
  readonly message?: string;
  readonly event?: Happening;
  /** Its claim has a look to take. */
  readonly wakeClaim?: boolean;
  /** It goes, as its policy says. */
  readonly remove?: boolean;
  /** It is swept, and is free then. */
  readonly recycle?: boolean;
  /** It lets go of a claim that went elsewhere. */
  readonly unbind?: boolean;
}

/** The step for a volume. `claim` is the object of the claim's name, if there is one. */
export function planVolume(volume: PersistentVolume, claim: PersistentVolumeClaim | undefined): VolumeStep {
  const reference = volume.spec?.claimRef;
  if (!reference || !reference.uid) return {phase: 'Available', wakeClaim: reference !== undefined};
  if (claim?.metadata.uid !== reference.uid) return reclaim(volume);
  if (!claim.spec?.volumeName) return {phase: volume.status?.phase === 'Bound' ? 'Bound' : 'Available', wakeClaim: true};
  if (claim.spec.volumeName === volume.metadata.name) return {phase: 'Bound'};
  const made = volume.metadata.annotations?.[PROVISIONED_BY] !== undefined;
  if (made && volume.spec?.persistentVolumeReclaimPolicy === 'Delete') return reclaim(volume);
  return {phase: 'Available', unbind: true};
}

/** A released volume stays, goes, or fails to go. */
function reclaim(volume: PersistentVolume): VolumeStep {
  const {persistentVolumeReclaimPolicy: policy = 'Retain', hostPath} = volume.spec ?? {};
  if (policy === 'Retain') return {phase: volume.status?.phase === 'Failed' ? 'Failed' : 'Released', ...messageOf(volume)};
  // Of all that there are only paths and NFS can be swept.
  if (policy === 'Recycle' && (hostPath ?? volume.spec?.nfs))
    return {phase: volume.status?.phase === 'Failed' ? 'Failed' : 'Released', ...messageOf(volume), recycle: true};
  if (policy === 'Recycle') return failed('VolumeFailedRecycle', 'No recycler plugin found for the volume!');
  // Who made it takes it away.
  if (volume.metadata.annotations?.[PROVISIONED_BY] !== undefined) return {phase: 'Released'};
  if (!hostPath) {
    return failed(
      'VolumeFailedDelete',
      `error getting deleter volume plugin for volume "${volume.metadata.name}": no deletable volume plugin matched`,
    );
  }
  if (/^\/tmp\/.+/.test(hostPath.path)) return {phase: 'Released', remove: true};
  return failed('VolumeFailedDelete', `host_path deleter only supports /tmp/.+ but received provided ${hostPath.path}`);
}

function messageOf({status}: PersistentVolume): {message?: string} {
  return status?.message ? {message: status.message} : {};
}

function failed(reason: string, message: string): VolumeStep {
  return {phase: 'Failed', message, event: warning(reason, message)};
}
