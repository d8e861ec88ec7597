// Which nodes a pod accepts: its nodeSelector and its required node affinity, compiled into one function; and which it would
// rather have. Terms are alternatives; the expressions and fields of one term must all hold; an empty term holds for no node.
import type {NodeSelectorRequirement, NodeSelectorTerm, PodSpec, PreferredSchedulingTerm} from '../kinds/core-v1.ts';
import {requirementsMatcher, type LabelMatcher, type Labels, type SelectorOperator} from './selector.ts';

/** Tells whether a node with these labels and this name is accepted. */
export interface NodeMatcher {
  matches(labels: Labels, name: string): boolean;
  /** When every term names its nodes: all names that any of them gives. */
  readonly names: ReadonlySet<string> | undefined;
}

/** A liking for some nodes. */
export interface NodePreference {
  readonly weight: number;
  matches(labels: Labels, name: string): boolean;
}

type TermMatcher = (labels: Labels, name: string) => boolean;

/** The matcher of a spec; undefined when it takes any node. */
export function compileNodeSelector(spec: PodSpec): NodeMatcher | undefined {
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!spec.nodeSelector && !terms) return undefined;
  const entries = Object.entries(spec.nodeSelector ?? {});
  const plain = requirementsMatcher(entries.map(([key, value]) => ({key, operator: '=' as const, values: [value]})));
  const alternatives = terms?.map(compileTerm);
  return {
    matches: (labels, name) => plain(labels) && (!alternatives || alternatives.some(matches => matches(labels, name))),
    names: terms && terms.length > 0 ? namesOf(terms) : undefined,
  };
}

/** The preferences of a pod; those that say nothing are left out. */
export function compilePreferences(terms: readonly PreferredSchedulingTerm[]): readonly NodePreference[] {
  return terms
    .filter(({weight, preference}) => weight !== 0 && !isEmpty(preference))
    .map(({weight, preference}) => ({weight, matches: compileTerm(preference)}));
}

/** The matcher of a list of alternatives, as persistent volumes carry it. */
export function compileTerms(terms: readonly NodeSelectorTerm[]): TermMatcher {
  const known = byTerms.get(terms);
  if (known) return known;
  const alternatives = terms.map(compileTerm);
  const made: TermMatcher = (labels, name) => alternatives.some(matches => matches(labels, name));
  byTerms.set(terms, made);
  return made;
}

const byTerms = new WeakMap<readonly NodeSelectorTerm[], TermMatcher>();

function isEmpty(term: NodeSelectorTerm): boolean {
  return !term.matchExpressions?.length && !term.matchFields?.length;
}

function compileTerm(term: NodeSelectorTerm): TermMatcher {
  if (isEmpty(term)) return () => false;
  const expressions = term.matchExpressions?.length ? compileRequirements(term.matchExpressions) : undefined;
  const fields = term.matchFields?.length ? compileRequirements(term.matchFields) : undefined;
  return (labels, name) => (!expressions || expressions(labels)) && (!fields || fields({'metadata.name': name}));
}

/** Operators of node selectors, as selectors write them. */
export const SELECTOR_OPERATORS: Readonly<Record<NodeSelectorRequirement['operator'], SelectorOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function compileRequirements(requirements: readonly NodeSelectorRequirement[]): LabelMatcher {
  return requirementsMatcher(
    requirements.map(({key, operator, values}) => ({key, operator: SELECTOR_OPERATORS[operator], values: values ?? []})),
  );
}

function namesOf(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const term of terms) {
    const lists = (term.matchFields ?? [])
      .filter(field => field.key === 'metadata.name' && field.operator === 'In')
      .map(field => field.values ?? []);
    const [first, ...others] = lists;
    if (!first) return undefined;
    for (const name of first) if (others.every(list => list.includes(name))) names.add(name);
  }
  return names;
}

const bySpec = new WeakMap<PodSpec, NodeMatcher | 'any'>();

/** Do the node selector and the required node affinity of a spec let its pod run on a node? */
export function suitsNode(spec: PodSpec, labels: Labels, name: string): boolean {
  const known = bySpec.get(spec) ?? compileNodeSelector(spec) ?? 'any';
  bySpec.set(spec, known);
  return known === 'any' || known.matches(labels, name);
}
