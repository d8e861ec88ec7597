// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface ControllerRevision {
  readonly apiVersion: string;
  readonly data?: meta.RawExtension;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly revision: number;
}
export interface ControllerRevisionList {
  readonly apiVersion: string;
  readonly items: readonly ControllerRevision[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface DaemonSet {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
}
export interface DaemonSetCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface DaemonSetList {
  readonly apiVersion: string;
  readonly items: readonly DaemonSet[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface DaemonSetSpec {
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: meta.LabelSelector;
  readonly template: coreV1.PodTemplateSpec;
  readonly updateStrategy?: DaemonSetUpdateStrategy;
}
export interface DaemonSetStatus {
  readonly collisionCount?: number;
  readonly conditions?: readonly DaemonSetCondition[];
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
}
export interface DaemonSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateDaemonSet;
  readonly type?: "OnDelete" | "RollingUpdate";
}
export interface Deployment {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
}
export interface DeploymentCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly lastUpdateTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface DeploymentList {
  readonly apiVersion: string;
  readonly items: readonly Deployment[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface DeploymentSpec {
  readonly minReadySeconds?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: meta.LabelSelector;
  readonly strategy?: DeploymentStrategy;
  readonly template: coreV1.PodTemplateSpec;
}
export interface DeploymentStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly DeploymentCondition[];
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas?: number;
  readonly terminatingReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly updatedReplicas?: number;
}
export interface DeploymentStrategy {
  readonly rollingUpdate?: RollingUpdateDeployment;
  readonly type?: "Recreate" | "RollingUpdate";
}
export interface ReplicaSet {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
}
export interface ReplicaSetCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface ReplicaSetList {
  readonly apiVersion: string;
  readonly items: readonly ReplicaSet[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface ReplicaSetSpec {
  readonly minReadySeconds?: number;
  readonly replicas?: number;
  readonly selector: meta.LabelSelector;
  readonly template?: coreV1.PodTemplateSpec;
}
export interface ReplicaSetStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly ReplicaSetCondition[];
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly terminatingReplicas?: number;
}
export interface RollingUpdateDaemonSet {
  readonly maxSurge?: meta.IntOrString;
  readonly maxUnavailable?: meta.IntOrString;
}
export interface RollingUpdateDeployment {
  readonly maxSurge?: meta.IntOrString;
  readonly maxUnavailable?: meta.IntOrString;
}
export interface RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: meta.IntOrString;
  readonly partition?: number;
}
export interface StatefulSet {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
}
export interface StatefulSetCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface StatefulSetList {
  readonly apiVersion: string;
  readonly items: readonly StatefulSet[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface StatefulSetOrdinals {
  readonly start?: number;
}
export interface StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}
export interface StatefulSetSpec {
  readonly minReadySeconds?: number;
  readonly ordinals?: StatefulSetOrdinals;
  readonly persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly podManagementPolicy?: "OrderedReady" | "Parallel";
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: meta.LabelSelector;
  readonly serviceName?: string;
  readonly template: coreV1.PodTemplateSpec;
  readonly updateStrategy?: StatefulSetUpdateStrategy;
  readonly volumeClaimTemplates?: readonly coreV1.PersistentVolumeClaim[];
}
export interface StatefulSetStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly StatefulSetCondition[];
  readonly currentReplicas?: number;
  readonly currentRevision?: string;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly updateRevision?: string;
  readonly updatedReplicas?: number;
}
export interface StatefulSetUpdateStrategy {
  readonly rollingUpdate?: RollingUpdateStatefulSetStrategy;
  readonly type?: "OnDelete" | "RollingUpdate";
}
