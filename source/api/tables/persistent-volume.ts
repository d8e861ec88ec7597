// The row of a PersistentVolume.
import type {PersistentVolume} from '../kinds/core-v1.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {accessModes, age, type Cell, UNSET, CLASS_ANNOTATION} from './cells.ts';

/** Name, Capacity, Access Modes, Reclaim Policy, Status, Claim, StorageClass, VolumeAttributesClass, Reason, Age, VolumeMode. */
export function persistentVolumeRow(volume: PersistentVolume, nowMs: number): readonly Cell[] {
  const {spec, status, metadata} = volume;
  const claim = spec?.claimRef;
  return [
    metadata.name,
    canonicalQuantity(spec?.capacity?.['storage'] ?? '0'),
    accessModes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '',
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    status?.reason ?? '',
    age(volume, nowMs),
    spec?.volumeMode ?? UNSET,
  ];
}
