// What plugins look up beside nodes and pods. The scheduler answers from its informers; a test or a bench from what it likes.
import type {PersistentVolume, PersistentVolumeClaim, Service} from '../../api/kinds/core-v1.ts';
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {LabelSelector, OwnerReference} from '../../api/kinds/meta.ts';
import type {DeviceClass, ResourceClaim, ResourceSlice} from '../../api/kinds/resource-v1.ts';
import type {CSIDriver, CSINode, CSIStorageCapacity, StorageClass, VolumeAttachment} from '../../api/kinds/storage-v1.ts';

/** Answers from copies of the cluster's other objects. */
export interface Lookups {
  services(namespace: string): Iterable<Service>;
  /** Counts up whenever a Service comes, goes or selects others. */
  readonly servicesVersion: number;
  /** The selector of a ReplicaSet, StatefulSet or ReplicationController; undefined when it is none of these or not there. */
  selectorOf(namespace: string, owner: OwnerReference): LabelSelector | undefined;
  budgets(namespace: string): Iterable<PodDisruptionBudget>;
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  /** Volumes of a class. */
  volumesOf(className: string): Iterable<PersistentVolume>;
  storageClass(name: string): StorageClass | undefined;
  /** What the drivers of a node can do. */
  csiNode(name: string): CSINode | undefined;
  csiDriver(name: string): CSIDriver | undefined;
  /** Free space of a class, as drivers tell it. */
  capacities(className: string): Iterable<CSIStorageCapacity>;
  /** Volumes that are attached, or about to be, to a node. */
  attachments(node: string): Iterable<VolumeAttachment>;
  resourceClaim(namespace: string, name: string): ResourceClaim | undefined;
  resourceClaims(): Iterable<ResourceClaim>;
  deviceClass(name: string): DeviceClass | undefined;
  /** Slices of devices that belong to a node, and those that belong to several. */
  slices(node: string): Iterable<ResourceSlice>;
}

/** There is nothing. */
export const NO_LOOKUPS: Lookups = {
  services: () => [],
  servicesVersion: 0,
  selectorOf: () => undefined,
  budgets: () => [],
  claim: () => undefined,
  volume: () => undefined,
  volumesOf: () => [],
  storageClass: () => undefined,
  csiNode: () => undefined,
  csiDriver: () => undefined,
  capacities: () => [],
  attachments: () => [],
  resourceClaim: () => undefined,
  resourceClaims: () => [],
  deviceClass: () => undefined,
  slices: () => [],
};
