// Volumes of claims: where on the node they are. A claim's volume is the same folder for all pods of the node that use it, so what
// one pod wrote the next one reads. Where the attach-detach controller sees to the node, a CSI volume is mounted only once the
// Node says that it is attached.
//
// A disk of the cluster's array follows its volume from node to node, with what is on it; its driver must have registered here.
//
// Not modelled: other drivers (each is taken for installed, and its volumes are folders of the node), devices in place of folders.
import type {PersistentVolume, PersistentVolumeClaim, Pod, Volume} from '../../../api/kinds/core-v1.ts';
import type {CSIDriver} from '../../../api/kinds/storage-v1.ts';
import {DISK_DRIVER} from '../../../api/meta/disk-driver.ts';
import {sha256} from '../../../api/meta/hash.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {get} from '../../../client/verbs.ts';
import type {Files} from '../../../sim/files.ts';
import type {Task} from '../../../sim/task.ts';
import {growFileSystem} from './file-system.ts';
import {checkHostPath} from './host-path.ts';
import type {KubeletParts} from '../surroundings.ts';

const claims = builtin('persistentvolumeclaims');
const volumes = builtin('persistentvolumes');
const drivers = builtin('storage.k8s.io', 'csidrivers');
const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';

const NOT_REGISTERED = `kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${DISK_DRIVER} not found in the list of registered CSI drivers`;
const NOT_HERE = 'rpc error: code = NotFound desc = the disk is not attached to this node';

/** A folder of the node, why there is none, or that it is not attached yet. */
export type Claimed =
  | {readonly files: Files; readonly path: string; readonly isDisk?: boolean}
  /** The whole sentence. */
  | {readonly failed: string}
  | {readonly attaching: true};

/** The claim whose volume this is; undefined for other volumes. */
export function claimNameOf({name, persistentVolumeClaim, ephemeral}: Volume, pod: Pod): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral ? `${pod.metadata.name}-${name}` : undefined);
}

/** Finds the folder. */
export function* findClaimed(
  parts: KubeletParts,
  pod: Pod,
  {volume: name, claim: claimName}: {readonly volume: string; readonly claim: string},
): Task<Claimed> {
  const {client, files} = parts;
  const {namespace} = pod.metadata;
  const claim = yield* client.ask<PersistentVolumeClaim>(get(claims, {namespace, name: claimName}));
  const unprocessed = (why: string): Claimed => ({
    failed: `Unable to attach or mount volumes: unmounted volumes=[${name}], unattached volumes=[], failed to process volumes=[${name}]: error processing PVC ${namespace}/${claimName}: ${why}`,
  });
  if (!claim.ok) return unprocessed(`failed to fetch PVC from API server: ${claim.status.message}`);
  const volumeName = claim.value.spec?.volumeName;
  if (!volumeName) return unprocessed('PVC is not bound');
  const volume = yield* client.ask<PersistentVolume>(get(volumes, {name: volumeName}));
  if (!volume.ok) return unprocessed(`failed to fetch PV ${volumeName} from API server: ${volume.status.message}`);
  const {hostPath, local, csi} = volume.value.spec ?? {};
  if (csi && isManaged(parts)) parts.inUse.use(nameOnNode(csi), pod.metadata.uid);
  if (csi && isManaged(parts) && !isAttached(parts, csi)) {
    const driver = yield* client.ask<CSIDriver>(get(drivers, {name: csi.driver}));
    if (!driver.ok || driver.value.spec.attachRequired !== false) return {attaching: true};
  }
  if (csi?.driver === DISK_DRIVER && parts.disks) {
    const disk = parts.disks.find(csi.volumeHandle);
    const why = parts.plugins.has(DISK_DRIVER) ? (disk?.host === parts.config.name ? undefined : NOT_HERE) : NOT_REGISTERED;
    if (!disk || why) return {failed: `MountVolume.MountDevice failed for volume "${volumeName}" : ${why ?? NOT_HERE}`};
    yield* growFileSystem(parts, pod, {claim: claim.value, volume: volume.value});
    return {files: disk.files, path: '/', isDisk: true};
  }
  const own = `/var/lib/kubelet/plugins/kubernetes.io/csi/${csi?.driver ?? 'volumes'}/${sha256(csi?.volumeHandle ?? volumeName)}/globalmount`;
  const path = hostPath?.path ?? local?.path ?? own;
  if (local && !files.info(path))
    return {failed: `MountVolume.NewMounter initialization failed for volume "${volumeName}" : path "${path}" does not exist`};
  const failed = checkHostPath(files, path, hostPath?.type ?? '');
  return failed === undefined ? {files, path} : {failed: `MountVolume.SetUp failed for volume "${volumeName}" : ${failed}`};
}

function isManaged({node}: KubeletParts): boolean {
  return node()?.metadata.annotations?.[MANAGED] === 'true';
}

function isAttached({node}: KubeletParts, csi: {readonly driver: string; readonly volumeHandle: string}): boolean {
  const name = nameOnNode(csi);
  return node()?.status?.volumesAttached?.some(each => each.name === name) === true;
}

/** What a Node calls the volume. */
function nameOnNode({driver, volumeHandle}: {readonly driver: string; readonly volumeHandle: string}): string {
  return `kubernetes.io/csi/${driver}^${volumeHandle}`;
}
