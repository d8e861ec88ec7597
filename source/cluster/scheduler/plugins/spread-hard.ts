// The refusing half of PodTopologySpread. Counts come from tallies that the population keeps (population.ts), so nothing here
// walks over pods; the domains that count are worked out once for a shape and kept until nodes change.
import type {LabelMatcher} from '../../../api/meta/selector.ts';
import type {ClusterEvent} from '../cluster-event.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import type {Context, Verdict} from '../framework.ts';
import type {NodeFacts, Place} from '../state/node-facts.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {Tally} from '../state/population.ts';
import type {PodShape, SpreadConstraint} from '../state/shape.ts';
import {untolerated} from '../../../api/meta/taints.ts';

/** One constraint, counted. */
export interface HardRule {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly matches: LabelMatcher;
  /** Does the incoming pod count itself? */
  readonly self: 0 | 1;
  readonly includes: (node: Place) => boolean;
  readonly domains: ReadonlySet<string>;
  /** Pods by domain; a domain of `domains` that is missing has none. The population's own sums where all nodes count. */
  readonly counts: ReadonlyMap<string, number>;
  /** The emptiest domain's number, worked out when asked for. */
  least: number | undefined;
}

export interface HardState {
  readonly rules: readonly HardRule[];
}

const SKEWED: Verdict = {code: 'resolvable', reasons: ["node(s) didn't match pod topology spread constraints"]};
const UNLABELLED: Verdict = {
  code: 'unresolvable',
  reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
};

const NONE: ReadonlyMap<string, number> = new Map();

/** Counts the pods of each constraint by domain. */
export function prepareHard(constraints: readonly SpreadConstraint[], context: Context): HardState {
  const {cluster, pod} = context;
  const included = inclusion(constraints, pod.shape, cluster);
  return {rules: constraints.map((constraint, index) => hardRule(constraint, context, included[index] as Included))};
}

function hardRule(constraint: SpreadConstraint, {cluster, pod}: Context, included: Included): HardRule {
  const {selector, topologyKey, maxSkew, minDomains} = constraint;
  const tally = spreadTally(cluster, pod.namespace, selector);
  return {
    topologyKey,
    maxSkew,
    minDomains,
    matches: selector.matches,
    self: selector.matches(pod.labels.labels) ? 1 : 0,
    includes: included.includes,
    domains: included.domains,
    counts: included.all ? (tally?.domains(topologyKey) ?? NONE) : countIncluded(tally, topologyKey, included.includes),
    least: undefined,
  };
}

/** The pods of a namespace that fit a selector and are not being deleted. An empty selector counts nothing. */
export function spreadTally(cluster: ClusterState, namespace: string, selector: SpreadConstraint['selector']): Tally | undefined {
  if (selector.everything) return undefined;
  return cluster.population.tally({
    key: `spread|${namespace}|${selector.key}`,
    namespaces: new Set([namespace]),
    matches: selector.matches,
    live: true,
  });
}

function countIncluded(tally: Tally | undefined, topologyKey: string, includes: (node: Place) => boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [node, count] of tally?.byNode ?? []) {
    const domain = node.domain(topologyKey);
    if (domain !== undefined && node.exists && includes(node)) counts.set(domain, (counts.get(domain) ?? 0) + count);
  }
  return counts;
}

interface Included {
  readonly includes: (node: Place) => boolean;
  readonly domains: ReadonlySet<string>;
  /** Every node that has the label is included. */
  readonly all: boolean;
}

const inclusions = new WeakMap<
  readonly SpreadConstraint[],
  WeakMap<PodShape, {version: number; cluster: ClusterState; included: readonly Included[]}>
>();

function inclusion(constraints: readonly SpreadConstraint[], shape: PodShape, cluster: ClusterState): readonly Included[] {
  const byShape = inclusions.get(constraints) ?? new WeakMap();
  inclusions.set(constraints, byShape);
  const known = byShape.get(shape);
  if (known?.cluster === cluster && known.version === cluster.topologyVersion) return known.included;
  const included = constraints.map(constraint => includedNodes(constraint, constraints, {shape, cluster}));
  byShape.set(shape, {version: cluster.topologyVersion, cluster, included});
  return included;
}

function includedNodes(
  constraint: SpreadConstraint,
  constraints: readonly SpreadConstraint[],
  of: {shape: PodShape; cluster: ClusterState},
): Included {
  const keys = constraints.map(each => each.topologyKey);
  const includes = (node: Place) => keys.every(key => node.domain(key) !== undefined) && accepts(constraint, of.shape, node);
  const domains = new Set<string>();
  let all = true;
  for (const node of of.cluster.nodes) {
    const domain = node.domain(constraint.topologyKey);
    if (domain === undefined) continue;
    if (includes(node)) domains.add(domain);
    else all = false;
  }
  return {includes, domains, all};
}

/** Does a node count, by the constraint's policies? */
export function accepts(constraint: SpreadConstraint, shape: PodShape, node: Place): boolean {
  if (constraint.honorAffinity && shape.nodeMatcher && !shape.nodeMatcher.matches(node.facts.labels, node.name)) return false;
  return !(constraint.honorTaints && untolerated(node.facts.hardTaints, shape.tolerations));
}

/** Would the pod make a domain too full? */
export function judgeHard({rules}: HardState, _pod: PodInfo, node: NodeInfo): Verdict | undefined {
  for (const rule of rules) {
    const domain = node.domain(rule.topologyKey);
    if (domain === undefined) return UNLABELLED;
    rule.least ??= leastOf(rule);
    if ((rule.counts.get(domain) ?? 0) + rule.self - rule.least > rule.maxSkew) return SKEWED;
  }
  return undefined;
}

function leastOf({domains, counts, minDomains}: HardRule): number {
  if (domains.size < minDomains) return 0;
  let least = Infinity;
  for (const domain of domains) {
    const count = counts.get(domain) ?? 0;
    if (count === 0) return 0;
    if (count < least) least = count;
  }
  return least;
}

/** Could the news have evened things out? */
export function retryHard(event: ClusterEvent, pod: PodInfo): boolean {
  const rules = pod.shape.hardSpread;
  if (event.about === 'placed') return podMatters(rules, pod, event);
  if (event.about !== 'node') return false;
  const had = event.before && hasKeys(event.before, rules);
  const has = event.after && hasKeys(event.after, rules);
  if (!event.before || !event.after || had !== has) return Boolean(had || has);
  return Boolean(has) && nodeMoved(rules, event.before, event.after);
}

function podMatters(
  rules: readonly SpreadConstraint[],
  pod: PodInfo,
  {before, after}: {readonly before?: PodInfo; readonly after?: PodInfo},
): boolean {
  if ((before ?? after)?.namespace !== pod.namespace) return false;
  const counts = (other: PodInfo | undefined, rule: SpreadConstraint) =>
    other !== undefined && !other.labels.terminating && rule.selector.matches(other.labels.labels);
  return rules.some(rule => counts(before, rule) !== counts(after, rule));
}

function hasKeys({labels}: NodeFacts, rules: readonly SpreadConstraint[]): boolean {
  return rules.every(rule => labels[rule.topologyKey] !== undefined);
}

function nodeMoved(rules: readonly SpreadConstraint[], before: NodeFacts, after: NodeFacts): boolean {
  if (rules.some(rule => before.labels[rule.topologyKey] !== after.labels[rule.topologyKey])) return true;
  return rules.some(rule => rule.honorTaints) && JSON.stringify(before.hardTaints) !== JSON.stringify(after.hardTaints);
}
