// Quotas, ranges of limits, priority classes and disruption budgets.
import type {LimitRange, LimitRangeItem, ResourceQuota, ResourceQuotaSpec} from '../kinds/core-v1.ts';
import type {PodDisruptionBudget} from '../kinds/policy-v1.ts';
import type {PriorityClass} from '../kinds/scheduling-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkQualifiedName} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities} from '../meta/quantity.ts';
import {containerResourceName, quotaResourceName, resourceAmount} from './resources.ts';
import {countOrPercent, type Errors, immutable, labelSelector, notAbove100, oneOf, sentences} from './rules.ts';

const MOST_PRIORITY = 1_000_000_000;
const SYSTEM_CLASSES = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

export function validatePriorityClass(priorityClass: PriorityClass, errors: Errors): void {
  const {name} = priorityClass.metadata;
  if (name.startsWith('system-')) {
    if (SYSTEM_CLASSES.get(name) !== priorityClass.value) {
      const text = `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`;
      errors.push(forbiddenField(root('metadata', 'name'), text));
    }
  } else if (priorityClass.value > MOST_PRIORITY) {
    errors.push(forbiddenField(root('value'), `maximum allowed value of a user defined priority is ${MOST_PRIORITY}`));
  }
  if (priorityClass.preemptionPolicy !== undefined) {
    oneOf(priorityClass.preemptionPolicy, {path: root('preemptionPolicy'), of: ['PreemptLowerPriority', 'Never']}, errors);
  }
}

export function validatePriorityClassUpdate(priorityClass: PriorityClass, before: PriorityClass, errors: Errors): void {
  if (priorityClass.value !== before.value) errors.push(forbiddenField(root('value'), 'may not be changed in an update.'));
  immutable(priorityClass.preemptionPolicy, before.preemptionPolicy, {path: root('preemptionPolicy'), errors});
}

const SCOPES = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);
const EXISTS_ONLY = new Set(['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity']);
const COMPUTE = /^(requests\.|limits\.)?(cpu|memory|ephemeral-storage)$|^(requests\.)?hugepages-/;

export function validateResourceQuota(quota: ResourceQuota, errors: Errors): void {
  const spec = quota.spec ?? {};
  const path = root('spec');
  for (const name of Object.keys(spec.hard ?? {}).sort(compareStrings)) {
    const at = path.child('hard').key(name);
    quotaResourceName(name, at, errors);
    resourceAmount(name, spec.hard?.[name] ?? '0', {path: at, errors});
  }
  scopes(spec, path, errors);
  scopeSelector(spec, path, errors);
}

/** What is counted in the status of a quota. */
export function validateResourceQuotaStatus({status}: ResourceQuota, _before: unknown, errors: Errors): void {
  for (const list of ['hard', 'used'] as const) {
    for (const name of Object.keys(status?.[list] ?? {}).sort(compareStrings)) {
      const at = root('status', list).key(name);
      quotaResourceName(name, at, errors);
      resourceAmount(name, status?.[list]?.[name] ?? '0', {path: at, errors});
    }
  }
}

function scopes(spec: ResourceQuotaSpec, path: FieldPath, errors: Errors): void {
  const list = spec.scopes ?? [];
  const at = path.child('scopes');
  for (const scope of list) {
    if (!SCOPES.has(scope)) errors.push(invalid(at, list, 'unsupported scope'));
    for (const name of Object.keys(spec.hard ?? {})) {
      const fits =
        scope === 'BestEffort'
          ? name === 'pods' || name === 'count/pods'
          : name === 'pods' || name === 'count/pods' || COMPUTE.test(name);
      if (SCOPES.has(scope) && !fits && isStandard(name)) errors.push(invalid(at, list, 'unsupported scope applied to resource'));
    }
  }
  for (const [a, b] of [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ] as const) {
    if (list.includes(a) && list.includes(b)) errors.push(invalid(at, list, 'conflicting scopes'));
  }
}

/** Scopes say nothing of counts of objects and of extended resources. */
function isStandard(name: string): boolean {
  return !name.includes('/');
}

function scopeSelector(spec: ResourceQuotaSpec, path: FieldPath, errors: Errors): void {
  for (const {scopeName, operator, values} of spec.scopeSelector?.matchExpressions ?? []) {
    const at = path.child('scopeSelector', 'matchExpressions');
    const count = values?.length ?? 0;
    if (!SCOPES.has(scopeName)) errors.push(invalid(at.child('scopeName'), scopeName, 'unsupported scope'));
    if (EXISTS_ONLY.has(scopeName) && operator !== 'Exists') {
      const names =
        'ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';
      errors.push(invalid(at.child('operator'), operator, `must be 'Exists' when scope is any of ${names}`));
    }
    if (operator === 'In' || operator === 'NotIn') {
      if (count === 0)
        errors.push(
          required(at.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"),
        );
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (count > 0)
        errors.push(
          invalid(at.child('values'), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
        );
    } else errors.push(invalid(at.child('operator'), operator, 'not a valid selector operator'));
  }
}

export function validateResourceQuotaUpdate(quota: ResourceQuota, before: ResourceQuota, errors: Errors): void {
  validateResourceQuota(quota, errors);
  const sorted = (list: readonly string[] | undefined) => [...(list ?? [])].sort(compareStrings);
  immutable(sorted(quota.spec?.scopes), sorted(before.spec?.scopes), {
    path: root('spec', 'scopes'),
    errors,
    printed: quota.spec?.scopes ?? null,
  });
}

export function validateLimitRange(range: LimitRange, errors: Errors): void {
  const types = new Set<string>();
  range.spec?.limits?.forEach((item, i) => {
    const path = root('spec', 'limits').index(i);
    limitType(item.type, path.child('type'), errors);
    if (types.has(item.type)) errors.push(duplicate(path.child('type'), item.type));
    types.add(item.type);
    limitItem(item, path, errors);
  });
}

function limitType(type: string, path: FieldPath, errors: Errors): void {
  const texts = checkQualifiedName(type);
  sentences(texts, {path, value: type}, errors);
  if (texts.length === 0 && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
    errors.push(invalid(path, type, 'must be a standard limit type or fully qualified'));
  }
}

const LISTS = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function limitItem(item: LimitRangeItem, path: FieldPath, errors: Errors): void {
  for (const field of LISTS) {
    if (item.type === 'Pod' && (field === 'default' || field === 'defaultRequest')) {
      if (Object.keys(item[field] ?? {}).length > 0)
        errors.push(forbiddenField(path.child(field), "may not be specified when `type` is 'Pod'"));
    } else {
      for (const name of Object.keys(item[field] ?? {}).sort(compareStrings)) {
        if (item.type === 'Container' || item.type === 'Pod') containerResourceName(name, path.child(field).key(name), errors);
      }
    }
  }
  if (item.type === 'PersistentVolumeClaim' && item.max?.['storage'] === undefined && item.min?.['storage'] === undefined) {
    errors.push(required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided'));
  }
  const names = new Set(LISTS.flatMap(field => Object.keys(item[field] ?? {})));
  for (const name of [...names].sort(compareStrings)) limitsOf(item, {name, path}, errors);
}

/** The least, the default request, the default and the most must not pass each other. */
function limitsOf(item: LimitRangeItem, {name, path}: {name: string; path: FieldPath}, errors: Errors): void {
  const of = (field: (typeof LISTS)[number]) =>
    item[field]?.[name] === undefined ? undefined : canonicalQuantity(item[field][name]);
  const [max, min, standard, request, ratio] = LISTS.map(of);
  const compare = (a: string | undefined, b: string | undefined) =>
    a === undefined || b === undefined ? 0 : compareQuantities(a, b);
  const push = (field: string, value: string | undefined, text: string) =>
    errors.push(invalid(path.child(field).key(name), value, text));
  if (compare(min, max) > 0) push('min', min, `min value ${min} is greater than max value ${max}`);
  if (compare(min, request) > 0)
    push('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (compare(request, max) > 0)
    push('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (compare(request, standard) > 0)
    push('defaultRequest', request, `default request value ${request} is greater than default limit value ${standard}`);
  // The server prints the other value than the one it speaks of, in the next two.
  if (compare(min, standard) > 0) push('default', min, `min value ${min} is greater than default value ${standard}`);
  if (compare(standard, max) > 0) push('default', max, `default value ${standard} is greater than max value ${max}`);
  if (ratio !== undefined && compareQuantities(ratio, '1') < 0)
    push('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
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
