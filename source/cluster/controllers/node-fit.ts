// Does a node suit a pod, by its name, its labels and its taints? Resources do not count here.
import type {Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec, Taint, Toleration} from '../../api/kinds/core-v1.ts';
import {mapMatcher, requirementsMatcher, type LabelMatcher, type SelectorOperator} from '../../api/meta/selector.ts';
import {tolerates} from './taint-eviction/plan.ts';

const OPERATORS: Readonly<Record<string, SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};
const matchers = new WeakMap<readonly NodeSelectorRequirement[], LabelMatcher>();

/** Do node selector and required node affinity let the pod run there? */
export function suitsNode(spec: PodSpec, node: Node): boolean {
  const {nodeSelector, affinity} = spec;
  if (nodeSelector && Object.keys(nodeSelector).length > 0 && !mapMatcher(nodeSelector)(node.metadata.labels)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || required.nodeSelectorTerms.some(term => suitsTerm(term, node));
}

function suitsTerm({matchExpressions = [], matchFields = []}: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields = {'metadata.name': node.metadata.name};
  return matcherOf(matchExpressions)(node.metadata.labels) && matcherOf(matchFields)(fields);
}

function matcherOf(requirements: readonly NodeSelectorRequirement[]): LabelMatcher {
  const known = matchers.get(requirements);
  if (known) return known;
  const made = requirementsMatcher(
    requirements.map(({key, operator, values = []}) => ({key, operator: OPERATORS[operator] ?? 'in', values})),
  );
  matchers.set(requirements, made);
  return made;
}

/** The first taint with one of the effects that no toleration covers. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[],
  effects: readonly Taint['effect'][],
): Taint | undefined {
  return taints?.find(taint => effects.includes(taint.effect) && !tolerations.some(toleration => tolerates(toleration, taint)));
}
