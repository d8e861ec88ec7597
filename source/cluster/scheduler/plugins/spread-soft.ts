// The scoring half of PodTopologySpread.
import {HIGHEST_SCORE, type Context} from '../framework.ts';
import type {Place} from '../node-facts.ts';
import type {NodeInfo} from '../node-info.ts';
import type {PodInfo} from '../pod-info.ts';
import type {Tally} from '../population.ts';
import type {SpreadConstraint} from '../shape.ts';
import {naturalLog} from './natural-log.ts';
import {accepts, spreadTally} from './spread-hard.ts';

interface SoftRule {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly weight: number;
  /** Pods by domain; for hosts, by node. */
  readonly counts: ReadonlyMap<string, number> | ReadonlyMap<Place, number>;
  readonly byHost: boolean;
}

export interface SoftState {
  readonly rules: readonly SoftRule[];
  /** Nodes that lack a label and get no score. */
  readonly ignored: ReadonlySet<NodeInfo>;
}

const HOSTNAME = 'kubernetes.io/hostname';
const NONE: ReadonlyMap<string, number> = new Map();
const NOT_SCORED = -1;

/** Counts the pods of each constraint, as far as the candidate nodes need it. */
export function prepareSoft(
  constraints: readonly SpreadConstraint[],
  context: Context,
  of: {readonly nodes: readonly NodeInfo[]; readonly allKeys: boolean},
): SoftState {
  const keys = constraints.map(each => each.topologyKey);
  const hasKeys = (node: Place) => !of.allKeys || keys.every(key => node.labels[key] !== undefined);
  const ignored = of.allKeys ? new Set(of.nodes.filter(node => !hasKeys(node))) : new Set<NodeInfo>();
  const rules = constraints.map(constraint => {
    const byHost = constraint.topologyKey === HOSTNAME;
    const tally = spreadTally(context.cluster, context.pod.namespace, constraint.selector);
    const size = byHost ? of.nodes.length - ignored.size : domainCount(constraint.topologyKey, of.nodes, ignored);
    const {topologyKey, maxSkew} = constraint;
    return {
      topologyKey,
      maxSkew,
      byHost,
      weight: naturalLog(size + 2),
      counts: countsOf(tally, constraint, {context, byHost, hasKeys}),
    };
  });
  return {rules, ignored};
}

function domainCount(topologyKey: string, nodes: readonly NodeInfo[], ignored: ReadonlySet<NodeInfo>): number {
  const domains = new Set<string | undefined>();
  for (const node of nodes) if (ignored.size === 0 || !ignored.has(node)) domains.add(node.labels[topologyKey]);
  return domains.size;
}

function countsOf(
  tally: Tally | undefined,
  constraint: SpreadConstraint,
  of: {context: Context; byHost: boolean; hasKeys: (node: Place) => boolean},
): SoftRule['counts'] {
  if (!tally) return NONE;
  if (of.byHost) return tally.byNode;
  const {shape} = of.context.pod;
  const choosy = (constraint.honorAffinity && shape.nodeMatcher !== undefined) || constraint.honorTaints;
  if (!choosy && shape.softSpread.length <= 1) return tally.domains(constraint.topologyKey);
  const counts = new Map<string, number>();
  for (const [node, count] of tally.byNode) {
    const domain = node.labels[constraint.topologyKey];
    if (domain === undefined || !node.exists || !of.hasKeys(node) || !accepts(constraint, shape, node)) continue;
    counts.set(domain, (counts.get(domain) ?? 0) + count);
  }
  return counts;
}

/** The raw score: the more pods there are already, the higher, which the normalising turns round. */
export function scoreSoft({rules, ignored}: SoftState, _pod: PodInfo, node: NodeInfo): number {
  if (ignored.size > 0 && ignored.has(node)) return NOT_SCORED;
  let score = 0;
  for (const {topologyKey, maxSkew, weight, counts, byHost} of rules) {
    const domain = node.labels[topologyKey];
    if (domain === undefined) continue;
    const count = (counts as ReadonlyMap<unknown, number>).get(byHost ? node : domain) ?? 0;
    score += count * weight + (maxSkew - 1);
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
