// Preemption: when no node is left, make room for the pod by ending less important ones.
//
// Only nodes count whose refusal the end of pods could change. On each of them: take away all pods of lower priority; if the pod
// then fits, give back as many as possible, the more important first, those under a disruption budget that allows no more before
// all others; who is left is a victim. Of the candidate nodes the one wins that breaks fewest budgets, then whose most important
// victim matters least, then by the sum of priorities, the number of victims, and the victim that started last.
//
// The victims' end is the loop's business (preempting.ts): it takes time, and the pod meanwhile has no more than a nomination.
import {selectorMatcher} from '../../../api/meta/selector.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {adjustFilters, copyFilters, filterNode, prepare, type Filter} from '../decide.ts';
import {countText, Diagnosis} from '../diagnosis.ts';
import type {Context, Failure, Plugin, PostFilter} from '../framework.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {PluginArguments} from './arguments.ts';

const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
const NO_VICTIMS = 'No preemption victims found for incoming pod';

/** A node on which room can be made, and who would have to go, the most important first. */
interface Candidate {
  readonly node: NodeInfo;
  readonly victims: readonly PodInfo[];
  readonly violations: number;
}

/** DefaultPreemption with its bounds on how many candidates are worked out. */
export function defaultPreemption(args: PluginArguments): Plugin {
  const share = Number(args['minCandidateNodesPercentage'] ?? 10);
  const least = Number(args['minCandidateNodesAbsolute'] ?? 100);
  return {
    name: 'DefaultPreemption',
    preEnqueue: ({cluster, pod}) =>
      cluster.preempting.has(pod.uid) ? 'waiting for the preemption for this pod to be finished' : undefined,
    postFilter(failure) {
      const ineligible = whyNotEligible(failure);
      if (ineligible) return {message: `preemption: ${ineligible}`};
      const total = failure.cluster.nodes.length;
      return preempt(failure, Math.min(total, Math.max(least, Math.floor((total * share) / 100))));
    },
    worthRetry: event => event.about === 'placed',
  };
}

function whyNotEligible({cluster, pod, diagnosis}: Failure): string | undefined {
  if (pod.pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const name = cluster.nominations.nodeOf(pod.uid);
  const node = name === undefined ? undefined : cluster.node(name);
  if (!node || diagnosis.byNode().get(node.name)?.verdict.code === 'unresolvable') return undefined;
  for (const other of node.pods.values()) {
    if (other.priority < pod.priority && isBeingPreempted(other))
      return 'not eligible due to a terminating pod on the nominated node.';
  }
  return undefined;
}

function isBeingPreempted({pod}: PodInfo): boolean {
  if (!pod.metadata.deletionTimestamp) return false;
  return (pod.status?.conditions ?? []).some(
    each => each.type === 'DisruptionTarget' && each.status === 'True' && each.reason === 'PreemptionByScheduler',
  );
}

function preempt(failure: Failure, wanted: number): PostFilter {
  const {profile, diagnosis} = failure;
  const reasons = new Map<string, number>();
  const helpful = diagnosis.refusedBefore ? [] : diagnosis.refusals.filter(({verdict}) => verdict.code === 'resolvable');
  const candidates: Candidate[] = [];
  const prepared = helpful.length > 0 ? prepare(profile, failure, new Diagnosis(diagnosis.total)) : undefined;
  const offset = helpful.length > wanted ? failure.dice.below(helpful.length) : 0;
  for (let i = 0; i < helpful.length && prepared && !enough(candidates, wanted); i++) {
    const node = helpful[(offset + i) % helpful.length]?.node;
    const outcome = node && selectVictims(prepared.filters, failure, node);
    if (!outcome) continue;
    if ('victims' in outcome) candidates.push(outcome);
    else for (const reason of outcome) count(reasons, reason, 1);
  }
  const best = candidates.reduce<Candidate | undefined>((a, b) => (a && !isBetter(b, a) ? a : b), undefined);
  if (best) return {nominated: best.node.name, victims: best.victims, message: ''};
  count(reasons, NOT_HELPFUL, diagnosis.total - helpful.length);
  return {clears: true, message: `preemption: 0/${diagnosis.total} nodes are available: ${countText(reasons)}.`};
}

/** Enough candidates, one of which breaks no budget. */
function enough(candidates: readonly Candidate[], wanted: number): boolean {
  return candidates.length >= wanted && candidates.some(candidate => candidate.violations === 0);
}

function count(reasons: Map<string, number>, reason: string, by: number): void {
  if (by > 0) reasons.set(reason, (reasons.get(reason) ?? 0) + by);
}

/** Who must go from a node, or the reasons why that does not help. */
function selectVictims(filters: readonly Filter[], context: Context, real: NodeInfo): Candidate | readonly string[] {
  const {pod} = context;
  const lower = [...real.pods.values()].filter(other => other.priority < pod.priority).sort(byImportance);
  if (lower.length === 0) return [NO_VICTIMS];
  const node = real.copy();
  const states = copyFilters(filters);
  const move = (other: PodInfo, by: 1 | -1) => {
    if (by === 1) node.add(other);
    else node.remove(other);
    adjustFilters(states, pod, {other, node, by});
  };
  for (const other of lower) move(other, -1);
  const refusal = filterNode(states, context, node);
  if (refusal) return refusal.verdict.reasons;
  const {violating, others} = splitByBudgets(lower, context);
  const victims = new Set<PodInfo>();
  let violations = 0;
  for (const other of [...violating, ...others]) {
    move(other, 1);
    if (!filterNode(states, context, node)) continue;
    move(other, -1);
    victims.add(other);
    if (violating.includes(other)) violations++;
  }
  return {node: real, victims: lower.filter(other => victims.has(other)), violations};
}

function byImportance(a: PodInfo, b: PodInfo): number {
  return b.priority - a.priority || startOf(a) - startOf(b);
}

function startOf({pod}: PodInfo): number {
  return parseTime(pod.status?.startTime) ?? Infinity;
}

/** Which of the pods would break a disruption budget if they all went, in this order. */
function splitByBudgets(
  pods: readonly PodInfo[],
  {cluster}: Context,
): {readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[]} {
  const allowed = new Map<string, number>();
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let violates = false;
    for (const budget of cluster.lookups.budgets(pod.namespace)) {
      const selector = budget.spec?.selector;
      if (!selector || selectsEverything(selector) || !selectorMatcher(selector)(pod.labels.labels)) continue;
      if (budget.status?.disruptedPods?.[pod.pod.metadata.name] !== undefined) continue;
      const left = (allowed.get(budget.metadata.uid) ?? budget.status?.disruptionsAllowed ?? 0) - 1;
      allowed.set(budget.metadata.uid, left);
      if (left < 0) violates = true;
    }
    (violates ? violating : others).push(pod);
  }
  return {violating, others};
}

function selectsEverything(selector: {readonly matchLabels?: object; readonly matchExpressions?: readonly unknown[]}): boolean {
  return Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
}

/** Is the first candidate the lesser evil? */
function isBetter(a: Candidate, b: Candidate): boolean {
  for (const evil of EVILS) {
    const difference = evil(a) - evil(b);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

const EVILS: readonly ((candidate: Candidate) => number)[] = [
  ({violations}) => violations,
  ({victims}) => victims[0]?.priority ?? -Infinity,
  // Each victim adds to the sum, whatever its priority: 2^31 lifts negative ones above zero.
  ({victims}) => victims.reduce((sum, victim) => sum + victim.priority + 2_147_483_648, 0),
  ({victims}) => victims.length,
  ({victims}) => -earliestStart(victims),
];

/** When the first of the most important victims started. */
function earliestStart(victims: readonly PodInfo[]): number {
  const [first] = victims;
  return Math.min(...victims.filter(victim => victim.priority === first?.priority).map(startOf));
}
