// News that may help a pod which found no node. Each plugin judges for the pods that it refused whether the news could matter.
import type {ResourceClaim} from '../../api/kinds/resource-v1.ts';
import type {KubeObject} from '../../api/meta/object.ts';
import type {NodeFacts} from './state/node-facts.ts';
import type {PodInfo} from './state/pod-info.ts';

/** A piece of news. */
export type ClusterEvent =
  /** A node came (no `before`), changed, or went (no `after`). */
  | {readonly about: 'node'; readonly before?: NodeFacts; readonly after?: NodeFacts}
  /** A pod on a node came, changed or went. */
  | {readonly about: 'placed'; readonly before?: PodInfo; readonly after?: PodInfo}
  /** The waiting pod itself changed. */
  | {readonly about: 'itself'; readonly before: PodInfo; readonly after: PodInfo}
  /** A claim, a volume or whatever else belongs to volumes came, changed or went. */
  | {readonly about: 'storage'; readonly kind: StorageKind; readonly before?: KubeObject; readonly after?: KubeObject}
  /** Devices, or a class of them, came or changed. */
  | {readonly about: 'devices'}
  /** A claim on devices came or changed. */
  | {readonly about: 'device claim'; readonly before?: ResourceClaim; readonly after: ResourceClaim};

/** What belongs to volumes. */
export type StorageKind = 'claim' | 'volume' | 'class' | 'attachment' | 'node limits' | 'driver' | 'capacity';
