// What volumes, claims and storage classes get.
import type {PersistentVolume, PersistentVolumeClaim} from '../../kinds/core-v1.ts';
import type {CSIDriver, StorageClass} from '../../kinds/storage-v1.ts';
import {change, fill, set} from './fill.ts';

const NOTHING = Object.freeze({});

/** The two ways to name a source say the same, as far as both can. */
export function defaultClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const out = change(claim, 'spec', spec => {
    const filled = fill(spec, {volumeMode: 'Filesystem'});
    if (filled.dataSource && !filled.dataSourceRef) return set(filled, {dataSourceRef: filled.dataSource});
    const {dataSourceRef} = filled;
    if (!dataSourceRef || filled.dataSource || dataSourceRef.namespace !== undefined) return filled;
    return set(filled, {dataSource: dataSourceRef});
  });
  return change(fill(out, {status: NOTHING}), 'status', status => fill(status, {phase: 'Pending'}));
}

export function defaultVolumeObject(volume: PersistentVolume): PersistentVolume {
  const out = change(volume, 'spec', spec => {
    const filled = fill(spec, {persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem'});
    return change(filled, 'hostPath', source => fill(source, {type: ''}));
  });
  return change(fill(out, {status: NOTHING}), 'status', status => fill(status, {phase: 'Pending'}));
}

export function defaultStorageClass(storageClass: StorageClass): StorageClass {
  return fill(storageClass, {reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate'});
}

export function defaultCSIDriver(driver: CSIDriver): CSIDriver {
  return change(driver, 'spec', spec =>
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: Object.freeze(['Persistent']),
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  );
}
