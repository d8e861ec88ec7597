// StorageObjectInUseProtection: claims and volumes are not gone while somebody uses them, by a finalizer from their first day.
import type {Plugin} from './plugin.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

export const storageProtection: Plugin = {
  name: 'StorageObjectInUseProtection',
  resources: Object.keys(FINALIZERS),
  operations: ['CREATE'],
  mutate(object, {write}) {
    const finalizer = FINALIZERS[write.served.facts.resource];
    const present = object.metadata.finalizers ?? [];
    if (finalizer === undefined || present.includes(finalizer)) return object;
    return {...object, metadata: {...object.metadata, finalizers: [...present, finalizer]}};
  },
};
