// What an RBAC rule allows. A rule is a product of verbs, groups and resources, or of verbs and paths; a star stands for all.
import type {PolicyRule} from '../../../api/kinds/rbac-v1.ts';
import type {Access} from './access.ts';

/** Does a rule allow it, were it not for resource names? */
export function allowsKind(rule: PolicyRule, access: Access): boolean {
  return hasOrStar(rule.verbs, access.verb) && hasOrStar(rule.apiGroups, access.group) && allowsResource(rule.resources, access);
}

/** Does a rule allow it? */
export function allows(rule: PolicyRule, access: Access): boolean {
  if (access.resource === '') return hasOrStar(rule.verbs, access.verb) && allowsPath(rule.nonResourceURLs, access.path);
  return allowsKind(rule, access) && (!hasNames(rule) || (rule.resourceNames?.includes(access.name) ?? false));
}

/** Is a rule for some objects only? */
export function hasNames(rule: PolicyRule): boolean {
  return rule.resourceNames !== undefined && rule.resourceNames.length > 0;
}

function hasOrStar(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes(value) || values.includes('*'));
}

function allowsResource(resources: readonly string[] | undefined, access: Access): boolean {
  if (!resources) return false;
  const {resource, subresource} = access;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.includes(full) || resources.includes('*') || (subresource !== '' && resources.includes(`*/${subresource}`));
}

function allowsPath(paths: readonly string[] | undefined, path: string): boolean {
  return (
    paths?.some(each => each === '*' || each === path || (each.endsWith('*') && path.startsWith(each.slice(0, -1)))) ?? false
  );
}
