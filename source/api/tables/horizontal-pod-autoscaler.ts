// The row of a HorizontalPodAutoscaler, in both of its versions.
import type {HorizontalPodAutoscaler as OldAutoscaler} from '../kinds/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../kinds/autoscaling-v2.ts';
import {canonicalQuantity} from '../meta/quantity.ts';
import {age, type Cell, NONE, UNKNOWN, UNSET} from './cells.ts';

const MOST = 2;

export function autoscalerRow(autoscaler: HorizontalPodAutoscaler, nowMs: number): readonly Cell[] {
  const {spec, status} = autoscaler;
  return row(autoscaler, metricsText(spec.metrics ?? [], status?.currentMetrics ?? []), nowMs);
}

export function oldAutoscalerRow(autoscaler: OldAutoscaler, nowMs: number): readonly Cell[] {
  const target = autoscaler.spec.targetCPUUtilizationPercentage;
  const current = autoscaler.status?.currentCPUUtilizationPercentage;
  const text = target === undefined ? NONE : `cpu: ${current === undefined ? UNKNOWN : `${current}%`}/${target}%`;
  return row(autoscaler, text, nowMs);
}

function row(autoscaler: HorizontalPodAutoscaler | OldAutoscaler, targets: string, nowMs: number): readonly Cell[] {
  const {scaleTargetRef, minReplicas, maxReplicas} = autoscaler.spec;
  return [
    autoscaler.metadata.name,
    `${scaleTargetRef.kind}/${scaleTargetRef.name}`,
    targets,
    minReplicas === undefined ? UNSET : String(minReplicas),
    String(maxReplicas),
    String(autoscaler.status?.currentReplicas ?? 0),
    age(autoscaler, nowMs),
  ];
}

/** `cpu: 12%/50%, memory: 80Mi/100Mi + 1 more...`. */
function metricsText(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return NONE;
  const texts = specs.map((spec, i) => metricText(spec, statuses[i]));
  const shown = texts.slice(0, MOST).join(', ');
  return texts.length > MOST ? `${shown} + ${texts.length - MOST} more...` : shown;
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  if (spec.resource) return `${spec.resource.name}: ${utilization(spec.resource.target, status?.resource?.current)}`;
  if (spec.containerResource) {
    return `${spec.containerResource.name}: ${utilization(spec.containerResource.target, status?.containerResource?.current)}`;
  }
  if (spec.pods) return `${quantity(status?.pods?.current.averageValue)}/${quantity(spec.pods.target.averageValue)}`;
  const [target, current] = spec.object
    ? [spec.object.target, status?.object?.current]
    : [spec.external?.target, status?.external?.current];
  if (!target) return '<unknown type>';
  if (target.averageValue !== undefined) return `${quantity(current?.averageValue)}/${quantity(target.averageValue)} (avg)`;
  return `${quantity(current?.value)}/${quantity(target.value)}`;
}

function utilization(target: MetricTarget, current: MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined) return `${quantity(current?.averageValue)}/${quantity(target.averageValue)}`;
  const now = current?.averageUtilization === undefined ? UNKNOWN : `${current.averageUtilization}%`;
  return `${now}/${target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`}`;
}

function quantity(value: string | number | undefined): string {
  return value === undefined ? UNKNOWN : canonicalQuantity(value);
}
