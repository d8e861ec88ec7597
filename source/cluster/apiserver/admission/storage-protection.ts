// StorageObjectInUseProtection: claims and volumes are not gone while somebody uses them, by a finalizer from their first day.
import {qualifiedResource} from '../../../api/meta/status.ts';
import type {Plugin} from './plugin.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
};

export const storageProtection: Plugin = {
  name: 'StorageObjectInUseProtection',
  resources: Object.keys(FINALIZERS),
  operations: ['CREATE'],
  mutate(object, {write}) {
    const finalizer = FINALIZERS[qualifiedResource(write.served.facts)];
    const present = object.metadata.finalizers ?? [];
    if (finalizer === undefined || present.includes(finalizer)) return object;
    return {...object, metadata: {...object.metadata, finalizers: [...present, finalizer]}};
  },
};
