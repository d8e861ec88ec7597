// Which claims get a disk of the driver's, where it is to be, and the volume that stands for it.
//
//     claim ─► class names the driver ─► (the scheduler chose a node) ─► a zone ─► a disk ─► PersistentVolume ─► the claim is bound
//
// A class may narrow the zones (allowedTopologies). Without a chosen node the zones take turns by the claim's name: claims of one
// StatefulSet, which differ in the number at their end, are spread.
import type {
  Node,
  NodeSelectorTerm,
  PersistentVolume,
  PersistentVolumeClaim,
  TopologySelectorTerm,
} from '../../api/kinds/core-v1.ts';
import type {StorageClass} from '../../api/kinds/storage-v1.ts';
import {DISK_DRIVER, DISK_TOPOLOGY} from '../../api/meta/disk-driver.ts';
import type {Draft} from '../../api/meta/object.ts';
import {formatUnits, unitValue} from '../../api/meta/quantity.ts';
import {isDelayedClass, PROVISIONED_BY, SELECTED_NODE} from '../../api/meta/volume-match.ts';
import {rpcText} from './context.ts';

const PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
/** Holds a volume until its disk is gone. */
export const DISK_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';
const MEBIBYTE = 1024 ** 2;

/** Is the claim the driver's to serve, now? */
export function wantsDisk({metadata, spec}: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean {
  if (spec?.volumeName || metadata.deletionTimestamp !== undefined) return false;
  if (metadata.annotations?.[PROVISIONER] !== DISK_DRIVER || storageClass?.provisioner !== DISK_DRIVER) return false;
  return !isDelayedClass(storageClass) || Boolean(metadata.annotations[SELECTED_NODE]);
}

/** The disk that a claim gets. */
export interface DiskPlan {
  readonly bytes: number;
  /** Empty where nodes have no zones. */
  readonly zone: string;
}

/** What the claim asks of the driver: a disk, or why there can be none. */
export function planDisk(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  nodes: ReadonlyMap<string, Node>,
): DiskPlan | {readonly error: string} {
  const {selector, accessModes = [], resources} = claim.spec ?? {};
  if (selector) return {error: 'claim Selector is not supported'};
  if (accessModes.some(mode => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany'))
    return {
      error: rpcText(
        'InvalidArgument',
        'a disk is attached to one node at a time: only ReadWriteOnce and ReadWriteOncePod are supported',
      ),
    };
  const bytes = Math.ceil(unitValue(resources?.requests?.['storage'] ?? '0') / MEBIBYTE) * MEBIBYTE;
  const allowed = allowedZones(storageClass.allowedTopologies);
  const chosen = claim.metadata.annotations?.[SELECTED_NODE];
  if (chosen !== undefined) {
    const node = nodes.get(chosen);
    if (!node) return {error: `error getting selected node ${JSON.stringify(chosen)}: node ${JSON.stringify(chosen)} not found`};
    const zone = zoneOf(node);
    if (!allowed || allowed.includes(zone)) return {bytes, zone};
    return {
      error: `error generating accessibility requirements: selected node '${JSON.stringify(chosen)}' topology 'map[${DISK_TOPOLOGY}:${zone}]' is not in allowed topologies: [${allowed.map(each => `map[${DISK_TOPOLOGY}:${each}]`).join(' ')}]`,
    };
  }
  const zones = allowed ?? [...new Set([...nodes.values()].map(zoneOf))].filter(zone => zone !== '').sort();
  return {bytes, zone: zones[turnOf(claim.metadata.name) % Math.max(1, zones.length)] ?? ''};
}

function zoneOf({metadata}: Node): string {
  return metadata.labels?.[DISK_TOPOLOGY] ?? '';
}

function allowedZones(terms: readonly TopologySelectorTerm[] | undefined): readonly string[] | undefined {
  if (!terms || terms.length === 0) return undefined;
  const zones = terms.flatMap(term => (term.matchLabelExpressions ?? []).filter(each => each.key === DISK_TOPOLOGY));
  return zones.length === 0 ? undefined : [...new Set(zones.flatMap(each => each.values))].sort();
}

/** Claims of one name and growing numbers follow each other. */
function turnOf(name: string): number {
  const [, base = name, number = '0'] = /^(.*)-(\d+)$/.exec(name) ?? [];
  let hash = 0;
  for (const letter of base) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hash + Number(number);
}

/** The volume for a claim's disk. */
export function volumeOf(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  {disk, bytes, zone, identity}: DiskPlan & {readonly disk: string; readonly identity: string},
): Draft<PersistentVolume> {
  const {metadata, spec} = claim;
  const deletion = 'volume.kubernetes.io/provisioner-deletion-secret';
  const term: NodeSelectorTerm = {matchExpressions: [{key: DISK_TOPOLOGY, operator: 'In', values: [zone]}]};
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${metadata.uid}`,
      annotations: {[PROVISIONED_BY]: DISK_DRIVER, [`${deletion}-name`]: '', [`${deletion}-namespace`]: ''},
      finalizers: [DISK_FINALIZER],
    },
    spec: {
      accessModes: spec?.accessModes ?? [],
      capacity: {storage: formatUnits(bytes, 'BinarySI')},
      claimRef: {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        name: metadata.name,
        namespace: metadata.namespace ?? '',
        resourceVersion: metadata.resourceVersion,
        uid: metadata.uid,
      },
      csi: {
        driver: DISK_DRIVER,
        fsType: storageClass.parameters?.['csi.storage.k8s.io/fstype'] ?? 'ext4',
        volumeAttributes: {'storage.kubernetes.io/csiProvisionerIdentity': identity},
        volumeHandle: disk,
      },
      ...(storageClass.mountOptions ? {mountOptions: storageClass.mountOptions} : {}),
      ...(zone === '' ? {} : {nodeAffinity: {required: {nodeSelectorTerms: [term]}}}),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      volumeMode: spec?.volumeMode ?? 'Filesystem',
    },
  } as Draft<PersistentVolume>;
}

/** What a volume's own policy says of its disk. */
export type VolumeCare = 'hold' | 'let-go' | 'remove' | undefined;

/** What to do about a volume that the driver made: hold it for its disk's sake, hold it no more, or take both away. */
export function planCare({metadata, spec, status}: PersistentVolume): VolumeCare {
  if (metadata.annotations?.[PROVISIONED_BY] !== DISK_DRIVER) return undefined;
  const held = metadata.finalizers?.includes(DISK_FINALIZER) === true;
  const goes = spec?.persistentVolumeReclaimPolicy === 'Delete';
  const isGoing = metadata.deletionTimestamp !== undefined;
  if (goes && status?.phase === 'Released' && (held || !isGoing)) return 'remove';
  if (held && !goes) return 'let-go';
  return goes && !held && !isGoing ? 'hold' : undefined;
}
