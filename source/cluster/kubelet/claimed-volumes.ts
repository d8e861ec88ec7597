// Volumes of claims: where on the node they are. A claim's volume is the same folder for all pods of the node that use it, so what
// one pod wrote the next one reads. Where the attach-detach controller sees to the node, a CSI volume is mounted only once the
// Node says that it is attached.
//
// Not modelled: drivers (every one is taken for installed), devices in place of folders, data that follows a volume to another
// node, a local volume's path that is missing (it is made).
import type {PersistentVolume, PersistentVolumeClaim, Pod, Volume} from '../../api/kinds/core-v1.ts';
import type {CSIDriver} from '../../api/kinds/storage-v1.ts';
import {sha256} from '../../api/meta/hash.ts';
import {builtin} from '../../api/meta/resources.ts';
import {get} from '../../client/verbs.ts';
import type {Files} from '../../sim/files.ts';
import type {Task} from '../../sim/task.ts';
import {checkHostPath} from './host-path.ts';
import type {KubeletParts} from './surroundings.ts';

const claims = builtin('persistentvolumeclaims');
const volumes = builtin('persistentvolumes');
const drivers = builtin('storage.k8s.io', 'csidrivers');
const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';

/** A folder of the node, why there is none, or that it is not attached yet. */
export type Claimed = {readonly files: Files; readonly path: string} | {readonly failed: string} | {readonly attaching: true};

/** The claim whose volume this is; undefined for other volumes. */
export function claimNameOf({name, persistentVolumeClaim, ephemeral}: Volume, pod: Pod): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral ? `${pod.metadata.name}-${name}` : undefined);
}

/** Finds the folder. */
export function* findClaimed(parts: KubeletParts, pod: Pod, claimName: string): Task<Claimed> {
  const {client, files} = parts;
  const {namespace} = pod.metadata;
  const claim = yield* client.ask<PersistentVolumeClaim>(get(claims, {namespace, name: claimName}));
  if (!claim.ok) return {failed: `error getting PVC ${namespace}/${claimName}: ${claim.status.message}`};
  const volumeName = claim.value.spec?.volumeName;
  if (!volumeName) return {failed: `error processing PVC ${namespace}/${claimName}: PVC is not bound`};
  const volume = yield* client.ask<PersistentVolume>(get(volumes, {name: volumeName}));
  if (!volume.ok) return {failed: `error getting PV ${volumeName}: ${volume.status.message}`};
  const {hostPath, local, csi} = volume.value.spec ?? {};
  if (csi && isManaged(parts) && !isAttached(parts, csi)) {
    const driver = yield* client.ask<CSIDriver>(get(drivers, {name: csi.driver}));
    if (!driver.ok || driver.value.spec.attachRequired !== false) return {attaching: true};
  }
  const own = `/var/lib/kubelet/plugins/kubernetes.io/csi/${csi?.driver ?? 'volumes'}/${sha256(csi?.volumeHandle ?? volumeName)}/globalmount`;
  const path = hostPath?.path ?? local?.path ?? own;
  const failed = checkHostPath(files, path, hostPath?.type ?? '');
  return failed === undefined ? {files, path} : {failed};
}

function isManaged({node}: KubeletParts): boolean {
  return node()?.metadata.annotations?.[MANAGED] === 'true';
}

function isAttached({node}: KubeletParts, csi: {readonly driver: string; readonly volumeHandle: string}): boolean {
  const name = `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
  return node()?.status?.volumesAttached?.some(each => each.name === name) === true;
}
