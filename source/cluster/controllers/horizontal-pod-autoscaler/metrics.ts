// What metric APIs say. Resource metrics come from metrics.k8s.io, which metrics-server serves where it runs. Of the custom and
// external metrics APIs only the absence is modelled: nobody serves them here.
import type {LabelSelector, Status} from '../../../api/kinds/meta.ts';
import {parseGoDuration, parseTime} from '../../../api/meta/time.ts';
import type {Client, Result} from '../../../client/client.ts';
import type {Task} from '../../../sim/task.ts';
import {milliOf, type PodMetric, type PodMetrics} from './replicas.ts';

interface MetricsList {
  readonly items: readonly {
    readonly metadata: {readonly name: string};
    readonly timestamp: string;
    readonly window: string;
    readonly containers: readonly {readonly name: string; readonly usage: Readonly<Record<string, string>>}[];
  }[];
}

/** Which pods' measurements, of what. */
export interface MetricQuery {
  readonly namespace: string;
  readonly labelSelector: string;
  readonly resource: string;
  readonly container?: string;
}

/** Asks for a resource metric; a text says why there is none. */
export function* resourceMetrics(client: Client, query: MetricQuery): Task<PodMetrics | string> {
  const {namespace, labelSelector, resource} = query;
  const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`;
  const result: Result<MetricsList> = yield* client.ask<MetricsList>({method: 'GET', path, query: {labelSelector}});
  if (!result.ok) return `unable to get metrics for resource ${resource}: ${why(result.status)}`;
  const {items} = result.value;
  if (items.length === 0) return `unable to get metrics for resource ${resource}: no metrics returned from resource metrics API`;
  const metrics = new Map<string, PodMetric>();
  for (const item of items) {
    const milli = amountOf(item.containers, query);
    if (milli === undefined) continue;
    const window = parseGoDuration(item.window);
    metrics.set(item.metadata.name, {milli, atMs: parseTime(item.timestamp) ?? 0, windowMs: 'ms' in window ? window.ms : 0});
  }
  return metrics;
}

/** The pod's amount; undefined when one container was not measured. */
function amountOf(
  containers: MetricsList['items'][number]['containers'],
  {resource, container}: MetricQuery,
): number | undefined {
  const asked = container === undefined ? containers : containers.filter(({name}) => name === container);
  let total = 0;
  for (const {usage} of asked) {
    const amount = usage[resource];
    if (amount === undefined) return undefined;
    total += milliOf(resource, amount);
  }
  return asked.length === 0 ? undefined : total;
}

function why(status: Status): string {
  const words = 'unable to fetch metrics from resource metrics API';
  const what = '(get pods.metrics.k8s.io)';
  // Clients know these two by their codes alone.
  if (status.code === 404) return `${words}: the server could not find the requested resource ${what}`;
  if (status.code === 503) return `${words}: the server is currently unable to handle the request ${what}`;
  return `${words}: ${status.message}`;
}

const NO_CUSTOM = 'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

/** Why there is no metric of pods. */
export function noPodsMetric(name: string): string {
  return `unable to get metric ${name}: ${NO_CUSTOM}`;
}

/** Why there is no metric of an object. */
export function noObjectMetric(name: string, kind: string, place: string): string {
  const [namespace, object] = place.split('/');
  return `unable to get metric ${name}: ${kind} on ${namespace} ${object}/${NO_CUSTOM}`;
}

/** Why there is no external metric. */
export function noExternalMetric(namespace: string, name: string, selector: LabelSelector | undefined): string {
  const words = `the server could not find the requested resource (get ${name}.external.metrics.k8s.io)`;
  return `unable to get external metric ${namespace}/${name}/${goText(selector)}: unable to fetch metrics from external metrics API: ${words}`;
}

/** A selector as Go prints it. */
function goText(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const map =
    labels.length > 0
      ? `map[string]string{${labels.map(([key, value]) => `${key}: ${value},`).join('')}}`
      : 'map[string]string{}';
  const rules = (selector.matchExpressions ?? []).map(
    ({key, operator, values = []}) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  );
  const list = `[]LabelSelectorRequirement{${rules.map(rule => `${rule},`).join('')}}`;
  return `&LabelSelector{MatchLabels:${map},MatchExpressions:${list},}`;
}
