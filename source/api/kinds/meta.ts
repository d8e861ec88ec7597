// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.

export type Quantity = string | number;
export interface APIResource {
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly singularName: string;
  readonly storageVersionHash?: string;
  readonly verbs: readonly string[];
  readonly version?: string;
}
export interface APIResourceList {
  readonly apiVersion: string;
  readonly groupVersion: string;
  readonly kind: string;
  readonly resources: readonly APIResource[];
}
export interface Condition {
  readonly lastTransitionTime: Time;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}
export interface DeleteOptions {
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly kind?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: Preconditions;
  readonly propagationPolicy?: string;
}
export interface FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export type FieldsV1 = {readonly [key: string]: unknown};
export interface LabelSelector {
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  readonly matchLabels?: {readonly [key: string]: string};
}
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}
export interface ListMeta {
  readonly continue?: string;
  readonly remainingItemCount?: number;
  readonly resourceVersion?: string;
  readonly selfLink?: string;
}
export interface ManagedFieldsEntry {
  readonly apiVersion?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldsV1;
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly time?: Time;
}
export type MicroTime = string;
export interface ObjectMeta {
  readonly annotations?: {readonly [key: string]: string};
  readonly creationTimestamp: Time;
  readonly deletionGracePeriodSeconds?: number;
  readonly deletionTimestamp?: Time;
  readonly finalizers?: readonly string[];
  readonly generateName?: string;
  readonly generation?: number;
  readonly labels?: {readonly [key: string]: string};
  readonly managedFields?: readonly ManagedFieldsEntry[];
  readonly name: string;
  readonly namespace?: string;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly resourceVersion: string;
  readonly selfLink?: string;
  readonly uid: string;
}
export interface OwnerReference {
  readonly apiVersion: string;
  readonly blockOwnerDeletion?: boolean;
  readonly controller?: boolean;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}
export type Patch = {readonly [key: string]: unknown};
export interface Preconditions {
  readonly resourceVersion?: string;
  readonly uid?: string;
}
export interface Status {
  readonly apiVersion?: string;
  readonly code?: number;
  readonly details?: StatusDetails;
  readonly kind?: string;
  readonly message?: string;
  readonly metadata?: ListMeta;
  readonly reason?: string;
  readonly status?: string;
}
export interface StatusCause {
  readonly field?: string;
  readonly message?: string;
  readonly reason?: string;
}
export interface StatusDetails {
  readonly causes?: readonly StatusCause[];
  readonly group?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly retryAfterSeconds?: number;
  readonly uid?: string;
}
export type Time = string;
export interface WatchEvent {
  readonly object: RawExtension;
  readonly type: string;
}
export type RawExtension = {readonly [key: string]: unknown};
export type IntOrString = number | string;
