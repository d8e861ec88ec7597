// The row of a PersistentVolumeClaim.
import type {PersistentVolumeClaim} from '../kinds/core-v1.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {accessModes, age, type Cell, UNSET, CLASS_ANNOTATION} from './cells.ts';

/** Name, Status, Volume, Capacity, Access Modes, StorageClass, VolumeAttributesClass, Age, VolumeMode. */
export function persistentVolumeClaimRow(claim: PersistentVolumeClaim, nowMs: number): readonly Cell[] {
  const {spec, status, metadata} = claim;
  const bound = Boolean(spec?.volumeName);
  return [
    metadata.name,
    metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
    spec?.volumeName ?? '',
    bound ? canonicalQuantity(status?.capacity?.['storage'] ?? '0') : '',
    bound ? accessModes(status?.accessModes) : '',
    metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? UNSET,
    age(claim, nowMs),
    spec?.volumeMode ?? UNSET,
  ];
}
