// PersistentVolumeClaimResize: a claim may ask for more only where its class lets volumes grow.
import type {PersistentVolumeClaim} from '../../../api/kinds/core-v1.ts';
import type {StorageClass} from '../../../api/kinds/storage-v1.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import type {Plugin} from './plugin.ts';
import {forbid} from './pod-object.ts';

export const claimResize: Plugin = {
  name: 'PersistentVolumeClaimResize',
  resources: ['persistentvolumeclaims'],
  operations: ['UPDATE'],
  validate(attributes) {
    const {object, old, write} = attributes;
    if (!object) return undefined;
    const size = (claim: unknown): string | number =>
      (claim as PersistentVolumeClaim).spec?.resources?.requests?.['storage'] ?? '0';
    if (compareQuantities(size(object), size(old)) <= 0) return undefined;
    const name = (old as unknown as PersistentVolumeClaim).spec?.storageClassName ?? '';
    const found = write.core.resources.of('storageclasses', 'storage.k8s.io').cache.get(name) as unknown as
      | StorageClass
      | undefined;
    if (name !== '' && found?.allowVolumeExpansion === true) return undefined;
    return forbid(
      attributes,
      object,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
};
