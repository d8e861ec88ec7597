// What volumes, claims and storage classes get.
import type {PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimSpec} from '../../kinds/core-v1.ts';
import type {CSIDriver, StorageClass} from '../../kinds/storage-v1.ts';
import {change, fill, set} from './fill.ts';

const NOTHING = Object.freeze({});
const SNAPSHOTS = 'snapshot.storage.k8s.io';

/** The two ways to name a source say the same, as far as both can. */
export function defaultClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const out = change(claim, 'spec', spec => {
    const filled = readableSource(fill(spec, {volumeMode: 'Filesystem'}));
    if (filled.dataSource && !filled.dataSourceRef) return set(filled, {dataSourceRef: filled.dataSource});
    const {dataSourceRef} = filled;
    if (!dataSourceRef || filled.dataSource || dataSourceRef.namespace !== undefined) return filled;
    return set(filled, {dataSource: dataSourceRef});
  });
  return change(fill(out, {status: NOTHING}), 'status', status => fill(status, {phase: 'Pending'}));
}

/** The shorter way names another claim or a snapshot; all else was ignored once, and still is. */
function readableSource(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const {dataSource, ...rest} = spec;
  if (!dataSource) return spec;
  const {apiGroup = '', kind} = dataSource;
  const readable = (apiGroup === '' && kind === 'PersistentVolumeClaim') || (apiGroup === SNAPSHOTS && kind === 'VolumeSnapshot');
  return readable ? spec : rest;
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
