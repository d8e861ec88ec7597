// One decision: which node a pod goes to, or why none. A pure function of the cluster state; the only thing that it changes is
// the cursor, which lets the next pod begin where this one stopped looking.
//
// 1. Every plugin prepares itself (preFilter). One may refuse the pod at once, or name the only nodes that can do.
// 2. Nodes are filtered, from the cursor on, until enough have passed: all of a hundred or fewer, of more a share that shrinks
//    as the cluster grows (50 % less one for every 125 nodes, at least 5 %, at least a hundred nodes).
// 3. If several passed, plugins score them: raw, normalised to 0..100, times the weight. The highest sum wins; the dice choose
//    among equals.
import type {Dice} from '../../sim/dice.ts';
import {Diagnosis} from './diagnosis.ts';
import type {Context, Plugin, Profile, Verdict} from './framework.ts';
import type {NodeInfo} from './state/node-info.ts';
import type {PodInfo} from './state/pod-info.ts';
import {Desk, scoreNodes, type Scores} from './scoring.ts';

/** A plugin that filters in this decision, and what it prepared. */
export interface Filter {
  readonly plugin: Plugin;
  readonly state: unknown;
}

/** What was decided. */
export interface Decision {
  /** Undefined when no node will do. */
  readonly node: NodeInfo | undefined;
  readonly diagnosis: Diagnosis;
  /** How many nodes were looked at. */
  readonly evaluated: number;
  readonly feasible: number;
  /** Absent when there was no choice. */
  readonly scores?: Scores;
}

/** What decisions share: where the last one stopped, luck, and room to reckon. */
export interface Course {
  cursor: number;
  readonly dice: Dice;
  readonly desk: Desk;
}

/** The course of a new scheduler. */
export function newCourse(dice: Dice): Course {
  return {cursor: 0, dice, desk: new Desk()};
}

/** Decides for one pod. */
export function decide(profile: Profile, context: Context, course: Course): Decision {
  const {cluster} = context;
  const diagnosis = new Diagnosis(cluster.nodes.length);
  const nothing = {node: undefined, diagnosis, evaluated: 0, feasible: 0};
  if (diagnosis.total === 0) return nothing;
  const prepared = prepare(profile, context, diagnosis);
  if (!prepared) return nothing;
  const found = findNodes({...prepared, profile, context, diagnosis}, course);
  const [first] = found.nodes;
  const counts = {diagnosis, evaluated: found.evaluated, feasible: found.nodes.length};
  if (diagnosis.failed) return {...counts, node: undefined};
  if (found.nodes.length <= 1) return {...counts, node: first};
  const scores = scoreNodes(profile, context, {nodes: found.nodes, desk: course.desk});
  return {...counts, node: chooseHighest(scores, course.dice), scores};
}

interface Prepared {
  readonly filters: readonly Filter[];
  readonly only: ReadonlySet<string> | undefined;
}

/** Lets every plugin prepare. Undefined when one refused the pod on all nodes. */
export function prepare(profile: Profile, context: Context, diagnosis: Diagnosis): Prepared | undefined {
  const filters: Filter[] = [];
  let only: Set<string> | undefined;
  for (const plugin of profile.filters) {
    const outcome = plugin.preFilter ? plugin.preFilter(context) : {state: undefined};
    if (outcome === 'skip') continue;
    if ('refused' in outcome) {
      refuseAll(diagnosis, plugin.name, outcome.refused);
      return undefined;
    }
    if (plugin.filter) filters.push({plugin, state: outcome.state});
    if (!outcome.nodes) continue;
    diagnosis.narrowedBy.push(plugin.name);
    const {nodes} = outcome;
    only = only ? new Set([...only].filter(name => nodes.has(name))) : new Set(nodes);
  }
  if (diagnosis.narrowedBy.length > 0) for (const name of diagnosis.narrowedBy.sort()) diagnosis.plugins.add(name);
  return {filters, only};
}

function refuseAll(diagnosis: Diagnosis, plugin: string, verdict: Verdict): void {
  if (verdict.code === 'failed') diagnosis.failed = verdict;
  diagnosis.refusedBefore = {plugin, verdict};
  diagnosis.plugins.add(plugin);
}

interface Search extends Prepared {
  readonly profile: Profile;
  readonly context: Context;
  readonly diagnosis: Diagnosis;
}

function findNodes(search: Search, course: Course): {readonly nodes: readonly NodeInfo[]; readonly evaluated: number} {
  const {context, only, profile} = search;
  const {cluster} = context;
  const promised = promisedNode(search);
  if (promised) return {nodes: [promised], evaluated: 1};
  const all = only ? [...only].map(name => cluster.node(name)).filter(node => node !== undefined) : cluster.nodes;
  const enough = enoughNodes(cluster.nodes.length, profile.percentage);
  const nodes: NodeInfo[] = [];
  let looked = 0;
  const start = only ? 0 : course.cursor % all.length;
  for (; looked < all.length && nodes.length < enough && !search.diagnosis.failed; looked++) {
    const at = start + looked;
    const node = all[at < all.length ? at : at - all.length];
    if (node && passes(search, node)) nodes.push(node);
  }
  if (!only) course.cursor = (start + looked) % all.length;
  return {nodes, evaluated: looked};
}

/** A pod that was promised a node takes it when it passes there, whatever other nodes might offer. */
function promisedNode(search: Search): NodeInfo | undefined {
  const {cluster, pod} = search.context;
  const name = cluster.nominations.nodeOf(pod.uid);
  if (name === undefined || (search.only && !search.only.has(name))) return undefined;
  const node = cluster.node(name);
  return node && !filterNode(search.filters, search.context, node) ? node : undefined;
}

function passes(search: Search, node: NodeInfo): boolean {
  const refusal = filterNode(search.filters, search.context, node);
  if (!refusal) return true;
  search.diagnosis.refuse(node, refusal.plugin.name, refusal.verdict);
  if (refusal.verdict.code === 'failed') search.diagnosis.failed ??= failureOf(refusal.plugin, refusal.verdict);
  return false;
}

function failureOf({name}: Plugin, {reasons}: Verdict): Verdict {
  return {code: 'failed', reasons: [`running ${JSON.stringify(name)} filter plugin: ${reasons.join(', ')}`]};
}

/** The first refusal of a node, if any. The node must do with the pods that it was promised to, and without them. */
export function filterNode(
  filters: readonly Filter[],
  context: Context,
  node: NodeInfo,
): {readonly plugin: Plugin; readonly verdict: Verdict} | undefined {
  const {cluster, pod} = context;
  if (!cluster.nominations.isEmpty) {
    const promised = [...cluster.nominations.on(node.name).values()].filter(
      other => other.priority >= pod.priority && other.uid !== pod.uid,
    );
    if (promised.length > 0) {
      const crowded = withPods(filters, {pod, node}, promised);
      const refusal = runFilters(crowded.filters, pod, crowded.node);
      if (refusal) return refusal;
    }
  }
  return runFilters(filters, pod, node);
}

/** Asks the plugins one after the other about a node. */
function runFilters(
  filters: readonly Filter[],
  pod: PodInfo,
  node: NodeInfo,
): {readonly plugin: Plugin; readonly verdict: Verdict} | undefined {
  for (const {plugin, state} of filters) {
    const verdict = plugin.filter?.(state, pod, node);
    if (verdict) return {plugin, verdict};
  }
  return undefined;
}

/** The node and the plugins' states as they would be with more pods on the node. */
function withPods(
  filters: readonly Filter[],
  at: {readonly pod: PodInfo; readonly node: NodeInfo},
  more: readonly PodInfo[],
): {filters: readonly Filter[]; node: NodeInfo} {
  const node = at.node.copy();
  const copies = copyFilters(filters);
  for (const other of more) {
    node.add(other);
    adjustFilters(copies, at.pod, {other, node, by: 1});
  }
  return {filters: copies, node};
}

/** Filters whose states may be changed. */
export function copyFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.map(filter =>
    filter.plugin.copyState ? {plugin: filter.plugin, state: filter.plugin.copyState(filter.state)} : filter,
  );
}

/** Tells the plugins that a pod comes to a node or leaves it. */
export function adjustFilters(
  filters: readonly Filter[],
  pod: PodInfo,
  change: {readonly other: PodInfo; readonly node: NodeInfo; readonly by: 1 | -1},
): void {
  for (const {plugin, state} of filters) plugin.adjust?.(state, pod, change);
}

const FEW_NODES = 100;

/** How many feasible nodes are enough to choose among. */
export function enoughNodes(total: number, percentage: number): number {
  if (total < FEW_NODES || percentage >= 100) return total;
  const share = percentage > 0 ? percentage : Math.max(5, 50 - Math.floor(total / 125));
  return Math.max(FEW_NODES, Math.floor((total * share) / 100));
}

function chooseHighest({nodes, totals}: Scores, dice: Dice): NodeInfo | undefined {
  let best = -1;
  let ties = 0;
  let highest = -Infinity;
  for (let i = 0; i < nodes.length; i++) {
    const total = totals[i] ?? 0;
    if (total > highest) {
      highest = total;
      best = i;
      ties = 1;
    } else if (total === highest && dice.below(++ties) === 0) {
      best = i;
    }
  }
  return nodes[best];
}
