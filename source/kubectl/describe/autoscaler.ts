// The page of a horizontal pod autoscaler: its metrics now and as they should be, and how it may move.
import type {
  ContainerResourceMetricStatus,
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../api/kinds/autoscaling-v2.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import {timeText, type Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';

const UNKNOWN = '<unknown>';

export const describeAutoscaler: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as HorizontalPodAutoscaler;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  const target = spec?.scaleTargetRef;
  lines.field(0, 'Reference', `${target?.kind ?? ''}/${target?.name ?? ''}`);
  lines.field(0, 'Metrics', '( current / target )');
  for (const [index, metric] of (spec?.metrics ?? []).entries())
    lines.add(1, metricText(metric, status?.currentMetrics?.[index]));
  lines.field(0, 'Min replicas', String(spec?.minReplicas ?? '<unset>'));
  lines.field(0, 'Max replicas', String(spec?.maxReplicas ?? 0));
  if (spec?.behavior) {
    lines.add(0, 'Behavior:');
    addDirection(lines, 'Scale Up', spec.behavior.scaleUp);
    addDirection(lines, 'Scale Down', spec.behavior.scaleDown);
  }
  lines.field(
    0,
    `${target?.kind ?? ''} pods`,
    `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired`,
  );
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) lines.raw('Conditions:\n  Type\tStatus\tReason\tMessage\n  ----\t------\t------\t-------\n');
  for (const {type, status: state, reason = '', message = ''} of conditions)
    lines.add(1, `${type}\t${state}\t${reason}\t${message}`);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function metricText(
  {type, resource, containerResource, pods, object, external}: MetricSpec,
  now: MetricStatus | undefined,
): string {
  if (type === 'External' && external) {
    const name = JSON.stringify(external.metric.name);
    return `${name} ${amountsText(external.target, now?.external?.current)}`;
  }
  if (type === 'Pods' && pods)
    return `${JSON.stringify(pods.metric.name)} on pods:\t${quantity(now?.pods?.current.averageValue)} / ${quantity(pods.target.averageValue)}`;
  if (type === 'Object' && object) {
    const {kind, name} = object.describedObject;
    return `${JSON.stringify(object.metric.name)} on ${kind}/${name} ${amountsText(object.target, now?.object?.current)}`;
  }
  if (type === 'Resource' && resource)
    return `resource ${resource.name} on pods${shareText(resource.target, now?.resource?.current)}`;
  if (type === 'ContainerResource' && containerResource) {
    const status: ContainerResourceMetricStatus | undefined = now?.containerResource;
    return `resource ${containerResource.name} of container "${containerResource.container}" on pods${shareText(containerResource.target, status?.current)}`;
  }
  return `<unknown metric type ${JSON.stringify(type)}>`;
}

function quantity(value: string | number | undefined): string {
  return value === undefined ? UNKNOWN : canonicalQuantity(value);
}

function amountsText(target: MetricTarget, now: MetricValueStatus | undefined): string {
  return target.averageValue === undefined
    ? `(target value):\t${quantity(now?.value)} / ${quantity(target.value)}`
    : `(target average value):\t${quantity(now?.averageValue)} / ${quantity(target.averageValue)}`;
}

function shareText(target: MetricTarget, now: MetricValueStatus | undefined): string {
  if (target.averageValue !== undefined) return `:\t${quantity(now?.averageValue)} / ${quantity(target.averageValue)}`;
  const current = now?.averageUtilization === undefined ? UNKNOWN : `${now.averageUtilization}% (${quantity(now.averageValue)})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return `  (as a percentage of request):\t${current} / ${wanted}`;
}

function addDirection(lines: Lines, direction: string, rules: HPAScalingRules | undefined): void {
  if (!rules) return;
  lines.add(1, `${direction}:`);
  if (rules.stabilizationWindowSeconds !== undefined)
    lines.add(2, `Stabilization Window: ${rules.stabilizationWindowSeconds} seconds`);
  const policies = rules.policies ?? [];
  if (policies.length === 0) return;
  lines.add(2, `Select Policy: ${rules.selectPolicy ?? 'Max'}`);
  lines.add(2, 'Policies:');
  for (const {type, value, periodSeconds} of policies)
    lines.add(3, `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`);
}
