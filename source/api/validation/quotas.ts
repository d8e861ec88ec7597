// Quotas: what may be counted, and of which pods and claims.
import type {ResourceQuota, ResourceQuotaSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, required, root} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {isQuotaResource, quotaResourceName, resourceAmount} from './resources.ts';
import {type Errors, immutable} from './rules.ts';

const OF_PODS = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);

/** The scopes, and what each may count of all that quotas know by themselves. */
const SCOPES: Readonly<Record<string, ReadonlySet<string>>> = {
  Terminating: OF_PODS,
  NotTerminating: OF_PODS,
  BestEffort: new Set(['pods']),
  NotBestEffort: OF_PODS,
  PriorityClass: OF_PODS,
  CrossNamespacePodAffinity: OF_PODS,
  VolumeAttributesClass: new Set(['persistentvolumeclaims', 'requests.storage']),
};
const EXISTS_ONLY = new Set(['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity']);
const OPPOSITES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** A quota. */
export function validateResourceQuota(quota: ResourceQuota, errors: Errors): void {
  const spec = quota.spec ?? {};
  const path = root('spec');
  amounts(spec.hard, path.child('hard'), errors);
  scopes(spec, path.child('scopes'), errors);
  scopeSelector(spec, path.child('scopeSelector', 'matchExpressions'), errors);
}

function amounts(list: ResourceQuotaSpec['hard'], path: FieldPath, errors: Errors): void {
  for (const name of Object.keys(list ?? {}).sort(compareStrings)) {
    const at = path.key(name);
    quotaResourceName(name, at, errors);
    resourceAmount(name, list?.[name] ?? '0', {path: at, errors});
  }
}

/** What is counted in the status of a quota. */
export function validateResourceQuotaStatus({status}: ResourceQuota, _before: unknown, errors: Errors): void {
  amounts(status?.hard, root('status', 'hard'), errors);
  amounts(status?.used, root('status', 'used'), errors);
}

interface ScopesAt {
  readonly path: FieldPath;
  /** What is shown of a scope that does not fit. */
  readonly shown: unknown;
  readonly errors: Errors;
}

/** Does a scope fit all that is counted? Of what it does not know (counts of kinds, extended resources) it says nothing. */
function fitting(scope: string, {hard}: ResourceQuotaSpec, {path, shown, errors}: ScopesAt): void {
  const known = SCOPES[scope];
  for (const name of Object.keys(hard ?? {}))
    if (known && isQuotaResource(name) && !known.has(name))
      errors.push(invalid(path, shown, 'unsupported scope applied to resource'));
}

function opposites(given: readonly string[], spec: ResourceQuotaSpec, path: FieldPath, errors: Errors): void {
  for (const pair of OPPOSITES)
    if (pair.every(scope => given.includes(scope))) errors.push(invalid(path, spec.scopes ?? null, 'conflicting scopes'));
}

function scopes(spec: ResourceQuotaSpec, path: FieldPath, errors: Errors): void {
  const {scopes: list = []} = spec;
  for (const scope of list) {
    if (!SCOPES[scope]) errors.push(invalid(path, list, 'unsupported scope'));
    fitting(scope, spec, {path, shown: list, errors});
  }
  opposites(list, spec, path, errors);
}

const EXISTS =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function scopeSelector(spec: ResourceQuotaSpec, path: FieldPath, errors: Errors): void {
  const {matchExpressions = []} = spec.scopeSelector ?? {};
  const shown = {
    MatchExpressions: matchExpressions.map(({scopeName, operator, values}) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values ?? null,
    })),
  };
  for (const {scopeName, operator, values} of matchExpressions) {
    if (!SCOPES[scopeName]) errors.push(invalid(path.child('scopeName'), scopeName, 'unsupported scope'));
    fitting(scopeName, spec, {path, shown, errors});
    if (EXISTS_ONLY.has(scopeName) && operator !== 'Exists') errors.push(invalid(path.child('operator'), operator, EXISTS));
    scopeValues({operator, values}, path, errors);
  }
  opposites(
    matchExpressions.map(each => each.scopeName),
    spec,
    path,
    errors,
  );
}

function scopeValues(
  {operator, values = []}: {readonly operator: string; readonly values?: readonly string[] | undefined},
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    const text = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
    if (values.length === 0) errors.push(required(at, text));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const text = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
    if (values.length > 0) errors.push(invalid(at, values, text));
  } else errors.push(invalid(path.child('operator'), operator, 'not a valid selector operator'));
}

/** A changed quota: it counts the same pods as before. */
export function validateResourceQuotaUpdate(quota: ResourceQuota, before: ResourceQuota, errors: Errors): void {
  validateResourceQuota(quota, errors);
  const sorted = (list: readonly string[] = []) => [...new Set(list)].sort(compareStrings);
  immutable(sorted(quota.spec?.scopes), sorted(before.spec?.scopes), {
    path: root('spec', 'scopes'),
    errors,
    printed: quota.spec?.scopes ?? null,
  });
}
