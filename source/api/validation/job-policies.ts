// When a Job has failed or succeeded before all of its pods have: rules about exit codes, conditions and indexes.
import type {JobSpec, PodFailurePolicyRule, SuccessPolicyRule} from '../kinds/batch-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, notSupported, OMITTED, required, tooLong, tooMany} from '../meta/field-error.ts';
import {checkQualifiedName} from '../meta/names.ts';
import {type Errors, notNegative, sentences} from './rules.ts';

const MOST = {rules: 20, codes: 255, patterns: 20, indexes: 64 * 1024};
const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** A word that must stand there, with all that it may be in brackets, as Go prints a list. */
function word(value: string | undefined, of: readonly string[], {path, errors}: {path: FieldPath; errors: Errors}): void {
  const all = of.map(one => JSON.stringify(one)).join(' ');
  if (!value) errors.push(required(path, `valid values: [${all}]`));
  else if (!of.includes(value)) errors.push(notSupported(path, value, of));
}

/** What becomes of a Job when a pod of it fails. */
export function failurePolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  if (rules.length > MOST.rules) errors.push(tooMany(path.child('rules'), rules.length, MOST.rules));
  rules.forEach((rule, i) => failureRule(rule, {path: path.child('rules').index(i), spec}, errors));
}

function failureRule(rule: PodFailurePolicyRule, {path, spec}: {path: FieldPath; spec: JobSpec}, errors: Errors): void {
  const action = path.child('action');
  const {onExitCodes, onPodConditions = []} = rule;
  if (rule.action !== 'FailIndex') word(rule.action, ACTIONS, {path: action, errors});
  else if (spec.backoffLimitPerIndex === undefined)
    errors.push(invalid(action, rule.action, 'requires the backoffLimitPerIndex to be set'));
  if (onExitCodes) exitCodes(onExitCodes, {path: path.child('onExitCodes'), spec}, errors);
  const at = path.child('onPodConditions');
  if (onPodConditions.length > MOST.patterns) errors.push(tooMany(at, onPodConditions.length, MOST.patterns));
  onPodConditions.forEach(({type, status}, i) => {
    sentences(checkQualifiedName(type), {path: at.index(i).child('type'), value: type}, errors);
    word(status, ['False', 'True', 'Unknown'], {path: at.index(i).child('status'), errors});
  });
  const both = onExitCodes !== undefined && onPodConditions.length > 0;
  if (both) errors.push(invalid(path, OMITTED, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  else if (!onExitCodes && onPodConditions.length === 0)
    errors.push(invalid(path, OMITTED, 'specifying one of OnExitCodes and OnPodConditions is required'));
}

function exitCodes(
  exit: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  {path, spec}: {path: FieldPath; spec: JobSpec},
  errors: Errors,
): void {
  const {containerName: name, operator, values} = exit;
  word(operator, ['In', 'NotIn'], {path: path.child('operator'), errors});
  const {containers, initContainers = []} = spec.template.spec ?? {containers: []};
  if (name !== undefined && ![...(containers ?? []), ...initContainers].some(each => each.name === name)) {
    const text = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(path.child('containerName'), name, text));
  }
  const list = path.child('values');
  if (values.length === 0) errors.push(invalid(list, null, 'at least one value is required'));
  else if (values.length > MOST.codes) errors.push(tooMany(list, values.length, MOST.codes));
  const seen = new Set<number>();
  values.forEach((value, i) => {
    if (value === 0 && operator === 'In') errors.push(invalid(list.index(i), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(list.index(i), value));
    seen.add(value);
  });
  if (values.some((value, i) => (values[i - 1] ?? value) > value)) errors.push(invalid(list, values, 'must be ordered'));
}

/** What is enough for an indexed Job to succeed. */
export function successPolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  if (!spec.successPolicy) return;
  const {rules} = spec.successPolicy;
  const shown = rules.map(rule => ({
    SucceededIndexes: rule.succeededIndexes ?? null,
    SucceededCount: rule.succeededCount ?? null,
  }));
  const list = path.child('rules');
  if (spec.completionMode !== 'Indexed') {
    errors.push(invalid(path, {Rules: shown}, 'requires indexed completion mode'));
    return;
  }
  if (rules.length === 0) errors.push(required(list, 'at least one rules must be specified when the successPolicy is specified'));
  if (rules.length > MOST.rules) errors.push(tooMany(list, rules.length, MOST.rules));
  rules.forEach((rule, i) => successRule(rule, {path: list.index(i), completions: spec.completions ?? 0}, errors));
}

function successRule(
  {succeededIndexes, succeededCount: count}: SuccessPolicyRule,
  {path, completions}: {path: FieldPath; completions: number},
  errors: Errors,
): void {
  if (count === undefined && succeededIndexes === undefined)
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  const parsed = readIndexes(succeededIndexes ?? '', completions);
  const indexes = path.child('succeededIndexes');
  if ((succeededIndexes?.length ?? 0) > MOST.indexes) errors.push(tooLong(indexes, MOST.indexes));
  if (typeof parsed === 'string') errors.push(invalid(indexes, succeededIndexes, `error parsing succeededIndexes: ${parsed}`));
  if (count === undefined) return;
  const at = path.child('succeededCount');
  const above = (most: number, what: string) =>
    errors.push(invalid(at, count, `must be less than or equal to ${most} (${what})`));
  notNegative(count, at, errors);
  if (count > completions) above(completions, 'the number of specified completions');
  const total = typeof parsed === 'string' ? 0 : parsed;
  if (succeededIndexes !== undefined && count > total)
    above(total, 'the number of indexes in the specified succeededIndexes field');
}

/** How many indexes a text like `0-3,7` names, or what is wrong with it. */
export function readIndexes(text: string, completions: number): number | string {
  let last: number | undefined;
  let total = 0;
  for (const part of text === '' ? [] : text.split(',')) {
    const range = readInterval(part, completions);
    if (typeof range === 'string') return range;
    const [first, end] = range;
    if (last !== undefined && last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

function readInterval(part: string, completions: number): readonly [number, number] | string {
  const limits = part.split('-');
  if (limits.length > 2) {
    const rule = "violates the requirement that an index interval can have at most two parts separated by '-'";
    return `the fragment ${JSON.stringify(part)} ${rule}`;
  }
  for (const limit of limits) {
    if (!/^\+?\d+$/.test(limit)) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (Number(limit) >= completions) return `too large index: ${JSON.stringify(limit)}`;
  }
  const [first = 0, end = first] = limits.map(Number);
  return limits.length > 1 && first >= end ? `non-increasing order, previous: ${first}, current: ${end}` : [first, end];
}
