// Label selectors, in their two forms: the text of `-l` and `labelSelector=`, and the LabelSelector of objects. Both become
// a list of requirements, and that a function over labels. Objects are frozen, so the function of a LabelSelector is made
// once and kept with it.
import type {LabelSelector} from '../kinds/meta.ts';
import {compareStrings} from './go-text.ts';

export type SelectorOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on the labels of an object. */
export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  /** Sorted, each once. */
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>> | undefined;

/** Does a set of labels fit? */
export type LabelMatcher = (labels: Labels) => boolean;

const EVERYTHING: LabelMatcher = () => true;
const NOTHING: LabelMatcher = () => false;
const NO_LABELS: Readonly<Record<string, string>> = Object.freeze({});

const matchers = new WeakMap<LabelSelector, LabelMatcher>();

/** The matcher of a LabelSelector: an absent one fits nothing, an empty one everything. */
export function selectorMatcher(selector: LabelSelector | undefined): LabelMatcher {
  if (!selector) return NOTHING;
  const known = matchers.get(selector);
  if (known) return known;
  const made = requirementsMatcher(selectorRequirements(selector));
  matchers.set(selector, made);
  return made;
}

const mapMatchers = new WeakMap<object, LabelMatcher>();

/** The matcher of a plain map, as Services have it: an absent or empty one fits nothing. */
export function mapMatcher(selector: Labels): LabelMatcher {
  if (!selector) return NOTHING;
  const known = mapMatchers.get(selector);
  if (known) return known;
  const entries = Object.entries(selector);
  const made = entries.length === 0 ? NOTHING : requirementsMatcher(entries.map(([key, value]) => equals(key, value)));
  mapMatchers.set(selector, made);
  return made;
}

/** The requirements of a LabelSelector, sorted by key. */
export function selectorRequirements(selector: LabelSelector): readonly Requirement[] {
  const labels = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => equals(key, value));
  const expressions = (selector.matchExpressions ?? []).map(({key, operator, values}): Requirement => {
    return {key, operator: OPERATORS[operator] ?? 'in', values: sortedSet(values ?? [])};
  });
  return sortRequirements([...labels, ...expressions]);
}

const OPERATORS: Readonly<Record<string, SelectorOperator>> = {In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!'};

function equals(key: string, value: string): Requirement {
  return {key, operator: '=', values: [value]};
}

/** Sorted by bytes, each once. */
export function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort(compareStrings);
}

/** In the order in which selectors are printed. */
export function sortRequirements(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.toSorted((a, b) => compareStrings(a.key, b.key));
}

/** One function for all requirements. */
export function requirementsMatcher(requirements: readonly Requirement[]): LabelMatcher {
  if (requirements.length === 0) return EVERYTHING;
  const tests = requirements.map(requirementTest);
  const [only] = tests;
  if (tests.length === 1 && only) return remembering(only);
  return remembering(present => {
    for (const test of tests) if (!test(present)) return false;
    return true;
  });
}

/** Whoever asks about many objects asks about those of one template one after the other, and these share their labels. */
function remembering(test: Test): LabelMatcher {
  let last: Labels;
  let fitted = false;
  return labels => {
    if (labels !== undefined && labels === last) return fitted;
    const fits = test(labels ?? NO_LABELS);
    if (labels !== undefined && Object.isFrozen(labels)) {
      last = labels;
      fitted = fits;
    }
    return fits;
  };
}

type Test = (labels: Readonly<Record<string, string>>) => boolean;

function requirementTest({key, operator, values}: Requirement): Test {
  const [first = ''] = values;
  const set = new Set(values);
  const tests: Readonly<Record<SelectorOperator, Test>> = {
    '=': labels => valueOf(labels, key) === first,
    '!=': labels => valueOf(labels, key) !== first,
    in: labels => has(labels, key) && set.has(labels[key] ?? ''),
    notin: labels => !has(labels, key) || !set.has(labels[key] ?? ''),
    exists: labels => has(labels, key),
    '!': labels => !has(labels, key),
    gt: labels => compareIntegers(valueOf(labels, key), first) > 0,
    lt: labels => compareIntegers(valueOf(labels, key), first) < 0,
  };
  return tests[operator];
}

function has(labels: Readonly<Record<string, string>>, key: string): boolean {
  return Object.hasOwn(labels, key);
}

function valueOf(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** NaN when one of them is no integer: then neither `gt` nor `lt` holds. */
function compareIntegers(value: string | undefined, limit: string): number {
  return value !== undefined && /^[-+]?\d+$/.test(value) ? Number(value) - Number(limit) : Number.NaN;
}

/** As selectors are printed: `a=b,c in (x,y),!d`; empty for everything. */
export function requirementsText(requirements: readonly Requirement[]): string {
  return requirements.map(requirementText).join(',');
}

function requirementText({key, operator, values}: Requirement): string {
  if (operator === 'exists') return key;
  if (operator === '!') return `!${key}`;
  if (operator === 'in' || operator === 'notin') return `${key} ${operator} (${values.join(',')})`;
  const sign = operator === 'gt' ? '>' : operator === 'lt' ? '<' : operator;
  return `${key}${sign}${values.join(',')}`;
}

/** A LabelSelector as tables and `describe` print it; `<none>` for an absent or empty one. */
export function selectorText(selector: LabelSelector | undefined): string {
  return (selector && requirementsText(selectorRequirements(selector))) || '<none>';
}

/** Labels as tables print them: `a=b,c=d`, sorted; `<none>` for none. */
export function labelsText(labels: Labels): string {
  const entries = Object.entries(labels ?? {}).sort(([a], [b]) => compareStrings(a, b));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}
