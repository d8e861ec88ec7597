// How many pods a budget lets go. Expected is what the pods' controllers want; healthy is what is ready and not on its way out.
// A budget in percent, or one that says how many may be missing, can be worked out only for pods that have a controller.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {Condition, LabelSelector} from '../../../api/kinds/meta.ts';
import type {PodDisruptionBudget, PodDisruptionBudgetStatus} from '../../../api/kinds/policy-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {isReady, isTerminating} from '../../../api/meta/pod.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {scaled} from '../scaled.ts';

/** What is looked at. */
export interface Seen {
  readonly budget: PodDisruptionBudget;
  /** The pods that it selects. */
  readonly pods: readonly Pod[];
  /** What the pods' controllers want together, and the pods that have none. */
  readonly wanted: number;
  readonly unmanaged: number;
  readonly nowMs: number;
  readonly now: string;
}

/** An eviction that was granted but not carried out within this time no longer counts. */
const EVICTION_MS = 120_000;

/** The status. */
export function planBudget(seen: Seen): PodDisruptionBudgetStatus {
  const {budget, pods} = seen;
  const disrupted = stillDisrupted(seen);
  const healthy = pods.filter(pod => isReady(pod) && !isTerminating(pod) && !(pod.metadata.name in disrupted)).length;
  const {expected, desired} = numbers(seen);
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  return {
    currentHealthy: healthy,
    desiredHealthy: desired,
    disruptionsAllowed: allowed,
    expectedPods: expected,
    observedGeneration: budget.metadata.generation ?? 0,
    conditions: [allowance(seen, allowed)],
    ...(Object.keys(disrupted).length > 0 ? {disruptedPods: disrupted} : {}),
  };
}

/** When an eviction that was granted stops to count, from now; undefined when none is open. */
export function evictionAfterMs({budget}: Pick<Seen, 'budget'>, nowMs: number): number | undefined {
  const times = Object.values(budget.status?.disruptedPods ?? {}).map(time => (parseTime(time) ?? nowMs) + EVICTION_MS - nowMs);
  return times.length > 0 ? Math.max(1, Math.min(...times)) : undefined;
}

/** Pods whose eviction was granted but did not come. */
export function unevicted({budget, pods, nowMs}: Pick<Seen, 'budget' | 'pods' | 'nowMs'>): readonly Pod[] {
  const disrupted = budget.status?.disruptedPods ?? {};
  return pods.filter(pod => {
    const since = parseTime(disrupted[pod.metadata.name]);
    return since !== undefined && !isTerminating(pod) && since + EVICTION_MS <= nowMs;
  });
}

function stillDisrupted({budget, pods, nowMs}: Seen): Readonly<Record<string, string>> {
  const disrupted = budget.status?.disruptedPods ?? {};
  const kept = pods.flatMap(pod => {
    const time = disrupted[pod.metadata.name];
    const since = parseTime(time);
    const open = time !== undefined && since !== undefined && !isTerminating(pod) && since + EVICTION_MS > nowMs;
    return open ? [[pod.metadata.name, time] as const] : [];
  });
  return Object.fromEntries(kept);
}

function numbers({budget, pods, wanted}: Seen): {expected: number; desired: number} {
  const {minAvailable, maxUnavailable} = budget.spec;
  if (maxUnavailable !== undefined) {
    return {expected: wanted, desired: Math.max(0, wanted - scaled(maxUnavailable, wanted, true))};
  }
  if (typeof minAvailable === 'number') return {expected: pods.length, desired: minAvailable};
  return {expected: wanted, desired: scaled(minAvailable ?? 0, wanted, true)};
}

/** Does the budget need to know what controllers want? */
export function needsControllers({spec}: PodDisruptionBudget): boolean {
  return spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string';
}

function allowance({budget, now}: Seen, allowed: number): Condition {
  const status = allowed > 0 ? 'True' : 'False';
  const reason = allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  return disruptionAllowed(budget, {status, reason, message: ''}, now);
}

/** The status of a budget that could not be worked out: what it said stays, but that nobody may go. */
export function failedStatus(budget: PodDisruptionBudget, message: string, now: string): PodDisruptionBudgetStatus {
  const condition = disruptionAllowed(budget, {status: 'False', reason: 'SyncFailed', message}, now);
  const {currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, ...rest} = budget.status ?? {};
  return {...rest, currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed: 0, conditions: [condition]};
}

function disruptionAllowed(
  budget: PodDisruptionBudget,
  {status, reason, message}: {readonly status: 'True' | 'False'; readonly reason: string; readonly message: string},
  now: string,
): Condition {
  const old = findCondition(budget.status?.conditions, 'DisruptionAllowed');
  const since = old?.status === status ? old.lastTransitionTime : now;
  const observedGeneration = (reason === 'SyncFailed' ? budget.status?.observedGeneration : budget.metadata.generation) ?? 0;
  return {type: 'DisruptionAllowed', status, reason, message, observedGeneration, lastTransitionTime: since};
}

/** What is said when pods have no controller. */
export function unmanagedText(selector: LabelSelector | undefined): string {
  const why = 'As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior.';
  const advice = 'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
  return `Pods selected by this PodDisruptionBudget (selector: ${goSelector(selector)}) were found to be unmanaged. ${why} ${advice}`;
}

/** A selector as Go prints the struct. */
function goSelector(selector: LabelSelector | undefined): string {
  const labels = Object.entries(selector?.matchLabels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector?.matchExpressions ?? []).map(
    ({key, operator, values = []}) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  );
  const lists = expressions.map(each => `${each},`).join('');
  const map = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${lists}},}`;
}
