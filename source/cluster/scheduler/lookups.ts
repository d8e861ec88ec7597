// What plugins look up beside nodes and pods. The scheduler answers from its informers; a test or a bench from what it likes.
import type {PersistentVolume, PersistentVolumeClaim, Service} from '../../api/kinds/core-v1.ts';
import type {PodDisruptionBudget} from '../../api/kinds/policy-v1.ts';
import type {LabelSelector, OwnerReference} from '../../api/kinds/meta.ts';
import type {ResourceClaim} from '../../api/kinds/resource-v1.ts';
import type {StorageClass} from '../../api/kinds/storage-v1.ts';

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
  storageClass(name: string): StorageClass | undefined;
  resourceClaim(namespace: string, name: string): ResourceClaim | undefined;
  hasDeviceClass(name: string): boolean;
}

/** There is nothing. */
export const NO_LOOKUPS: Lookups = {
  services: () => [],
  servicesVersion: 0,
  selectorOf: () => undefined,
  budgets: () => [],
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  resourceClaim: () => undefined,
  hasDeviceClass: () => false,
};
