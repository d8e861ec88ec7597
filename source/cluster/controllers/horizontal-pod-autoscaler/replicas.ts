// How many pods a metric asks for. The ratio of what is used to what is wanted, times the pods that were measured; inside of the
// tolerance (a tenth) nothing changes.
//
// Not every pod can be counted. Pods that are ending or failed do not count at all. A pod that was not measured is taken for one
// that uses nothing when the sum says up, and for one that uses all it may when it says down; one that has just started, whose CPU
// says little, for one that uses nothing, when it says up. If that turns the direction around, nothing changes.
//
//     3 pods at 200m of 100m each wanted: ratio 2, six pods. One more that is just starting: (600+0)/(4×100) = 1.5, six pods.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {isSidecar} from '../../../api/meta/pod.ts';
import {amountOf} from '../../../api/meta/pod-resources.ts';
import {parseTime} from '../../../api/meta/time.ts';
import type {AutoscalerTuning} from '../tuning.ts';

/** What was measured of a pod: thousandths of the unit, when, and over which time. */
export interface PodMetric {
  readonly milli: number;
  readonly atMs: number;
  readonly windowMs: number;
}

export type PodMetrics = ReadonlyMap<string, PodMetric>;

/** How far a ratio may be from 1 without consequence. */
export interface Tolerances {
  readonly up: number;
  readonly down: number;
}

/** What is looked at. */
export interface Measured {
  readonly pods: readonly Pod[];
  readonly metrics: PodMetrics;
  readonly current: number;
  readonly resource: string;
  readonly tolerances: Tolerances;
  readonly nowMs: number;
  readonly tuning: Pick<AutoscalerTuning, 'startingMs' | 'firstReadyMs'>;
}

/** How many replicas, and what the pods use: on average, and in percent of their requests where that was asked. */
export interface Proposal {
  readonly replicas: number;
  readonly averageMilli: number;
  readonly utilization?: number;
}

const NO_PODS = 'No pods returned by selector while calculating replica count';
const NO_METRICS = 'did not receive metrics for targeted pods (pods might be unready)';

/** A target in percent of what the pods (or one of their containers) request; a text says why there is no answer. */
export function byUtilization(measured: Measured, target: number, container?: string): Proposal | string {
  const {pods, resource} = measured;
  if (pods.length === 0) return NO_PODS;
  const groups = groupPods(measured);
  if (groups.metrics.size === 0) return NO_METRICS;
  const requests = requestsOf(pods, resource, container);
  if (typeof requests === 'string') return requests;
  const first = usage(groups.metrics, requests, target);
  if (typeof first === 'string') return first;
  const fallback = Math.max(100, target);
  const full = (pod: string) => Math.floor(((requests.get(pod) ?? 0) * fallback) / 100);
  const replicas = replicasFor(measured, groups, {ratio: first.ratio, full, again: metrics => usage(metrics, requests, target)});
  return typeof replicas === 'string' ? replicas : {replicas, averageMilli: first.average, utilization: first.utilization};
}

/** A target as the average amount of a pod. */
export function byAverage(measured: Measured, targetMilli: number): Proposal | string {
  if (measured.pods.length === 0) return NO_PODS;
  const groups = groupPods(measured);
  if (groups.metrics.size === 0) return NO_METRICS;
  const average = (metrics: ReadonlyMap<string, number>) => Math.floor(sum(metrics.values()) / metrics.size);
  const ratioOf = (metrics: ReadonlyMap<string, number>) => ({ratio: average(metrics) / targetMilli});
  const {ratio} = ratioOf(groups.metrics);
  const replicas = replicasFor(measured, groups, {ratio, full: () => targetMilli, again: ratioOf});
  return typeof replicas === 'string' ? replicas : {replicas, averageMilli: average(groups.metrics)};
}

interface Groups {
  readonly ready: number;
  readonly unready: readonly string[];
  readonly missing: readonly string[];
  /** Of the pods that count. */
  readonly metrics: ReadonlyMap<string, number>;
}

function groupPods({pods, metrics, resource, nowMs, tuning}: Measured): Groups {
  const unready: string[] = [];
  const missing: string[] = [];
  const counted = new Map([...metrics].map(([name, {milli}]) => [name, milli]));
  let ready = 0;
  for (const pod of pods) {
    const {name} = pod.metadata;
    const metric = metrics.get(name);
    if (pod.metadata.deletionTimestamp !== undefined || pod.status?.phase === 'Failed') counted.delete(name);
    else if (pod.status?.phase === 'Pending') unready.push(name);
    else if (!metric) missing.push(name);
    else if (resource === 'cpu' && isStarting(pod, metric, {nowMs, ...tuning})) unready.push(name);
    else ready++;
  }
  for (const name of unready) counted.delete(name);
  return {ready, unready, missing, metrics: counted};
}

/** Does its CPU say nothing yet? */
function isStarting(
  {status}: Pod,
  {atMs, windowMs}: PodMetric,
  {nowMs, startingMs, firstReadyMs}: Measured['tuning'] & {readonly nowMs: number},
): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  const started = parseTime(status?.startTime);
  if (!ready || started === undefined) return true;
  const since = parseTime(ready.lastTransitionTime) ?? 0;
  if (started + startingMs > nowMs) return ready.status === 'False' || atMs < since + windowMs;
  return ready.status === 'False' && started + firstReadyMs > since;
}

interface Rule {
  readonly ratio: number;
  /** What a pod uses that uses all it may. */
  readonly full: (pod: string) => number;
  readonly again: (metrics: ReadonlyMap<string, number>) => {readonly ratio: number} | string;
}

function replicasFor({current, tolerances}: Measured, groups: Groups, {ratio, full, again}: Rule): number | string {
  const within = (value: number) => value >= 1 - tolerances.down && value <= 1 + tolerances.up;
  const starting = groups.unready.length > 0 && ratio > 1;
  if (!starting && groups.missing.length === 0) return within(ratio) ? current : Math.ceil(ratio * groups.ready);
  const metrics = new Map(groups.metrics);
  if (ratio !== 1) for (const pod of groups.missing) metrics.set(pod, ratio < 1 ? full(pod) : 0);
  if (starting) for (const pod of groups.unready) metrics.set(pod, 0);
  const second = again(metrics);
  if (typeof second === 'string') return second;
  const turned = (ratio < 1 && second.ratio > 1) || (ratio > 1 && second.ratio < 1);
  if (within(second.ratio) || turned) return current;
  const replicas = Math.ceil(second.ratio * metrics.size);
  const contrary = (second.ratio < 1 && replicas > current) || (second.ratio > 1 && replicas < current);
  return contrary ? current : replicas;
}

function usage(
  metrics: ReadonlyMap<string, number>,
  requests: ReadonlyMap<string, number>,
  target: number,
): {readonly ratio: number; readonly utilization: number; readonly average: number} | string {
  let used = 0;
  let requested = 0;
  let count = 0;
  for (const [pod, milli] of metrics) {
    const request = requests.get(pod);
    if (request === undefined) continue;
    used += milli;
    requested += request;
    count++;
  }
  if (requested === 0) return 'no metrics returned matched known pods';
  const utilization = Math.floor((used * 100) / requested);
  return {ratio: utilization / target, utilization, average: Math.floor(used / count)};
}

/** What each pod requests, in thousandths; a text when one does not say. */
function requestsOf(pods: readonly Pod[], resource: string, only?: string): ReadonlyMap<string, number> | string {
  const requests = new Map<string, number>();
  for (const {metadata, spec} of pods) {
    const whole = spec.resources?.requests?.[resource];
    if (only === undefined && whole !== undefined) {
      requests.set(metadata.name, milliOf(resource, whole));
      continue;
    }
    const containers = [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)];
    const asked = only === undefined ? containers : containers.filter(({name}) => name === only);
    if (asked.length === 0) return `container ${only} not found in Pod ${metadata.name}`;
    let total = 0;
    for (const {name, resources} of asked) {
      const request = resources?.requests?.[resource];
      if (request === undefined) return `missing request for ${resource} in container ${name} of Pod ${metadata.name}`;
      total += milliOf(resource, request);
    }
    requests.set(metadata.name, total);
  }
  return requests;
}

/** A quantity in thousandths of its unit. */
export function milliOf(resource: string, quantity: string | number): number {
  const amount = amountOf(resource, quantity);
  return resource === 'cpu' ? amount : amount * 1000;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
