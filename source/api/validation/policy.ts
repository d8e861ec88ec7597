// Priority classes and disruption budgets.
import type {PodDisruptionBudget} from '../kinds/policy-v1.ts';
import type {PriorityClass} from '../kinds/scheduling-v1.ts';
import {forbiddenField, invalid, notSupported, root} from '../meta/field-error.ts';
import {countOrPercent, type Errors, immutable, labelSelector, notAbove100, requiredOneOf} from './rules.ts';

const MOST_PRIORITY = 1_000_000_000;
const SYSTEM_CLASSES = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

export function validatePriorityClass(priorityClass: PriorityClass, errors: Errors): void {
  const {name} = priorityClass.metadata;
  if (name.startsWith('system-')) {
    const why = wrongSystemClass(priorityClass);
    const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`;
    if (why !== undefined) errors.push(forbiddenField(root('metadata', 'name'), text));
  } else if (priorityClass.value > MOST_PRIORITY) {
    errors.push(forbiddenField(root('value'), `maximum allowed value of a user defined priority is ${MOST_PRIORITY}`));
  }
  if (priorityClass.preemptionPolicy !== undefined) {
    requiredOneOf(
      priorityClass.preemptionPolicy,
      {path: root('preemptionPolicy'), of: ['PreemptLowerPriority', 'Never']},
      errors,
    );
  }
}

function wrongSystemClass({metadata, value, globalDefault = false}: PriorityClass): string | undefined {
  const known = SYSTEM_CLASSES.get(metadata.name);
  if (known === undefined) return `${metadata.name} is not a known system priority class`;
  if (known !== value) return `value of ${metadata.name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${metadata.name} PriorityClass must be false` : undefined;
}

export function validatePriorityClassUpdate(priorityClass: PriorityClass, before: PriorityClass, errors: Errors): void {
  if (priorityClass.value !== before.value) errors.push(forbiddenField(root('value'), 'may not be changed in an update.'));
  immutable(priorityClass.preemptionPolicy, before.preemptionPolicy, {path: root('preemptionPolicy'), errors});
}

export function validateDisruptionBudget(budget: PodDisruptionBudget, errors: Errors): void {
  const spec = budget.spec ?? {};
  const path = root('spec');
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    const value = {
      MinAvailable: spec.minAvailable,
      Selector: spec.selector ?? null,
      MaxUnavailable: spec.maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    };
    errors.push(invalid(path, value, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    countOrPercent(spec[field], path.child(field), errors);
    notAbove100(spec[field], path.child(field), errors);
  }
  labelSelector(spec.selector, path.child('selector'), errors);
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (spec.unhealthyPodEvictionPolicy !== undefined && !policies.includes(spec.unhealthyPodEvictionPolicy)) {
    errors.push(notSupported(path.child('unhealthyPodEvictionPolicy'), spec.unhealthyPodEvictionPolicy, policies));
  }
}
