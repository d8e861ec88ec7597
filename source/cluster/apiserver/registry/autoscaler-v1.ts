// HorizontalPodAutoscalers as autoscaling/v1 shows them. It knows one target, the CPU; what else v2 says of an autoscaler it carries
// in annotations, and takes it from there again when it is written back.
import type {HorizontalPodAutoscaler, MetricSpec} from '../../../api/kinds/autoscaling-v2.ts';
import {isFields} from '../../../api/meta/fields.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {newMetric, oldMeasure, oldMetric} from './autoscaler-metrics.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CARRIED = [METRICS, BEHAVIOR, `${PREFIX}current-metrics`, `${PREFIX}conditions`];

type Annotations = Readonly<Record<string, string>>;
type OldSpec = Readonly<Record<string, unknown>> & {readonly targetCPUUtilizationPercentage?: number};

function isCpu({type, resource}: MetricSpec): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined;
}

/** The stored object in version 1. */
export function autoscalerToV1(stored: AnyObject): AnyObject {
  const {spec, status = {}} = stored as unknown as Partial<HorizontalPodAutoscaler>;
  const {metrics = [], behavior, ...rest} = spec ?? {};
  const {currentMetrics = [], conditions = [], ...counts} = status as NonNullable<HorizontalPodAutoscaler['status']>;
  const cpu = metrics.find(isCpu)?.resource?.target.averageUtilization;
  const used = currentMetrics.find(each => each.type === 'Resource' && each.resource?.name === 'cpu')?.resource?.current;
  const others = metrics.filter(metric => !isCpu(metric));
  const carried = {
    ...(others.length > 0 ? {[METRICS]: JSON.stringify(others.map(oldMetric))} : {}),
    ...(behavior ? {[BEHAVIOR]: JSON.stringify(behavior)} : {}),
    ...(currentMetrics.length > 0 ? {[`${PREFIX}current-metrics`]: JSON.stringify(currentMetrics.map(oldMeasure))} : {}),
    ...(conditions.length > 0 ? {[`${PREFIX}conditions`]: JSON.stringify(conditions.map(inOrder))} : {}),
  };
  const percentage = used?.averageUtilization;
  return {
    ...stored,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(stored, {...plain(stored.metadata.annotations), ...carried}),
    spec: {...rest, ...(cpu === undefined ? {} : {targetCPUUtilizationPercentage: cpu})},
    ...(stored.status
      ? {status: {...counts, ...(percentage === undefined ? {} : {currentCPUUtilizationPercentage: percentage})}}
      : {}),
  };
}

/** An object of version 1 as it is stored; the status is that which was there. */
export function autoscalerToV2(object: AnyObject, old: AnyObject | undefined): AnyObject {
  const {targetCPUUtilizationPercentage: cpu, ...spec} = object.spec as OldSpec;
  const carried = object.metadata.annotations ?? {};
  const others = listIn(carried[METRICS]).flatMap(each => newMetric(each) ?? []);
  const target = {type: 'Utilization', averageUtilization: cpu};
  const metrics = cpu === undefined ? others : [...others, {type: 'Resource', resource: {name: 'cpu', target}}];
  const behavior = valueIn(carried[BEHAVIOR]);
  const {currentCPUUtilizationPercentage: _used, ...counts} = (object.status ?? {}) as Readonly<Record<string, unknown>>;
  return deepFreeze({
    ...object,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(object, plain(object.metadata.annotations)),
    spec: {...spec, ...(metrics.length > 0 ? {metrics} : {}), ...(isFields(behavior) ? {behavior} : {})},
    ...(old?.status === undefined ? {} : {status: {...old.status, ...counts}}),
  });
}

function plain(annotations: Annotations | undefined): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !CARRIED.includes(key)));
}

function withAnnotations({metadata}: AnyObject, annotations: Annotations): AnyObject['metadata'] {
  if (Object.keys(annotations).length === 0 && metadata.annotations === undefined) return metadata;
  const {annotations: _before, ...rest} = metadata;
  return Object.keys(annotations).length === 0 ? rest : {...rest, annotations};
}

type Condition = NonNullable<NonNullable<HorizontalPodAutoscaler['status']>['conditions']>[number];

/** In the order of the struct. */
function inOrder({type, status, lastTransitionTime, reason, message}: Condition): object {
  return {type, status, lastTransitionTime, reason, message};
}

function valueIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

function listIn(text: string | undefined): readonly unknown[] {
  const value = valueIn(text);
  return Array.isArray(value) ? value : [];
}
