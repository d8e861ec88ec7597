// A claim's disk was made larger: the file system on it follows, on the node that has the disk, and the claim says what it has now.
import type {PersistentVolume, PersistentVolumeClaim, Pod} from '../../../api/kinds/core-v1.ts';
import {DISK_DRIVER} from '../../../api/meta/disk-driver.ts';
import {compareQuantities} from '../../../api/meta/quantity.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {update} from '../../../client/verbs.ts';
import {sleep, type Task} from '../../../sim/task.ts';
import {tell, type KubeletParts} from '../surroundings.ts';

const claims = builtin('persistentvolumeclaims');
const GROWING_MS = 300;

/** Makes the file system as large as the volume, where the claim has not heard of that yet. */
export function* growFileSystem(
  parts: KubeletParts,
  pod: Pod,
  {claim, volume}: {readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume},
): Task {
  const {client, disks, recorder, config} = parts;
  const {csi, capacity} = volume.spec ?? {};
  const size = capacity?.['storage'];
  const known = claim.status?.capacity?.['storage'];
  if (!disks || csi?.driver !== DISK_DRIVER || size === undefined || known === undefined) return;
  if (compareQuantities(size, known) <= 0) return;
  yield* sleep(GROWING_MS);
  disks.growFiles(csi.volumeHandle);
  const written = yield* client.ask(update(claims, withSize(claim, String(size)), 'status'));
  if (!written.ok) return;
  const message = `MountVolume.NodeExpandVolume succeeded for volume "${volume.metadata.name}" ${config.name}`;
  const happening = {type: 'Normal', reason: 'FileSystemResizeSuccessful', message} as const;
  tell(parts, pod, happening);
  recorder.record(claim, happening);
}

/** The claim with what it has now; nothing is on its way any more. */
export function withSize(claim: PersistentVolumeClaim, storage: string): PersistentVolumeClaim {
  const {conditions = [], allocatedResourceStatuses = {}, ...status} = claim.status ?? {};
  const {storage: _over, ...others} = allocatedResourceStatuses;
  const rest = conditions.filter(({type}) => type !== 'Resizing' && type !== 'FileSystemResizePending');
  return {
    ...claim,
    status: {
      ...status,
      capacity: {...status.capacity, storage},
      ...(rest.length > 0 ? {conditions: rest} : {}),
      ...(Object.keys(others).length > 0 ? {allocatedResourceStatuses: others} : {}),
    },
  };
}
