// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface Eviction {
  readonly apiVersion: string;
  readonly deleteOptions?: meta.DeleteOptions;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
}
export interface PodDisruptionBudget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: PodDisruptionBudgetSpec;
  readonly status?: PodDisruptionBudgetStatus;
}
export interface PodDisruptionBudgetList {
  readonly apiVersion: string;
  readonly items: readonly PodDisruptionBudget[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface PodDisruptionBudgetSpec {
  readonly maxUnavailable?: meta.IntOrString;
  readonly minAvailable?: meta.IntOrString;
  readonly selector?: meta.LabelSelector;
  readonly unhealthyPodEvictionPolicy?: "AlwaysAllow" | "IfHealthyBudget";
}
export interface PodDisruptionBudgetStatus {
  readonly conditions?: readonly meta.Condition[];
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptedPods?: {readonly [key: string]: meta.Time};
  readonly disruptionsAllowed: number;
  readonly expectedPods: number;
  readonly observedGeneration?: number;
}
