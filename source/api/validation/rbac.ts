// Roles and bindings.
import type {ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject} from '../kinds/rbac-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkPathSegment, checkSubdomain} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {type Errors, labelSelector, sentences} from './rules.ts';

const RBAC = 'rbac.authorization.k8s.io';

export function validateRole(role: Role, errors: Errors): void {
  role.rules?.forEach((rule, i) => policyRule(rule, {path: root('rules').index(i), namespaced: true}, errors));
}

export function validateClusterRole(role: ClusterRole, errors: Errors): void {
  role.rules?.forEach((rule, i) => policyRule(rule, {path: root('rules').index(i), namespaced: false}, errors));
  if (!role.aggregationRule) return;
  const path = root('aggregationRule', 'clusterRoleSelectors');
  const selectors = role.aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  selectors.forEach((selector, i) => {
    const count = errors.length;
    labelSelector(selector, path.index(i), errors);
    if (errors.length > count) errors.push(invalid(path.index(i), null, 'invalid label selector.'));
  });
}

function policyRule(rule: PolicyRule, at: {path: FieldPath; namespaced: boolean}, errors: Errors): void {
  const {path} = at;
  const none = (list: readonly string[] | undefined) => (list?.length ?? 0) === 0;
  if (none(rule.verbs)) errors.push(required(path.child('verbs'), 'verbs must contain at least one value'));
  if (!none(rule.nonResourceURLs)) {
    const urls = path.child('nonResourceURLs');
    if (at.namespaced) errors.push(invalid(urls, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (!none(rule.apiGroups) || !none(rule.resources) || !none(rule.resourceNames)) {
      errors.push(invalid(urls, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return;
  }
  if (none(rule.apiGroups)) errors.push(required(path.child('apiGroups'), 'resource rules must supply at least one api group'));
  if (none(rule.resources)) errors.push(required(path.child('resources'), 'resource rules must supply at least one resource'));
}

export function validateRoleBinding(binding: RoleBinding, errors: Errors): void {
  roleRef(binding.roleRef, ['ClusterRole', 'Role'], errors);
  binding.subjects?.forEach((subject, i) => subjectOf(subject, {path: root('subjects').index(i), namespaced: true}, errors));
}

export function validateClusterRoleBinding(binding: ClusterRoleBinding, errors: Errors): void {
  roleRef(binding.roleRef, ['ClusterRole'], errors);
  binding.subjects?.forEach((subject, i) => subjectOf(subject, {path: root('subjects').index(i), namespaced: false}, errors));
}

function roleRef(reference: RoleRef, kinds: readonly string[], errors: Errors): void {
  const path = root('roleRef');
  if (reference.apiGroup !== RBAC) errors.push(notSupported(path.child('apiGroup'), reference.apiGroup, [RBAC]));
  if (!kinds.includes(reference.kind)) errors.push(notSupported(path.child('kind'), reference.kind, kinds));
  if (!reference.name) errors.push(required(path.child('name')));
  else sentences(checkPathSegment(reference.name), {path: path.child('name'), value: reference.name}, errors);
}

function subjectOf(subject: Subject, at: {path: FieldPath; namespaced: boolean}, errors: Errors): void {
  const {path} = at;
  const group = subject.apiGroup ?? '';
  if (!subject.name) errors.push(required(path.child('name')));
  if (subject.kind === 'ServiceAccount') {
    if (subject.name) sentences(checkSubdomain(subject.name), {path: path.child('name'), value: subject.name}, errors);
    if (group !== '') errors.push(notSupported(path.child('apiGroup'), group, ['']));
    if (!at.namespaced && !subject.namespace) errors.push(required(path.child('namespace')));
  } else if (subject.kind === 'User' || subject.kind === 'Group') {
    if (group !== RBAC) errors.push(notSupported(path.child('apiGroup'), group, [RBAC]));
  } else errors.push(notSupported(path.child('kind'), subject.kind, ['ServiceAccount', 'User', 'Group']));
}

/** A binding is to one role for ever. */
export function sameRoleRef(binding: {readonly roleRef: RoleRef}, before: {readonly roleRef: RoleRef}, errors: Errors): void {
  if (sameJson(binding.roleRef, before.roleRef)) return;
  const {apiGroup, kind, name} = binding.roleRef;
  errors.push(invalid(root('roleRef'), {APIGroup: apiGroup, Kind: kind, Name: name}, 'cannot change roleRef'));
}
