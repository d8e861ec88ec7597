// The scoring half of PodTopologySpread.
import {HIGHEST_SCORE, type Context} from '../framework.ts';
import type {Place} from '../state/node-facts.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import type {Tally} from '../state/population.ts';
import type {SpreadConstraint} from '../state/shape.ts';
import {naturalLog} from './natural-log.ts';
import {accepts, spreadTally} from './spread-hard.ts';

interface SoftRule {
  readonly topologyKey: string;
  /** What each pod in a domain adds to the raw score. */
  readonly weight: number;
  /** What the score is without any pod. */
  readonly base: number;
  /** The score of each domain that has pods; undefined where each node is its own domain. */
  readonly scores: ReadonlyMap<string, number> | undefined;
}

export interface SoftState {
  readonly rules: readonly SoftRule[];
  /** Nodes that lack a label and get no score. */
  readonly ignored: ReadonlySet<NodeInfo>;
  /** Whose number stands on the nodes (`tallyTicket`), for rules by host. */
  readonly ticket: number;
}

const HOSTNAME = 'kubernetes.io/hostname';
const NOT_SCORED = -1;
let tickets = 0;

/** Counts the pods of each constraint, as far as the candidate nodes need it. */
export function prepareSoft(
  constraints: readonly SpreadConstraint[],
  context: Context,
  of: {readonly nodes: readonly NodeInfo[]; readonly allKeys: boolean},
): SoftState {
  const keys = constraints.map(each => each.topologyKey);
  const hasKeys = (node: Place) => !of.allKeys || keys.every(key => node.domain(key) !== undefined);
  const ignored = of.allKeys ? new Set(of.nodes.filter(node => !hasKeys(node))) : new Set<NodeInfo>();
  const ticket = ++tickets;
  const rules = constraints.map((constraint): SoftRule => {
    const {topologyKey, maxSkew, selector} = constraint;
    const base = maxSkew - 1;
    const tally = spreadTally(context.cluster, context.pod.namespace, selector);
    if (topologyKey === HOSTNAME) {
      if (tally) noteCounts(tally, ticket);
      return {topologyKey, base, weight: naturalLog(of.nodes.length - ignored.size + 2), scores: undefined};
    }
    const weight = naturalLog(domainCount(topologyKey, of.nodes, ignored) + 2);
    const counts = tally ? countsOf(tally, constraint, {context, hasKeys}) : [];
    return {topologyKey, base, weight, scores: new Map([...counts].map(([domain, count]) => [domain, count * weight + base]))};
  });
  return {rules, ignored, ticket};
}

function noteCounts(tally: Tally, ticket: number): void {
  for (const [place, count] of tally.byNode) {
    const node = place as NodeInfo;
    node.tallyTicket = ticket;
    node.tallyCount = count;
  }
}

function domainCount(topologyKey: string, nodes: readonly NodeInfo[], ignored: ReadonlySet<NodeInfo>): number {
  const domains = new Set<string | undefined>();
  let last: string | undefined;
  for (const node of nodes) {
    const domain = node.domain(topologyKey);
    // Neighbours are often of the same few domains.
    if (domain === last && domains.size > 0) continue;
    if (ignored.size > 0 && ignored.has(node)) continue;
    domains.add(domain);
    last = domain;
  }
  return domains.size;
}

function countsOf(
  tally: Tally,
  constraint: SpreadConstraint,
  of: {context: Context; hasKeys: (node: Place) => boolean},
): ReadonlyMap<string, number> {
  const {shape} = of.context.pod;
  const choosy = (constraint.honorAffinity && shape.nodeMatcher !== undefined) || constraint.honorTaints;
  if (!choosy && shape.softSpread.length <= 1) return tally.domains(constraint.topologyKey);
  const counts = new Map<string, number>();
  for (const [node, count] of tally.byNode) {
    const domain = node.domain(constraint.topologyKey);
    if (domain === undefined || !node.exists || !of.hasKeys(node) || !accepts(constraint, shape, node)) continue;
    counts.set(domain, (counts.get(domain) ?? 0) + count);
  }
  return counts;
}

/** The raw score: the more pods there are already, the higher, which the normalising turns round. */
export function scoreSoft(state: SoftState, _pod: PodInfo, nodes: readonly NodeInfo[], scores: Float64Array): void {
  for (let i = 0; i < nodes.length; i++) scores[i] = rawScore(state, nodes[i] as NodeInfo);
}

function rawScore({rules, ignored, ticket}: SoftState, node: NodeInfo): number {
  if (ignored.size > 0 && ignored.has(node)) return NOT_SCORED;
  let score = 0;
  for (const {topologyKey, weight, base, scores} of rules) {
    const domain = node.domain(topologyKey);
    if (domain === undefined) continue;
    if (scores) score += scores.get(domain) ?? base;
    else score += (node.tallyTicket === ticket ? node.tallyCount : 0) * weight + base;
  }
  return Math.round(score);
}

/** 100 for the emptiest place; nodes that are not scored get 0. */
export function normalizeSoft(_state: SoftState, scores: Float64Array): void {
  let least = Infinity;
  let most = 0;
  for (const score of scores) {
    if (score === NOT_SCORED) continue;
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? 0;
    if (score === NOT_SCORED) scores[i] = 0;
    else scores[i] = most === 0 ? HIGHEST_SCORE : Math.floor((HIGHEST_SCORE * (most + least - score)) / most);
  }
}
