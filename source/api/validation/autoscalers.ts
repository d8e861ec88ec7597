// HorizontalPodAutoscalers, in both of their versions.
import type {HorizontalPodAutoscaler as OldAutoscaler} from '../kinds/autoscaling-v1.ts';
import type {
  CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricTarget,
} from '../kinds/autoscaling-v2.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkPathSegment} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities} from '../meta/quantity.ts';
import {containerResourceName} from './resources.ts';
import {type Errors, NOT_NEGATIVE, oneOf, sentences} from './rules.ts';

const SOURCES = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const;

/** An autoscaler of version 2. */
export function validateAutoscaler(autoscaler: HorizontalPodAutoscaler, errors: Errors): void {
  const {spec} = autoscaler;
  const path = root('spec');
  const metrics = spec.metrics ?? [];
  bounds(spec, path, errors);
  reference(spec.scaleTargetRef, path.child('scaleTargetRef'), errors);
  metrics.forEach((metric, i) => metricSpec(metric, path.child('metrics').index(i), errors));
  const toZero = metrics.some(({type}) => type === 'Object' || type === 'External');
  if (spec.minReplicas === 0 && !toZero) {
    const text = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbiddenField(path.child('metrics'), text));
  }
  scalingRules(spec.behavior?.scaleUp, path.child('behavior', 'scaleUp'), errors);
  scalingRules(spec.behavior?.scaleDown, path.child('behavior', 'scaleDown'), errors);
}

/** An autoscaler of version 1: its one number is a metric of version 2, and is named so. */
export function validateOldAutoscaler(autoscaler: OldAutoscaler, errors: Errors): void {
  const {spec} = autoscaler;
  const path = root('spec');
  bounds(spec, path, errors);
  reference(spec.scaleTargetRef, path.child('scaleTargetRef'), errors);
  const percent = spec.targetCPUUtilizationPercentage;
  if (percent !== undefined && percent <= 0) {
    errors.push(
      invalid(
        path.child('metrics').index(0).child('resource', 'target', 'averageUtilization'),
        percent,
        'must be greater than 0',
      ),
    );
  }
}

function bounds(spec: {readonly minReplicas?: number; readonly maxReplicas: number}, path: FieldPath, errors: Errors): void {
  const {minReplicas, maxReplicas} = spec;
  if (minReplicas !== undefined && minReplicas < 1)
    errors.push(invalid(path.child('minReplicas'), minReplicas, 'must be greater than or equal to 1'));
  const at = path.child('maxReplicas');
  if (maxReplicas < 1) errors.push(invalid(at, maxReplicas, 'must be greater than 0'));
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(invalid(at, maxReplicas, 'must be greater than or equal to `minReplicas`'));
}

function reference(target: CrossVersionObjectReference, path: FieldPath, errors: Errors): void {
  for (const field of ['kind', 'name'] as const) {
    if (!target[field]) errors.push(required(path.child(field)));
    else sentences(checkPathSegment(target[field]), {path: path.child(field), value: target[field]}, errors);
  }
  const version = target.apiVersion ?? '';
  const at = path.child('apiVersion');
  if (version.split('/').length > 2) errors.push(invalid(at, version, `unexpected GroupVersion string: ${version}`));
  else if (!version.includes('/') && target.kind !== 'ReplicationController') {
    errors.push(invalid(at, version, 'apiVersion must specify API group'));
  }
}

/** In the order in which the server looks for what is given. */
const GIVEN = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

function metricSpec(metric: MetricSpec, path: FieldPath, errors: Errors): void {
  const own = SOURCES[metric.type as keyof typeof SOURCES];
  const unknown = notSupported(path.child('type'), metric.type, Object.keys(SOURCES));
  if (!metric.type) errors.push(required(path.child('type'), 'must specify a metric source type'));
  if (own === undefined) errors.push(unknown);
  const given = GIVEN.filter(source => metric[source] !== undefined);
  const [first] = given;
  if (first) METRICS[first](metric, path.child(first), errors);
  if (own === undefined) errors.push(unknown);
  else if (metric[own] === undefined)
    errors.push(required(path.child(own), 'must populate information for the given metric source'));
  if (given.length < 2) return;
  for (const source of given)
    if (source !== own) errors.push(forbiddenField(path.child(source), 'must populate the given metric source only'));
}

const METRICS: Readonly<
  Record<(typeof SOURCES)[keyof typeof SOURCES], (metric: MetricSpec, path: FieldPath, errors: Errors) => void>
> = {
  object: ({object}, path, errors) => {
    if (!object) return;
    reference(object.describedObject, path.child('describedObject'), errors);
    identifier(object.metric, path.child('metric'), errors);
    valueTarget(object.target, {path: path.child('target'), text: 'must set either a target value or averageValue'}, errors);
  },
  external: ({external}, path, errors) => {
    if (!external) return;
    identifier(external.metric, path.child('metric'), errors);
    const text = 'must set either a target value for metric or a per-pod target';
    valueTarget(external.target, {path: path.child('target'), text}, errors);
    if (external.target.value !== undefined && external.target.averageValue !== undefined) {
      const both = 'may not set both a target value for metric and a per-pod target';
      errors.push(forbiddenField(path.child('target', 'value'), both));
    }
  },
  pods: ({pods}, path, errors) => {
    if (!pods) return;
    identifier(pods.metric, path.child('metric'), errors);
    target(pods.target, path.child('target'), errors);
    if (pods.target.averageValue === undefined) {
      errors.push(required(path.child('target', 'averageValue'), 'must specify a positive target averageValue'));
    }
  },
  resource: ({resource}, path, errors) => {
    if (!resource) return;
    if (!resource.name) errors.push(required(path.child('name'), 'must specify a resource name'));
    resourceTarget(resource.target, path.child('target'), errors);
  },
  containerResource: ({containerResource}, path, errors) => {
    if (!containerResource) return;
    const {name, container} = containerResource;
    if (!name) errors.push(required(path.child('name'), 'must specify a resource name'));
    else containerResourceName(name, path.child('name'), errors);
    if (!container) errors.push(required(path.child('container'), 'must specify a container'));
    else sentences(checkLabel(container), {path: path.child('container'), value: container}, errors);
    resourceTarget(containerResource.target, path.child('target'), errors);
  },
};

function identifier(metric: {readonly name: string}, path: FieldPath, errors: Errors): void {
  if (!metric.name) errors.push(required(path.child('name'), 'must specify a metric name'));
  else sentences(checkPathSegment(metric.name), {path: path.child('name'), value: metric.name}, errors);
}

function target(one: MetricTarget, path: FieldPath, errors: Errors): void {
  if (!one.type) errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (!['AverageValue', 'Utilization', 'Value'].includes(one.type))
    errors.push(invalid(path.child('type'), one.type, 'must be either Utilization, Value, or AverageValue'));
  for (const field of ['value', 'averageValue'] as const) {
    const quantity = one[field];
    if (quantity !== undefined && compareQuantities(quantity, '0') <= 0) {
      errors.push(invalid(path.child(field), canonicalQuantity(quantity), 'must be positive'));
    }
  }
  const percent = one.averageUtilization;
  if (percent !== undefined && percent < 1)
    errors.push(invalid(path.child('averageUtilization'), percent, 'must be greater than 0'));
}

function valueTarget(one: MetricTarget, at: {path: FieldPath; text: string}, errors: Errors): void {
  target(one, at.path, errors);
  if (one.value === undefined && one.averageValue === undefined) errors.push(required(at.path.child('averageValue'), at.text));
}

function resourceTarget(one: MetricTarget, path: FieldPath, errors: Errors): void {
  target(one, path, errors);
  if (one.averageUtilization === undefined && one.averageValue === undefined) {
    errors.push(required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization'));
  }
  if (one.averageUtilization !== undefined && one.averageValue !== undefined) {
    errors.push(forbiddenField(path.child('averageValue'), 'may not set both a target raw value and a target utilization'));
  }
}

function scalingRules(rules: HPAScalingRules | undefined, path: FieldPath, errors: Errors): void {
  if (!rules) return;
  const seconds = rules.stabilizationWindowSeconds;
  const at = path.child('stabilizationWindowSeconds');
  if (seconds !== undefined && seconds < 0) errors.push(invalid(at, seconds, 'must be greater than or equal to zero'));
  if (seconds !== undefined && seconds > 3600) errors.push(invalid(at, seconds, 'must be less than or equal to 3600'));
  if (rules.selectPolicy !== undefined)
    oneOf(rules.selectPolicy, {path: path.child('selectPolicy'), of: ['Disabled', 'Max', 'Min']}, errors);
  const policies = path.child('policies');
  if ((rules.policies?.length ?? 0) === 0) errors.push(required(policies, 'must specify at least one Policy'));
  rules.policies?.forEach((policy, i) => {
    const each = policies.index(i);
    oneOf(policy.type, {path: each.child('type'), of: ['Percent', 'Pods']}, errors);
    if (policy.value <= 0) errors.push(invalid(each.child('value'), policy.value, 'must be greater than zero'));
    if (policy.periodSeconds <= 0)
      errors.push(invalid(each.child('periodSeconds'), policy.periodSeconds, 'must be greater than zero'));
    if (policy.periodSeconds > 1800)
      errors.push(invalid(each.child('periodSeconds'), policy.periodSeconds, 'must be less than or equal to 1800'));
  });
  const {tolerance} = rules;
  if (tolerance !== undefined && compareQuantities(tolerance, '0') < 0)
    errors.push(invalid(path.child('tolerance'), canonicalQuantity(tolerance), NOT_NEGATIVE));
}
