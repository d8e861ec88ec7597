// What each metric of an autoscaler proposes. The largest proposal counts. A metric that could not be read is passed over, unless
// all are, or the others would shrink the target: who cannot see everything does not take away.
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../api/kinds/autoscaling-v2.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {formatMilli, formatUnits} from '../../../api/meta/quantity.ts';
import type {Client} from '../../../client/client.ts';
import type {Task} from '../../../sim/task.ts';
import type {AutoscalerTuning} from '../tuning.ts';
import {noExternalMetric, noObjectMetric, noPodsMetric, resourceMetrics} from './metrics.ts';
import {byAverage, byUtilization, milliOf, type Measured, type Proposal, type Tolerances} from './replicas.ts';

/** What proposals are made from. */
export interface Target {
  readonly client: Client;
  readonly hpa: HorizontalPodAutoscaler;
  readonly pods: readonly Pod[];
  readonly labelSelector: string;
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly nowMs: number;
  readonly tuning: AutoscalerTuning;
}

/** A metric that gave no proposal: what is said of it, and the error that names it. */
export interface Failed {
  readonly reason: string;
  readonly message: string;
  readonly error: string;
}

/** What all metrics came to. */
export interface Proposals {
  /** Undefined when there is no answer. */
  readonly replicas: number | undefined;
  /** The metric with the largest proposal. */
  readonly metric: string;
  readonly statuses: readonly MetricStatus[];
  readonly failed: readonly Failed[];
  /** The words for all that failed. */
  readonly error: string | undefined;
}

interface Made {
  readonly replicas: number;
  readonly metric: string;
  readonly status: MetricStatus;
}

/** Asks all metrics. */
export function* propose(target: Target): Task<Proposals> {
  const metrics = target.hpa.spec.metrics ?? [];
  const failed: Failed[] = [];
  const statuses: MetricStatus[] = [];
  let best: Made | undefined;
  for (const metric of metrics) {
    const made = yield* proposeOne(target, metric);
    if ('error' in made) {
      failed.push(made);
      statuses.push({type: ''});
      continue;
    }
    statuses.push(made.status);
    if (!best || best.replicas === 0 || made.replicas > best.replicas) best = made;
  }
  const [first] = failed;
  const error = first && `invalid metrics (${failed.length} invalid out of ${metrics.length}), first error is: ${first.error}`;
  const blind = failed.length >= metrics.length || (failed.length > 0 && (best?.replicas ?? 0) < target.specReplicas);
  return {replicas: blind ? undefined : best?.replicas, metric: best?.metric ?? '', statuses, failed, error};
}

function* proposeOne(target: Target, spec: MetricSpec): Task<Made | Failed> {
  const {namespace = ''} = target.hpa.metadata;
  const {resource, containerResource, pods, object, external} = spec;
  if (resource) return yield* resourceProposal(target, {type: 'Resource', ...resource});
  if (containerResource) return yield* resourceProposal(target, {type: 'ContainerResource', ...containerResource});
  if (pods) return failure('FailedGetPodsMetric', 'pods', noPodsMetric(pods.metric.name));
  if (object) {
    const {kind, name} = object.describedObject;
    return failure('FailedGetObjectMetric', 'object', noObjectMetric(object.metric.name, kind, `${namespace}/${name}`));
  }
  if (external) {
    const {name, selector} = external.metric;
    return failure('FailedGetExternalMetric', 'external', noExternalMetric(namespace, name, selector));
  }
  const message = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return {reason: 'InvalidMetricSourceType', message, error: message};
}

function failure(reason: string, kind: string, message: string): Failed {
  return {reason, message, error: `failed to get ${kind} metric value: ${message}`};
}

interface ResourceQuestion {
  readonly type: 'Resource' | 'ContainerResource';
  readonly name: string;
  readonly container?: string;
  readonly target: MetricTarget;
}

function* resourceProposal(target: Target, question: ResourceQuestion): Task<Made | Failed> {
  const {name, container, type} = question;
  const {averageValue, averageUtilization} = question.target;
  const refused = (message: string): Failed =>
    type === 'Resource'
      ? failure('FailedGetResourceMetric', `${name} resource`, message)
      : failure('FailedGetContainerResourceMetric', `${name} container`, message);
  if (averageValue === undefined && averageUtilization === undefined) {
    return refused(
      'invalid resource metric source: neither an average utilization target nor an average value (usage) target was set',
    );
  }
  const asWhat = averageValue === undefined ? 'utilization' : 'usage';
  const {namespace = ''} = target.hpa.metadata;
  const query = {namespace, labelSelector: target.labelSelector, resource: name, ...(container ? {container} : {})};
  const metrics = yield* resourceMetrics(target.client, query);
  if (typeof metrics === 'string') return refused(`failed to get ${name} ${asWhat}: ${metrics}`);
  const measured: Measured = {
    pods: target.pods,
    metrics,
    current: target.statusReplicas,
    resource: name,
    tolerances: tolerancesOf(target.hpa, target.tuning.tolerance),
    tuning: target.tuning,
    nowMs: target.nowMs,
  };
  const proposal =
    averageValue === undefined
      ? byUtilization(measured, averageUtilization ?? 0, container)
      : byAverage(measured, milliOf(name, averageValue));
  if (typeof proposal === 'string') return refused(`failed to get ${name} ${asWhat}: ${proposal}`);
  return made(question, proposal);
}

function made({type, name, container}: ResourceQuestion, {replicas, averageMilli, utilization}: Proposal): Made {
  const inPercent = `${name} ${type === 'Resource' ? 'resource' : 'container resource'} utilization (percentage of request)`;
  const current: MetricValueStatus = {
    ...(utilization === undefined ? {} : {averageUtilization: utilization}),
    averageValue: name === 'memory' && averageMilli % 1000 === 0 ? formatUnits(averageMilli / 1000) : formatMilli(averageMilli),
  };
  const status: MetricStatus =
    type === 'Resource'
      ? {type, resource: {name, current}}
      : {type, containerResource: {name, container: container ?? '', current}};
  return {replicas, metric: utilization === undefined ? `${name} resource` : inPercent, status};
}

function tolerancesOf({spec}: HorizontalPodAutoscaler, usual: number): Tolerances {
  const of = (tolerance: string | number | undefined) => (tolerance === undefined ? usual : milliOf('cpu', tolerance) / 1000);
  return {up: of(spec.behavior?.scaleUp?.tolerance), down: of(spec.behavior?.scaleDown?.tolerance)};
}
