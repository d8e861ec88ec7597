// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}
export interface HorizontalPodAutoscaler {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerList {
  readonly apiVersion: string;
  readonly items: readonly HorizontalPodAutoscaler[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface HorizontalPodAutoscalerSpec {
  readonly maxReplicas: number;
  readonly minReplicas?: number;
  readonly scaleTargetRef: CrossVersionObjectReference;
  readonly targetCPUUtilizationPercentage?: number;
}
export interface HorizontalPodAutoscalerStatus {
  readonly currentCPUUtilizationPercentage?: number;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: meta.Time;
  readonly observedGeneration?: number;
}
export interface Scale {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: ScaleSpec;
  readonly status?: ScaleStatus;
}
export interface ScaleSpec {
  readonly replicas?: number;
}
export interface ScaleStatus {
  readonly replicas: number;
  readonly selector?: string;
}
