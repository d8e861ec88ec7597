// Metrics as autoscaling/v1 writes them into annotations: the same things as in v2, under older names and flat.
import type {MetricSpec, MetricStatus, MetricTarget, MetricValueStatus} from '../../../api/kinds/autoscaling-v2.ts';
import {isFields, type Fields} from '../../../api/meta/fields.ts';

/** Without the fields that say nothing. */
function said<T extends Fields>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A target of v2, as v1 annotates it. */
export function oldMetric({type, resource, containerResource, object, pods, external}: MetricSpec): Fields {
  const averages = ({averageUtilization, averageValue}: MetricTarget) =>
    said({targetAverageUtilization: averageUtilization, targetAverageValue: averageValue});
  return said({
    type,
    object:
      object &&
      said({
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      }),
    pods:
      pods &&
      said({metricName: pods.metric.name, targetAverageValue: pods.target.averageValue ?? '0', selector: pods.metric.selector}),
    resource: resource && {name: resource.name, ...averages(resource.target)},
    containerResource: containerResource && {
      name: containerResource.name,
      ...averages(containerResource.target),
      container: containerResource.container,
    },
    external:
      external &&
      said({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  });
}

/** What was measured, as v1 annotates it. */
export function oldMeasure({type, resource, containerResource, object, pods, external}: MetricStatus): Fields {
  const averages = ({averageUtilization, averageValue}: MetricValueStatus) =>
    said({currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? '0'});
  return said({
    type,
    object:
      object &&
      said({
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      }),
    pods:
      pods &&
      said({metricName: pods.metric.name, currentAverageValue: pods.current.averageValue ?? '0', selector: pods.metric.selector}),
    resource: resource && {name: resource.name, ...averages(resource.current)},
    containerResource: containerResource && {
      name: containerResource.name,
      ...averages(containerResource.current),
      container: containerResource.container,
    },
    external:
      external &&
      said({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: external.current.value ?? '0',
        currentAverageValue: external.current.averageValue,
      }),
  });
}

/** A target of v2 from what an annotation says; undefined for what is no metric. */
export function newMetric(old: unknown): MetricSpec | undefined {
  if (!isFields(old) || typeof old['type'] !== 'string') return undefined;
  const {type, object, pods, resource, containerResource, external} = old;
  const identifier = (name: unknown, selector: unknown) => said({name, selector});
  const target = (utilization: unknown, averageValue: unknown, value?: unknown) => {
    const kind = utilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';
    return said({type: kind, averageUtilization: utilization, averageValue, value: kind === 'Value' ? value : undefined});
  };
  const ofResource = (part: Fields) => ({
    name: part['name'],
    target: target(part['targetAverageUtilization'], part['targetAverageValue']),
  });
  return said({
    type,
    object: isFields(object)
      ? {
          describedObject: object['target'],
          metric: identifier(object['metricName'], object['selector']),
          target: target(undefined, object['averageValue'], object['targetValue']),
        }
      : undefined,
    pods: isFields(pods)
      ? {metric: identifier(pods['metricName'], pods['selector']), target: target(undefined, pods['targetAverageValue'])}
      : undefined,
    resource: isFields(resource) ? ofResource(resource) : undefined,
    containerResource: isFields(containerResource)
      ? {...ofResource(containerResource), container: containerResource['container']}
      : undefined,
    external: isFields(external)
      ? {
          metric: identifier(external['metricName'], external['metricSelector']),
          target: target(undefined, external['targetAverageValue'], external['targetValue']),
        }
      : undefined,
  }) as unknown as MetricSpec;
}
