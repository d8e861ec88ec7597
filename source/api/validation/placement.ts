// Where a pod may run: affinities, tolerations, spreading, gates.
import type {
  Affinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodSchedulingGate,
  Toleration,
  TopologySpreadConstraint,
} from '../kinds/core-v1.ts';
import type {LabelSelector, LabelSelectorRequirement} from '../kinds/meta.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required} from '../meta/field-error.ts';
import {checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {type Errors, labelKey, labelSelector, oneOf, sentences} from './rules.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const NOT_OPERATOR = 'not a valid selector operator';

/** All three affinities. */
export function affinity(one: Affinity | undefined, path: FieldPath, errors: Errors): void {
  if (!one) return;
  const node = path.child('nodeAffinity');
  const terms = one.nodeAffinity?.[REQUIRED]?.nodeSelectorTerms;
  if (one.nodeAffinity?.[REQUIRED]) nodeSelectorTerms(terms, node.child(REQUIRED, 'nodeSelectorTerms'), errors);
  one.nodeAffinity?.[PREFERRED]?.forEach((preferred, i) => {
    const at = node.child(PREFERRED).index(i);
    weight(preferred.weight, at.child('weight'), errors);
    nodeSelectorTerm(preferred.preference, at.child('preference'), errors);
  });
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const at = path.child(kind);
    one[kind]?.[REQUIRED]?.forEach((term, i) => podAffinityTerm(term, at.child(REQUIRED).index(i), errors));
    one[kind]?.[PREFERRED]?.forEach((preferred, i) => {
      weight(preferred.weight, at.child(PREFERRED).index(i).child('weight'), errors);
      podAffinityTerm(preferred.podAffinityTerm, at.child(PREFERRED).index(i).child('podAffinityTerm'), errors);
    });
  }
}

function weight(value: number, path: FieldPath, errors: Errors): void {
  if (value <= 0 || value > 100) errors.push(invalid(path, value, 'must be in the range 1-100'));
}

/** The terms of a node selector: at least one. */
export function nodeSelectorTerms(terms: readonly NodeSelectorTerm[] | undefined, path: FieldPath, errors: Errors): void {
  if (!terms || terms.length === 0) errors.push(required(path, 'must have at least one node selector term'));
  else terms.forEach((term, i) => nodeSelectorTerm(term, path.index(i), errors));
}

function nodeSelectorTerm(term: NodeSelectorTerm | undefined, path: FieldPath, errors: Errors): void {
  term?.matchExpressions?.forEach((requirement, i) =>
    nodeRequirement(requirement, path.child('matchExpressions').index(i), errors),
  );
  term?.matchFields?.forEach((requirement, i) => fieldRequirement(requirement, path.child('matchFields').index(i), errors));
}

function nodeRequirement({key, operator, values}: NodeSelectorRequirement, path: FieldPath, errors: Errors): void {
  const count = values?.length ?? 0;
  const at = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) errors.push(required(at, "must be specified when `operator` is 'In' or 'NotIn'"));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) errors.push(forbiddenField(at, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (count !== 1) errors.push(required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'"));
  } else errors.push(invalid(path.child('operator'), operator, NOT_OPERATOR));
  labelKey(key, path.child('key'), errors);
}

function fieldRequirement({key, operator, values}: NodeSelectorRequirement, path: FieldPath, errors: Errors): void {
  if (operator === 'In' || operator === 'NotIn') {
    const text = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    if (values?.length !== 1) errors.push(required(path.child('values'), text));
  } else errors.push(invalid(path.child('operator'), operator, NOT_OPERATOR));
  if (key !== 'metadata.name') errors.push(invalid(path.child('key'), key, 'not a valid field selector key'));
  else values?.forEach((value, i) => sentences(checkSubdomain(value), {path: path.child('values').index(i), value}, errors));
}

function podAffinityTerm(term: PodAffinityTerm, path: FieldPath, errors: Errors): void {
  labelSelector(term.labelSelector, path.child('labelSelector'), errors);
  labelSelector(term.namespaceSelector, path.child('namespaceSelector'), errors);
  for (const value of term.namespaces ?? []) sentences(checkLabel(value), {path: path.child('namespace'), value}, errors);
  matchKeys(term, path, errors);
  if (!term.topologyKey) errors.push(required(path.child('topologyKey'), 'can not be empty'));
  labelKey(term.topologyKey, path.child('topologyKey'), errors);
}

function matchKeys(term: PodAffinityTerm, path: FieldPath, errors: Errors): void {
  const keys = new Set(term.mismatchLabelKeys);
  for (const field of ['matchLabelKeys', 'mismatchLabelKeys'] as const) {
    if (term[field] && term[field].length > 0 && !term.labelSelector) {
      errors.push(forbiddenField(path.child(field), 'must not be specified when labelSelector is not set'));
    }
    term[field]?.forEach((key, i) => labelKey(key, path.child(field).index(i), errors));
  }
  term.matchLabelKeys?.forEach((key, i) => {
    if (keys.has(key))
      errors.push(invalid(path.child('matchLabelKeys').index(i), key, 'exists in both matchLabelKeys and mismatchLabelKeys'));
  });
}

/** Which taints a pod bears. */
export function tolerations(list: readonly Toleration[] | undefined, path: FieldPath, errors: Errors): void {
  list?.forEach((toleration, i) => {
    const at = path.index(i);
    const {key = '', operator = '', value = '', effect = '', tolerationSeconds} = toleration;
    if (key !== '') labelKey(key, at.child('key'), errors);
    if (key === '' && operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(at.child('operator'), operator, text));
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    tolerationOperator({operator, value}, at.child('operator'), errors);
    if (effect !== '') oneOf(effect, {path: at.child('effect'), of: ['NoSchedule', 'PreferNoSchedule', 'NoExecute']}, errors);
  });
}

function tolerationOperator({operator, value}: {operator: string; value: string}, path: FieldPath, errors: Errors): void {
  if (operator === '' || operator === 'Equal') {
    const texts = checkLabelValue(value);
    if (texts.length > 0) errors.push(invalid(path, value, texts.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') errors.push(invalid(path, value, "value must be empty when `operator` is 'Exists'"));
  } else {
    // The comparing operators are known by name, though not switched on.
    const compares = operator === 'Lt' || operator === 'Gt';
    errors.push(notSupported(path, operator, compares ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists']));
  }
}

/** How evenly pods are spread. */
export function spreadConstraints(list: readonly TopologySpreadConstraint[] | undefined, path: FieldPath, errors: Errors): void {
  const pairOf = (one: TopologySpreadConstraint) => `${one.whenUnsatisfiable} ${one.topologyKey}`;
  const last = new Map(list?.map((one, i) => [pairOf(one), i]));
  list?.forEach((one, i) => {
    const at = path.index(i);
    if (one.maxSkew <= 0) errors.push(invalid(at.child('maxSkew'), one.maxSkew, 'must be greater than zero'));
    if (!one.topologyKey) errors.push(required(at.child('topologyKey'), 'can not be empty'));
    oneOf(one.whenUnsatisfiable, {path: at.child('whenUnsatisfiable'), of: ['DoNotSchedule', 'ScheduleAnyway']}, errors);
    if (last.get(pairOf(one)) !== i)
      errors.push(duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${one.topologyKey}, ${one.whenUnsatisfiable}}`));
    minDomains(one, at.child('minDomains'), errors);
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      if (one[field] !== undefined) oneOf(one[field], {path: at.child(field), of: ['Honor', 'Ignore']}, errors);
    }
    spreadKeys(one.matchLabelKeys, {path: at.child('matchLabelKeys'), selector: one.labelSelector}, errors);
    labelSelector(one.labelSelector, at.child('labelSelector'), errors);
  });
}

function minDomains({minDomains: count, whenUnsatisfiable}: TopologySpreadConstraint, path: FieldPath, errors: Errors): void {
  if (count === undefined) return;
  if (count <= 0) errors.push(invalid(path, count, 'must be greater than zero'));
  if (whenUnsatisfiable === 'DoNotSchedule') return;
  errors.push(invalid(path, count, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`));
}

function spreadKeys(
  keys: readonly string[] | undefined,
  at: {path: FieldPath; selector: LabelSelector | undefined},
  errors: Errors,
): void {
  if (!keys || keys.length === 0) return;
  if (!at.selector) {
    errors.push(forbiddenField(at.path, 'must not be specified when labelSelector is not set'));
    return;
  }
  // The server itself has written one expression for each key, with the one value of the pod's label.
  const expressions = at.selector.matchExpressions ?? [];
  const written = ({operator, values}: LabelSelectorRequirement) => operator === 'In' && values?.length === 1;
  const used = new Set([
    ...Object.keys(at.selector.matchLabels ?? {}),
    ...expressions
      .filter((one, i) => !written(one) || expressions.some(({key}, n) => n !== i && key === one.key))
      .map(({key}) => key),
  ]);
  keys.forEach((key, i) => {
    labelKey(key, at.path.index(i), errors);
    if (used.has(key)) errors.push(invalid(at.path.index(i), key, 'exists in both matchLabelKeys and labelSelector'));
  });
}

/** What must be taken away before a pod is looked at. */
export function schedulingGates(gates: readonly PodSchedulingGate[] | undefined, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  gates?.forEach(({name}, i) => {
    sentences(checkQualifiedName(name), {path: path.index(i), value: name}, errors);
    if (names.has(name)) errors.push(duplicate(path.index(i), name));
    names.add(name);
  });
}
