// The row of a StorageClass.
import type {StorageClass} from '../kinds/storage-v1.ts';
import {age, type Cell} from './cells.ts';

const IS_DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** Name, Provisioner, ReclaimPolicy, VolumeBindingMode, AllowVolumeExpansion, Age. */
export function storageClassRow(storageClass: StorageClass, nowMs: number): readonly Cell[] {
  const isDefault = IS_DEFAULT.some(key => storageClass.metadata.annotations?.[key] === 'true');
  return [
    `${storageClass.metadata.name}${isDefault ? ' (default)' : ''}`,
    storageClass.provisioner,
    storageClass.reclaimPolicy ?? 'Delete',
    storageClass.volumeBindingMode ?? 'Immediate',
    storageClass.allowVolumeExpansion ?? false,
    age(storageClass, nowMs),
  ];
}
