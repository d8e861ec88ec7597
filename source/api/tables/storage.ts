// The rows of the storage group.
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '../kinds/storage-v1.ts';
import {age, type Cell, createdAt, NONE, or, UNSET} from './cells.ts';

const IS_DEFAULT = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

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

export function csiDriverRow(driver: CSIDriver, nowMs: number): readonly Cell[] {
  const {spec} = driver;
  const audiences = spec.tokenRequests?.map(({audience}) => audience).join(',');
  return [
    driver.metadata.name,
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    audiences ?? UNSET,
    spec.requiresRepublish ?? false,
    or(spec.volumeLifecycleModes?.join(','), NONE),
    age(driver, nowMs),
  ];
}

export function csiNodeRow(node: CSINode, nowMs: number): readonly Cell[] {
  return [node.metadata.name, node.spec.drivers?.length ?? 0, age(node, nowMs)];
}

export function csiStorageCapacityRow(capacity: CSIStorageCapacity): readonly Cell[] {
  return [capacity.metadata.name, createdAt(capacity)];
}

export function volumeAttachmentRow(attachment: VolumeAttachment, nowMs: number): readonly Cell[] {
  const {spec, status} = attachment;
  return [
    attachment.metadata.name,
    spec.attacher,
    spec.source.persistentVolumeName ?? '',
    spec.nodeName,
    status?.attached ?? false,
    age(attachment, nowMs),
  ];
}

export function volumeAttributesClassRow(attributesClass: VolumeAttributesClass, nowMs: number): readonly Cell[] {
  return [attributesClass.metadata.name, attributesClass.driverName, age(attributesClass, nowMs)];
}
