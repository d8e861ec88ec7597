// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface CronJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: CronJobSpec;
  readonly status?: CronJobStatus;
}
export interface CronJobList {
  readonly apiVersion: string;
  readonly items: readonly CronJob[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface CronJobSpec {
  readonly concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
}
export interface CronJobStatus {
  readonly active?: readonly coreV1.ObjectReference[];
  readonly lastScheduleTime?: meta.Time;
  readonly lastSuccessfulTime?: meta.Time;
}
export interface Job {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}
export interface JobCondition {
  readonly lastProbeTime?: meta.Time;
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface JobList {
  readonly apiVersion: string;
  readonly items: readonly Job[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly completionMode?: "Indexed" | "NonIndexed";
  readonly completions?: number;
  readonly managedBy?: string;
  readonly manualSelector?: boolean;
  readonly maxFailedIndexes?: number;
  readonly parallelism?: number;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly podReplacementPolicy?: "Failed" | "TerminatingOrFailed";
  readonly selector?: meta.LabelSelector;
  readonly successPolicy?: SuccessPolicy;
  readonly suspend?: boolean;
  readonly template: coreV1.PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
}
export interface JobStatus {
  readonly active?: number;
  readonly completedIndexes?: string;
  readonly completionTime?: meta.Time;
  readonly conditions?: readonly JobCondition[];
  readonly failed?: number;
  readonly failedIndexes?: string;
  readonly ready?: number;
  readonly startTime?: meta.Time;
  readonly succeeded?: number;
  readonly terminating?: number;
  readonly uncountedTerminatedPods?: UncountedTerminatedPods;
}
export interface JobTemplateSpec {
  readonly metadata?: meta.ObjectMeta;
  readonly spec?: JobSpec;
}
export interface PodFailurePolicy {
  readonly rules: readonly PodFailurePolicyRule[];
}
export interface PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: "In" | "NotIn";
  readonly values: readonly number[];
}
export interface PodFailurePolicyOnPodConditionsPattern {
  readonly status?: string;
  readonly type: string;
}
export interface PodFailurePolicyRule {
  readonly action: "Count" | "FailIndex" | "FailJob" | "Ignore";
  readonly onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly PodFailurePolicyOnPodConditionsPattern[];
}
export interface SuccessPolicy {
  readonly rules: readonly SuccessPolicyRule[];
}
export interface SuccessPolicyRule {
  readonly succeededCount?: number;
  readonly succeededIndexes?: string;
}
export interface UncountedTerminatedPods {
  readonly failed?: readonly string[];
  readonly succeeded?: readonly string[];
}
