// What `kubectl auth can-i --list` asks: all rules that a user has, in the order in which they are found.
import type {PolicyRule} from '../../../api/kinds/rbac-v1.ts';
import type {User} from '../auth/user.ts';
import type {Core} from '../core.ts';

const MASTER_RULES: readonly PolicyRule[] = [
  {verbs: ['*'], apiGroups: ['*'], resources: ['*']},
  {verbs: ['*'], nonResourceURLs: ['*']},
];

/** The status of a SelfSubjectRulesReview. */
export function rulesStatus(core: Core, user: User, namespace: string): unknown {
  const grants = [...core.rbac.grants(user, ''), ...core.rbac.grants(user, namespace)];
  const rules = grants.flatMap(grant => grant.rules);
  // Masters have their rules by the binding of cluster-admin; without it they may do everything all the same.
  const all = user.master && !rules.some(rule => rule.apiGroups?.includes('*')) ? [...MASTER_RULES, ...rules] : rules;
  const errors = grants.flatMap(grant => (grant.error === undefined ? [] : [grant.error]));
  return {
    resourceRules: all.filter(rule => (rule.resources?.length ?? 0) > 0).map(resourceRule),
    nonResourceRules: all
      .filter(rule => (rule.nonResourceURLs?.length ?? 0) > 0)
      .map(({verbs, nonResourceURLs}) => ({verbs, nonResourceURLs})),
    incomplete: errors.length > 0,
    ...(errors.length > 0 ? {evaluationError: errors.join(', ')} : {}),
  };
}

function resourceRule({verbs, apiGroups, resources, resourceNames}: PolicyRule): PolicyRule {
  return {verbs, apiGroups: apiGroups ?? [], resources: resources ?? [], ...(resourceNames ? {resourceNames} : {})};
}
