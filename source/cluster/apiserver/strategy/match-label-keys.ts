// `matchLabelKeys`: a pod says which of its own labels shall count when it is compared with others. The server writes their values
// into the selector of the term as the pod is made, so that whoever reads the pod later needs to know nothing more. Pods of one
// template have one spec, and the same values mostly, so what came of it is remembered.
import type {Affinity, PodAffinityTerm, PodSpec, TopologySpreadConstraint} from '../../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../../api/kinds/meta.ts';
import {deepFreeze} from '../../../api/meta/object.ts';

type Labels = Readonly<Record<string, string>>;

const known = new WeakMap<PodSpec, {readonly labels: string; readonly spec: PodSpec}>();

/** The spec with the labels that its terms name in their selectors. */
export function withMatchedKeys(spec: PodSpec, labels: Labels): PodSpec {
  if (!hasKeys(spec)) return spec;
  const shown = JSON.stringify(labels);
  const before = known.get(spec);
  if (before?.labels === shown) return before.spec;
  const after = deepFreeze({
    ...spec,
    ...(spec.affinity ? {affinity: inAffinity(spec.affinity, labels)} : {}),
    ...(spec.topologySpreadConstraints
      ? {topologySpreadConstraints: spec.topologySpreadConstraints.map(each => inConstraint(each, labels))}
      : {}),
  });
  if (Object.isFrozen(spec)) known.set(spec, {labels: shown, spec: after});
  return after;
}

function hasKeys({affinity, topologySpreadConstraints}: PodSpec): boolean {
  if (topologySpreadConstraints?.some(each => (each.matchLabelKeys?.length ?? 0) > 0)) return true;
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some(side => {
    const required = side?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = side?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [...required, ...preferred.map(each => each.podAffinityTerm)].some(
      term => (term.matchLabelKeys?.length ?? 0) + (term.mismatchLabelKeys?.length ?? 0) > 0,
    );
  });
}

function inAffinity(affinity: Affinity, labels: Labels): Affinity {
  const side = (one: NonNullable<Affinity['podAffinity']>): NonNullable<Affinity['podAffinity']> => {
    const required = one.requiredDuringSchedulingIgnoredDuringExecution;
    const preferred = one.preferredDuringSchedulingIgnoredDuringExecution;
    return {
      ...(required ? {requiredDuringSchedulingIgnoredDuringExecution: required.map(term => inTerm(term, labels))} : {}),
      ...(preferred
        ? {
            preferredDuringSchedulingIgnoredDuringExecution: preferred.map(each => ({
              ...each,
              podAffinityTerm: inTerm(each.podAffinityTerm, labels),
            })),
          }
        : {}),
    };
  };
  return {
    ...affinity,
    ...(affinity.podAffinity ? {podAffinity: side(affinity.podAffinity)} : {}),
    ...(affinity.podAntiAffinity ? {podAntiAffinity: side(affinity.podAntiAffinity)} : {}),
  };
}

function inTerm(term: PodAffinityTerm, labels: Labels): PodAffinityTerm {
  if (!term.labelSelector) return term;
  const matched = withKeys(term.labelSelector, term.matchLabelKeys, {labels, operator: 'In'});
  return {...term, labelSelector: withKeys(matched, term.mismatchLabelKeys, {labels, operator: 'NotIn'})};
}

function inConstraint(constraint: TopologySpreadConstraint, labels: Labels): TopologySpreadConstraint {
  if (!constraint.labelSelector) return constraint;
  return {...constraint, labelSelector: withKeys(constraint.labelSelector, constraint.matchLabelKeys, {labels, operator: 'In'})};
}

function withKeys(
  selector: LabelSelector,
  keys: readonly string[] | undefined,
  {labels, operator}: {labels: Labels; operator: 'In' | 'NotIn'},
): LabelSelector {
  const found = (keys ?? []).flatMap(key => {
    const value = labels[key];
    return value === undefined ? [] : [{key, operator, values: [value]}];
  });
  return found.length === 0 ? selector : {...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...found]};
}
