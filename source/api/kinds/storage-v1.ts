// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface CSIDriver {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: CSIDriverSpec;
}
export interface CSIDriverList {
  readonly apiVersion: string;
  readonly items: readonly CSIDriver[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface CSIDriverSpec {
  readonly attachRequired?: boolean;
  readonly fsGroupPolicy?: string;
  readonly nodeAllocatableUpdatePeriodSeconds?: number;
  readonly podInfoOnMount?: boolean;
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly serviceAccountTokenInSecrets?: boolean;
  readonly storageCapacity?: boolean;
  readonly tokenRequests?: readonly TokenRequest[];
  readonly volumeLifecycleModes?: readonly string[];
}
export interface CSINode {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: CSINodeSpec;
}
export interface CSINodeDriver {
  readonly allocatable?: VolumeNodeResources;
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[];
}
export interface CSINodeList {
  readonly apiVersion: string;
  readonly items: readonly CSINode[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface CSINodeSpec {
  readonly drivers: readonly CSINodeDriver[];
}
export interface CSIStorageCapacity {
  readonly apiVersion: string;
  readonly capacity?: meta.Quantity;
  readonly kind: string;
  readonly maximumVolumeSize?: meta.Quantity;
  readonly metadata: meta.ObjectMeta;
  readonly nodeTopology?: meta.LabelSelector;
  readonly storageClassName: string;
}
export interface CSIStorageCapacityList {
  readonly apiVersion: string;
  readonly items: readonly CSIStorageCapacity[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface StorageClass {
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly coreV1.TopologySelectorTerm[];
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly mountOptions?: readonly string[];
  readonly parameters?: {readonly [key: string]: string};
  readonly provisioner: string;
  readonly reclaimPolicy?: "Delete" | "Recycle" | "Retain";
  readonly volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
}
export interface StorageClassList {
  readonly apiVersion: string;
  readonly items: readonly StorageClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface TokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number;
}
export interface VolumeAttachment {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: VolumeAttachmentSpec;
  readonly status?: VolumeAttachmentStatus;
}
export interface VolumeAttachmentList {
  readonly apiVersion: string;
  readonly items: readonly VolumeAttachment[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface VolumeAttachmentSource {
  readonly inlineVolumeSpec?: coreV1.PersistentVolumeSpec;
  readonly persistentVolumeName?: string;
}
export interface VolumeAttachmentSpec {
  readonly attacher: string;
  readonly nodeName: string;
  readonly source: VolumeAttachmentSource;
}
export interface VolumeAttachmentStatus {
  readonly attachError?: VolumeError;
  readonly attached: boolean;
  readonly attachmentMetadata?: {readonly [key: string]: string};
  readonly detachError?: VolumeError;
}
export interface VolumeAttributesClass {
  readonly apiVersion: string;
  readonly driverName: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly parameters?: {readonly [key: string]: string};
}
export interface VolumeAttributesClassList {
  readonly apiVersion: string;
  readonly items: readonly VolumeAttributesClass[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface VolumeError {
  readonly errorCode?: number;
  readonly message?: string;
  readonly time?: meta.Time;
}
export interface VolumeNodeResources {
  readonly count?: number;
}
