// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as meta from './meta.ts';

export interface ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: MetricTarget;
}
export interface ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: MetricValueStatus;
  readonly name: string;
}
export interface CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}
export interface ExternalMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export interface ExternalMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}
export interface HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}
export interface HPAScalingRules {
  readonly policies?: readonly HPAScalingPolicy[];
  readonly selectPolicy?: string;
  readonly stabilizationWindowSeconds?: number;
  readonly tolerance?: meta.Quantity;
}
export interface HorizontalPodAutoscaler {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly spec: HorizontalPodAutoscalerSpec;
  readonly status?: HorizontalPodAutoscalerStatus;
}
export interface HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: HPAScalingRules;
  readonly scaleUp?: HPAScalingRules;
}
export interface HorizontalPodAutoscalerCondition {
  readonly lastTransitionTime?: meta.Time;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}
export interface HorizontalPodAutoscalerList {
  readonly apiVersion: string;
  readonly items: readonly HorizontalPodAutoscaler[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface HorizontalPodAutoscalerSpec {
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  readonly maxReplicas: number;
  readonly metrics?: readonly MetricSpec[];
  readonly minReplicas?: number;
  readonly scaleTargetRef: CrossVersionObjectReference;
}
export interface HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly HorizontalPodAutoscalerCondition[];
  readonly currentMetrics?: readonly MetricStatus[];
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: meta.Time;
  readonly observedGeneration?: number;
}
export interface MetricIdentifier {
  readonly name: string;
  readonly selector?: meta.LabelSelector;
}
export interface MetricSpec {
  readonly containerResource?: ContainerResourceMetricSource;
  readonly external?: ExternalMetricSource;
  readonly object?: ObjectMetricSource;
  readonly pods?: PodsMetricSource;
  readonly resource?: ResourceMetricSource;
  readonly type: string;
}
export interface MetricStatus {
  readonly containerResource?: ContainerResourceMetricStatus;
  readonly external?: ExternalMetricStatus;
  readonly object?: ObjectMetricStatus;
  readonly pods?: PodsMetricStatus;
  readonly resource?: ResourceMetricStatus;
  readonly type: string;
}
export interface MetricTarget {
  readonly averageUtilization?: number;
  readonly averageValue?: meta.Quantity;
  readonly type: string;
  readonly value?: meta.Quantity;
}
export interface MetricValueStatus {
  readonly averageUtilization?: number;
  readonly averageValue?: meta.Quantity;
  readonly value?: meta.Quantity;
}
export interface ObjectMetricSource {
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export interface ObjectMetricStatus {
  readonly current: MetricValueStatus;
  readonly describedObject: CrossVersionObjectReference;
  readonly metric: MetricIdentifier;
}
export interface PodsMetricSource {
  readonly metric: MetricIdentifier;
  readonly target: MetricTarget;
}
export interface PodsMetricStatus {
  readonly current: MetricValueStatus;
  readonly metric: MetricIdentifier;
}
export interface ResourceMetricSource {
  readonly name: string;
  readonly target: MetricTarget;
}
export interface ResourceMetricStatus {
  readonly current: MetricValueStatus;
  readonly name: string;
}
