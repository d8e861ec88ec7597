// No eviction takes more pods than a budget allows; at rest a budget's status is the truth.
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import type {PodDisruptionBudget} from '../../../../source/api/kinds/policy-v1.ts';
import type {Deployment} from '../../../../source/api/kinds/apps-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isReady, isTerminal} from '../../../../source/api/meta/pod.ts';
import {selectorMatcher} from '../../../../source/api/meta/selector.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {differ, listOf, nameOf, podsOf} from './reading.ts';

const KNOWN_MS = 2500;
const OWNERS = ['replicasets', 'statefulsets', 'deployments'];

function selected(state: State, {metadata, spec}: PodDisruptionBudget): readonly Pod[] {
  const matches = selectorMatcher(spec?.selector);
  return podsOf(state).filter(
    pod => pod.metadata.namespace === metadata.namespace && matches(pod.metadata.labels) && !isTerminal(pod),
  );
}

function scaleOf(state: State, uid: string): number {
  for (const resource of OWNERS) {
    const owner = listOf<Deployment>(state, resource).find(({metadata}) => metadata.uid === uid);
    if (!owner) continue;
    const above = controllerOf(owner);
    return above ? scaleOf(state, above.uid) : (owner.spec?.replicas ?? 1);
  }
  return 0;
}

function rootOf(state: State, uid: string): string {
  const set = listOf<Deployment>(state, 'replicasets').find(({metadata}) => metadata.uid === uid);
  const above = set && controllerOf(set);
  return above ? above.uid : uid;
}

/** How many pods a budget reckons with, and how many of them must be well. */
function demand(state: State, budget: PodDisruptionBudget): {readonly expected: number; readonly desired: number} {
  const pods = selected(state, budget);
  const {minAvailable, maxUnavailable} = budget.spec ?? {};
  if (typeof minAvailable === 'number') return {expected: pods.length, desired: minAvailable};
  const owners = new Set(pods.flatMap(pod => controllerOf(pod)?.uid ?? []).map(uid => rootOf(state, uid)));
  const expected = [...owners].reduce((sum, uid) => sum + scaleOf(state, uid), 0);
  const part = (share: number | string | undefined) =>
    typeof share === 'number' ? share : Math.ceil((expected * Number.parseInt(share ?? '0')) / 100);
  return {expected, desired: minAvailable === undefined ? Math.max(0, expected - part(maxUnavailable)) : part(minAvailable)};
}

function isWell(pod: Pod): boolean {
  return isReady(pod) && !pod.metadata.deletionTimestamp;
}

/** Which budget an eviction that is being done would break. */
function broken(state: State, pod: Pod): string | undefined {
  for (const budget of listOf<PodDisruptionBudget>(state, 'poddisruptionbudgets')) {
    const pods = selected(state, budget).filter(each => each.metadata.uid !== pod.metadata.uid);
    if (pods.length === selected(state, budget).length) continue;
    const well = pods.filter(isWell).length;
    const {desired} = demand(state, budget);
    if (well < desired) return `${nameOf(budget)} wants ${desired}, ${well} are left`;
  }
  return undefined;
}

/** Pods whose owners have no scale are left out: their budgets cannot be reckoned, as the controller says. */
function isReckonable(state: State, budget: PodDisruptionBudget): boolean {
  if (typeof budget.spec?.minAvailable === 'number') return true;
  return selected(state, budget).every(pod => {
    const owner = controllerOf(pod);
    return owner !== undefined && (owner.kind === 'ReplicaSet' || owner.kind === 'StatefulSet');
  });
}

export const BUDGETS: Check = {
  change({resource, before, after, verb, key}, {ledger}) {
    const old = before as unknown as Pod | undefined;
    const pod = after as unknown as Pod | undefined;
    if (resource !== 'pods' || !old || old.metadata.deletionTimestamp) return undefined;
    const evicted =
      pod?.metadata.deletionTimestamp !== undefined &&
      pod.status?.conditions?.some(({reason}) => reason === 'EvictionByEvictionAPI');
    if (!evicted || !isReady(old) || isTerminal(old)) return undefined;
    let first: string | undefined;
    for (const state of ledger.recent(KNOWN_MS)) {
      const why = broken(state, old);
      if (why === undefined) return undefined;
      first ??= why;
    }
    return `${verb}: pod ${key} was evicted: ${first}`;
  },
  rest(state) {
    return listOf<PodDisruptionBudget>(state, 'poddisruptionbudgets').flatMap(budget => {
      if (!isReckonable(state, budget)) return [];
      const {expected, desired} = demand(state, budget);
      const healthy = selected(state, budget).filter(isWell).length;
      const {currentHealthy, desiredHealthy, disruptionsAllowed, expectedPods, observedGeneration} = budget.status ?? {};
      const allowed = expected === 0 ? 0 : Math.max(0, healthy - desired);
      const name = nameOf(budget);
      return [
        ...differ(`${name}: observedGeneration`, observedGeneration, budget.metadata.generation),
        ...differ(
          `${name}: [healthy, desired, allowed, expected]`,
          [currentHealthy, desiredHealthy, disruptionsAllowed, expectedPods],
          [healthy, desired, allowed, expected],
        ),
      ];
    });
  },
};
