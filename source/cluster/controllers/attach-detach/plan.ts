// Which nodes a volume is to be attached to, and what stands against it. A node gets a VolumeAttachment as soon as a pod on it uses
// the volume, and loses it when none does any more. Who really attaches is the driver's external attacher, which answers in the
// attachment's status.
//
//     pod on node-1 ─► VolumeAttachment (node-1) ─► attached: true ─► node-1's volumesAttached ─► its kubelet mounts
//
// A volume that only one node may have waits for the end of the attachment that it has: the new pod is told (Multi-Attach error).
import type {Node, PersistentVolume, Pod} from '../../../api/kinds/core-v1.ts';
import type {VolumeAttachment} from '../../../api/kinds/storage-v1.ts';
import {sha256} from '../../../api/meta/hash.ts';

const MANAGED = 'volumes.kubernetes.io/controller-managed-attach-detach';

/** Pods that use a volume, by their nodes. */
export type Users = ReadonlyMap<string, readonly Pod[]>;

/** What to do for one volume. */
export interface AttachPlan {
  readonly detach: readonly VolumeAttachment[];
  /** Nodes that are to get an attachment. */
  readonly attach: readonly string[];
  /** Attachments whose answer is to be looked at. */
  readonly look: readonly VolumeAttachment[];
  /** Pods that wait for the end of an attachment elsewhere. */
  readonly refused: readonly Pod[];
}

/** Does the controller see to the attachments of the node? */
export function isManaged(node: Node | undefined): boolean {
  return node?.metadata.annotations?.[MANAGED] === 'true';
}

/** The plan for a volume; without the volume all of its attachments end. */
export function planAttachments(
  volume: PersistentVolume | undefined,
  users: Users,
  attachments: readonly VolumeAttachment[],
): AttachPlan {
  const here = new Map(attachments.map(attachment => [attachment.spec.nodeName, attachment]));
  const alone = volume !== undefined && !isShared(volume);
  const attach: string[] = [];
  const refused: Pod[] = [];
  for (const [node, pods] of volume ? users : NOBODY) {
    if (here.has(node)) continue;
    if (alone && (here.size > 0 || attach.length > 0)) refused.push(...pods);
    else attach.push(node);
  }
  const isEnding = ({metadata}: VolumeAttachment) => metadata.deletionTimestamp !== undefined;
  const wanted = ({spec}: VolumeAttachment) => volume !== undefined && users.has(spec.nodeName);
  return {
    detach: attachments.filter(each => !wanted(each) && !isEnding(each)),
    attach,
    look: attachments.filter(each => wanted(each) && !isEnding(each)),
    refused,
  };
}

const NOBODY: Users = new Map();

const UNMOUNT_MS = 360_000;
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** How long a volume that its node has mounted is to stay attached; a node that is well is waited for as long as it takes. */
export function planDetaching(
  node: Node | undefined,
  {mounted, waitedMs}: {readonly mounted: boolean; readonly waitedMs: number},
): number {
  if (!mounted || node?.spec.taints?.some(taint => taint.key === OUT_OF_SERVICE)) return 0;
  const isWell = node?.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True') === true;
  return isWell ? UNMOUNT_MS : Math.max(0, UNMOUNT_MS - waitedMs);
}

/** May several nodes have it at once? */
function isShared({spec}: PersistentVolume): boolean {
  const modes: readonly string[] = spec?.accessModes ?? [];
  return modes.length === 0 || modes.some(mode => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}

/** Is it one of the controller's own, as its name tells? Those that somebody else made stay. */
export function isOwn({metadata}: VolumeAttachment): boolean {
  return /^csi-[0-9a-f]{64}$/.test(metadata.name);
}

/** The attachment of a volume to a node. */
export function attachmentOf(volume: PersistentVolume, nodeName: string): unknown {
  const {driver = '', volumeHandle = ''} = volume.spec?.csi ?? {};
  const hash = sha256(`${volumeHandle}${driver}${nodeName}`);
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: {name: `csi-${hash}`},
    spec: {attacher: driver, nodeName, source: {persistentVolumeName: volume.metadata.name}},
  };
}

/** What a Node calls the volume. */
export function uniqueName({spec}: PersistentVolume): string {
  return `kubernetes.io/csi/${spec?.csi?.driver}^${spec?.csi?.volumeHandle}`;
}

/** What a pod is told that must wait for others. */
export function multiAttachText(volume: PersistentVolume, pod: Pod, users: Users): string {
  const others = [...users.values()].flat().filter(other => other.spec.nodeName !== pod.spec.nodeName);
  const near = others.filter(other => other.metadata.namespace === pod.metadata.namespace).map(other => other.metadata.name);
  const far = others.length - near.length;
  const words = [
    ...(near.length > 0 ? [`pod(s) ${near.join(', ')}`] : []),
    ...(far > 0 ? [`${far} pod(s) in different namespaces`] : []),
  ].join(' and ');
  const start = `Multi-Attach error for volume "${volume.metadata.name}"`;
  return words === ''
    ? `${start} Volume is already exclusively attached to one node and can't be attached to another`
    : `${start} Volume is already used by ${words}`;
}
