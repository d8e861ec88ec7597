// A judge of its own for whether a pod may go to a node: slow, plain, and written without a look at the scheduler. It knows what the
// makers of random pods use.
import type {Node, Pod, PodAffinityTerm, TopologySpreadConstraint} from '../../../../source/api/kinds/core-v1.ts';
import {isTerminal} from '../../../../source/api/meta/pod.ts';
import {podLists} from '../../../../source/api/meta/pod-resources.ts';
import {milliValue, unitValue} from '../../../../source/api/meta/quantity.ts';
import type {State} from '../ledger.ts';
import {listOf, nameOf, podsOf} from './reading.ts';

const matches = (labels: Readonly<Record<string, string>> | undefined, wanted: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).every(([key, value]) => labels?.[key] === value);

function isTolerated({spec}: Pod, taint: {key: string; value?: string; effect: string}): boolean {
  return (spec.tolerations ?? []).some(
    ({key, operator, value, effect}) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === taint.key) &&
      (operator === 'Exists' || (value ?? '') === (taint.value ?? '')),
  );
}

/** What a pod takes: what it asks for, unless its node has put that off. */
function taken(pod: Pod, resource: 'cpu' | 'memory', value: typeof milliValue): number {
  const isPending = pod.status?.conditions?.some(({type, status}) => type === 'PodResizePending' && status === 'True');
  if (!isPending) return value(podLists(pod.spec).requests[resource]);
  return (pod.status?.containerStatuses ?? []).reduce((sum, each) => sum + value(each.allocatedResources?.[resource]), 0);
}

/** Pods that take room on a node. */
export function residents(state: State, node: string): readonly Pod[] {
  return podsOf(state).filter(pod => pod.spec.nodeName === node && !isTerminal(pod));
}

/** Requests that do not fit; `others` are already there. */
export function overfull(node: Node, pods: readonly Pod[]): string | undefined {
  const allocatable = node.status?.allocatable ?? {};
  if (pods.length > unitValue(allocatable['pods'])) return 'too many pods';
  for (const [name, value] of [
    ['cpu', milliValue],
    ['memory', unitValue],
  ] as const) {
    const sum = pods.reduce((total, pod) => total + taken(pod, name, value), 0);
    if (sum > value(allocatable[name])) return `${name}: ${sum} of ${value(allocatable[name])}`;
  }
  return undefined;
}

function termMatches(term: PodAffinityTerm, owner: Pod, other: Pod): boolean {
  return owner.metadata.namespace === other.metadata.namespace && matches(other.metadata.labels, term.labelSelector?.matchLabels);
}

/** Is there a pod that matches a term in the node's domain? */
function hasInDomain(state: State, node: Node, owner: Pod, term: PodAffinityTerm, test = termMatches): boolean {
  const domain = node.metadata.labels?.[term.topologyKey];
  if (domain === undefined) return false;
  return listOf<Node>(state, 'nodes')
    .filter(each => each.metadata.labels?.[term.topologyKey] === domain)
    .some(each =>
      residents(state, each.metadata.name ?? '').some(
        other => other !== owner && other.metadata.uid !== owner.metadata.uid && test(term, owner, other),
      ),
    );
}

const required = (pod: Pod, side: 'podAffinity' | 'podAntiAffinity') =>
  pod.spec.affinity?.[side]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

function affinityRefusal(state: State, node: Node, pod: Pod): string | undefined {
  for (const term of required(pod, 'podAffinity')) {
    if (hasInDomain(state, node, pod, term)) continue;
    const anywhere = podsOf(state).some(
      other =>
        other.spec.nodeName && !isTerminal(other) && other.metadata.uid !== pod.metadata.uid && termMatches(term, pod, other),
    );
    const isFirst = !anywhere && termMatches(term, pod, pod) && node.metadata.labels?.[term.topologyKey] !== undefined;
    if (!isFirst) return `nobody of ${JSON.stringify(term.labelSelector?.matchLabels)} by ${term.topologyKey}`;
  }
  for (const term of required(pod, 'podAntiAffinity'))
    if (hasInDomain(state, node, pod, term)) return `one of ${JSON.stringify(term.labelSelector?.matchLabels)} is there`;
  for (const other of podsOf(state)) {
    if (!other.spec.nodeName || isTerminal(other) || other.metadata.uid === pod.metadata.uid) continue;
    for (const term of required(other, 'podAntiAffinity')) {
      if (!termMatches(term, other, pod)) continue;
      const home = state.all('nodes').get(other.spec.nodeName);
      const domain = home?.metadata.labels?.[term.topologyKey];
      if (domain !== undefined && domain === node.metadata.labels?.[term.topologyKey]) return `${nameOf(other)} wants it away`;
    }
  }
  return undefined;
}

/** Nodes that a constraint counts. */
function counted(state: State, pod: Pod, {topologyKey, nodeTaintsPolicy}: TopologySpreadConstraint): readonly Node[] {
  return listOf<Node>(state, 'nodes').filter(
    node =>
      node.metadata.labels?.[topologyKey] !== undefined &&
      matches(node.metadata.labels, pod.spec.nodeSelector) &&
      (nodeTaintsPolicy !== 'Honor' || taintRefusal(node, pod) === undefined),
  );
}

function spreadRefusal(state: State, node: Node, pod: Pod): string | undefined {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter(each => each.whenUnsatisfiable === 'DoNotSchedule');
  for (const constraint of hard) {
    const own = node.metadata.labels?.[constraint.topologyKey];
    if (own === undefined) return `no ${constraint.topologyKey}`;
    const counts = new Map<string, number>();
    // Only nodes that have the keys of all hard constraints count.
    const nodes = counted(state, pod, constraint).filter(each =>
      hard.every(({topologyKey}) => each.metadata.labels?.[topologyKey] !== undefined),
    );
    for (const each of nodes) {
      const domain = each.metadata.labels?.[constraint.topologyKey] ?? '';
      const here = residents(state, each.metadata.name ?? '').filter(
        other =>
          other.metadata.uid !== pod.metadata.uid &&
          other.metadata.deletionTimestamp === undefined &&
          other.metadata.namespace === pod.metadata.namespace &&
          matches(other.metadata.labels, constraint.labelSelector?.matchLabels),
      );
      counts.set(domain, (counts.get(domain) ?? 0) + here.length);
    }
    const least = Math.min(...counts.values());
    const self = matches(pod.metadata.labels, constraint.labelSelector?.matchLabels) ? 1 : 0;
    const skew = (counts.get(own) ?? 0) + self - (Number.isFinite(least) ? least : 0);
    if (skew > constraint.maxSkew) return `skew ${skew} by ${constraint.topologyKey}`;
  }
  return undefined;
}

function taintRefusal(node: Node, pod: Pod): string | undefined {
  const taint = (node.spec?.taints ?? []).find(each => each.effect !== 'PreferNoSchedule' && !isTolerated(pod, each));
  return taint && `taint ${taint.key}`;
}

/** Why a pod may not go to a node; undefined when it may. */
export function refusal(state: State, node: Node, pod: Pod): string | undefined {
  const name = node.metadata.name ?? '';
  const others = residents(state, name).filter(each => each.metadata.uid !== pod.metadata.uid);
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const pinned = terms?.flatMap(term => term.matchFields ?? []).flatMap(({values}) => values ?? []);
  if (pinned?.length && !pinned.includes(name)) return 'another node';
  if (node.spec?.unschedulable && !isTolerated(pod, {key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule'}))
    return 'cordoned';
  if (!matches(node.metadata.labels, pod.spec.nodeSelector)) return 'node selector';
  return (
    taintRefusal(node, pod) ??
    overfull(node, [...others, pod]) ??
    affinityRefusal(state, node, pod) ??
    spreadRefusal(state, node, pod)
  );
}
