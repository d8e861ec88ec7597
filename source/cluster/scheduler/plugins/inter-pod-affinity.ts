// Affinity between pods. Required rules refuse nodes:
//   - affinity: each term must find a fitting pod in the node's domain. A pod that is the first of its kind, and fits its own
//     terms, may go anywhere that has the labels.
//   - anti-affinity: no fitting pod in the node's domain;
//   - the other way round: no pod there whose own anti-affinity speaks about this one.
// Preferred rules add their weight for each fitting pod in the domain, those of the pods that stand there as well as the
// incoming one's; and a required affinity of a standing pod draws its friends with weight 1.
//
// All numbers are headcounts of the population; a decision looks them up by the node's label.
import {HIGHEST_SCORE, type Context, type Plugin, type Verdict} from '../framework.ts';
import type {ClusterEvent} from '../cluster-event.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PodInfo} from '../state/pod-info.ts';
import {inScope, termMatches, type Headcount, type TermKind} from '../state/population.ts';
import type {AffinityTerm} from '../state/shape.ts';
import type {PluginArguments} from './arguments.ts';

type Counts = ReadonlyMap<string, number>;

interface Counted {
  readonly topologyKey: string;
  readonly counts: Counts;
}

interface State {
  readonly affinity: readonly Counted[];
  readonly antiAffinity: readonly Counted[];
  readonly existing: readonly Counted[];
  /** Does the pod fit all its own affinity terms? */
  readonly self: boolean;
  readonly cluster: ClusterState;
}

interface Pull extends Counted {
  readonly weight: number;
}

const NO_FRIEND: Verdict = {code: 'unresolvable', reasons: ["node(s) didn't match pod affinity rules"]};
const ENEMY: Verdict = {code: 'resolvable', reasons: ["node(s) didn't match pod anti-affinity rules"]};
const UNWANTED: Verdict = {code: 'resolvable', reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"]};

/** InterPodAffinity with its arguments. */
export function interPodAffinity(args: PluginArguments): Plugin<State, readonly Pull[]> {
  const hardWeight = Number(args['hardPodAffinityWeight'] ?? 1);
  const ignoreStanding = args['ignorePreferredTermsOfExistingPods'] === true;
  return {
    name: 'InterPodAffinity',
    preFilter(context) {
      const state = prepare(context);
      return state ? {state} : 'skip';
    },
    filter: judge,
    copyState: state => ({
      ...state,
      affinity: copied(state.affinity),
      antiAffinity: copied(state.antiAffinity),
      existing: copied(state.existing),
    }),
    adjust,
    preScore(context) {
      const pulls = pullsOn(context, {hardWeight, ignoreStanding});
      return pulls.length === 0 ? 'skip' : {state: pulls};
    },
    score(pulls, _pod, nodes, scores) {
      for (const [index, node] of nodes.entries()) {
        let sum = 0;
        for (const pull of pulls) sum += pull.weight * countAt(pull, node);
        scores[index] = sum;
      }
    },
    normalize: (_pulls, scores) => spanned(scores),
    worthRetry,
  };
}

function prepare({cluster, pod}: Context): State | undefined {
  const {terms} = pod.shape;
  const existing = cluster.population.hasTerms
    ? cluster.population
        .termsAbout(pod.labels)
        .filter(placed => placed.kind === 'antiAffinity')
        .map(placed => counted(placed.term.topologyKey, placed))
    : [];
  const affinity = terms?.affinity ?? [];
  const antiAffinity = terms?.antiAffinity ?? [];
  if (existing.length === 0 && affinity.length === 0 && antiAffinity.length === 0) return undefined;
  const friends = affinity.length > 0 ? tallyOf(cluster, pod.namespace, affinity) : undefined;
  return {
    cluster,
    existing,
    affinity: friends ? affinity.map(term => counted(term.topologyKey, friends)) : [],
    antiAffinity: antiAffinity.map(term => counted(term.topologyKey, tallyOf(cluster, pod.namespace, [term]))),
    self: matchesAll(affinity, pod.namespace, pod, cluster),
  };
}

function counted(topologyKey: string, headcount: Headcount): Counted {
  return {topologyKey, counts: headcount.domains(topologyKey)};
}

/** Pods that fit all of some terms of a pod in `owner`. */
function tallyOf(cluster: ClusterState, owner: string, terms: readonly AffinityTerm[]): Headcount {
  const namespaces = scopeOf(cluster, owner, terms);
  return cluster.population.tally({
    key: `affinity|${[...namespaces].sort().join(',')}|${terms.map(term => term.key).join(';')}`,
    namespaces,
    matches: labels => terms.every(term => term.matches(labels)),
    live: false,
  });
}

function scopeOf(cluster: ClusterState, owner: string, terms: readonly AffinityTerm[]): ReadonlySet<string> {
  if (terms.every(term => !term.namespaceMatches)) {
    const [first, ...others] = terms.map(term => (term.namespaces.size > 0 ? term.namespaces : new Set([owner])));
    return new Set([...(first ?? [])].filter(namespace => others.every(other => other.has(namespace))));
  }
  const names = [...cluster.namespaces].map(namespace => ({namespace, labels: cluster.namespaceLabels(namespace)}));
  return new Set(names.filter(each => terms.every(term => inScope(term, owner, each))).map(each => each.namespace));
}

function matchesAll(terms: readonly AffinityTerm[], owner: string, other: PodInfo, cluster: ClusterState): boolean {
  const labels = cluster.namespaceLabels(other.namespace);
  return terms.every(term => termMatches(term, owner, other.labels, labels));
}

function judge(state: State, _pod: PodInfo, node: NodeInfo): Verdict | undefined {
  if (state.affinity.length > 0 && !hasFriends(state, node)) return NO_FRIEND;
  if (state.antiAffinity.some(each => countAt(each, node) > 0)) return ENEMY;
  return state.existing.some(each => countAt(each, node) > 0) ? UNWANTED : undefined;
}

function countAt({topologyKey, counts}: Counted, node: NodeInfo): number {
  const domain = node.domain(topologyKey);
  return domain === undefined ? 0 : (counts.get(domain) ?? 0);
}

function hasFriends({affinity, self}: State, node: NodeInfo): boolean {
  if (affinity.some(({topologyKey}) => node.domain(topologyKey) === undefined)) return false;
  if (affinity.every(each => countAt(each, node) > 0)) return true;
  return self && affinity.every(({counts}) => counts.size === 0);
}

function copied(list: readonly Counted[]): readonly Counted[] {
  return list.map(({topologyKey, counts}) => ({topologyKey, counts: new Map(counts)}));
}

/** What one pod more or less on a node changes; only called on copies. */
function adjust(
  state: State,
  pod: PodInfo,
  {other, node, by}: {readonly other: PodInfo; readonly node: NodeInfo; readonly by: 1 | -1},
): void {
  const affinity = pod.shape.terms?.affinity ?? [];
  const antiAffinity = pod.shape.terms?.antiAffinity ?? [];
  if (affinity.length > 0 && matchesAll(affinity, pod.namespace, other, state.cluster))
    for (const each of state.affinity) bump(each, node, by);
  for (const [index, term] of antiAffinity.entries()) {
    if (matchesAll([term], pod.namespace, other, state.cluster)) bump(state.antiAffinity[index], node, by);
  }
  const labels = state.cluster.namespaceLabels(pod.namespace);
  for (const term of other.shape.terms?.antiAffinity ?? []) {
    if (!termMatches(term, other.namespace, pod.labels, labels)) continue;
    let known = state.existing.find(each => each.topologyKey === term.topologyKey && (by === 1 || countAt(each, node) > 0));
    if (!known) {
      known = {topologyKey: term.topologyKey, counts: new Map()};
      (state.existing as Counted[]).push(known);
    }
    bump(known, node, by);
  }
}

function bump(counted: Counted | undefined, node: NodeInfo, by: number): void {
  const domain = counted && node.domain(counted.topologyKey);
  if (!counted || domain === undefined) return;
  const counts = counted.counts as Map<string, number>;
  const count = (counts.get(domain) ?? 0) + by;
  if (count > 0) counts.set(domain, count);
  else counts.delete(domain);
}

const SIGNS: Readonly<Record<TermKind, number>> = {affinity: 1, antiAffinity: 0, preferred: 1, preferredAnti: -1};

/** Everything that draws the pod to a domain or away from it. */
function pullsOn(
  {cluster, pod}: Context,
  options: {readonly hardWeight: number; readonly ignoreStanding: boolean},
): readonly Pull[] {
  const pulls: Pull[] = [];
  const own = pod.shape.terms;
  for (const term of own?.preferred ?? [])
    pulls.push({...counted(term.topologyKey, tallyOf(cluster, pod.namespace, [term])), weight: term.weight});
  for (const term of own?.preferredAnti ?? [])
    pulls.push({...counted(term.topologyKey, tallyOf(cluster, pod.namespace, [term])), weight: -term.weight});
  const ignores = options.ignoreStanding && pulls.length === 0;
  for (const placed of ignores || !cluster.population.hasTerms ? [] : cluster.population.termsAbout(pod.labels)) {
    const weight = (placed.kind === 'affinity' ? options.hardWeight : placed.term.weight) * SIGNS[placed.kind];
    if (weight !== 0) pulls.push({...counted(placed.term.topologyKey, placed), weight});
  }
  return pulls.filter(pull => pull.counts.size > 0);
}

/** Stretches scores so that the lowest becomes 0 and the highest 100. */
function spanned(scores: Float64Array): void {
  let least = Infinity;
  let most = -Infinity;
  for (const score of scores) {
    if (score < least) least = score;
    if (score > most) most = score;
  }
  for (let i = 0; i < scores.length; i++) {
    scores[i] = most > least ? Math.trunc(HIGHEST_SCORE * (((scores[i] ?? 0) - least) / (most - least))) : 0;
  }
}

/** Could the news have brought a friend or taken an enemy away? What other pods' own rules say is not asked: such a pod waits. */
function worthRetry(event: ClusterEvent, pod: PodInfo, cluster: ClusterState): boolean {
  const affinity = pod.shape.terms?.affinity ?? [];
  const antiAffinity = pod.shape.terms?.antiAffinity ?? [];
  if (event.about === 'placed') {
    const friend = (other: PodInfo | undefined) =>
      other !== undefined && affinity.length > 0 && matchesAll(affinity, pod.namespace, other, cluster);
    const enemy = (other: PodInfo | undefined) =>
      other !== undefined && antiAffinity.some(term => matchesAll([term], pod.namespace, other, cluster));
    return (!friend(event.before) && friend(event.after)) || (enemy(event.before) && !enemy(event.after));
  }
  if (event.about !== 'node' || !event.after) return false;
  const {before, after} = event;
  const changed = ({topologyKey}: AffinityTerm) => after.labels[topologyKey] !== before?.labels[topologyKey];
  if (affinity.some(term => after.labels[term.topologyKey] === undefined)) return false;
  return !before || affinity.some(changed) || antiAffinity.some(changed);
}
