// Rules of roles, taken apart to one verb on one resource, and what one list of them leaves out of another.
import type {PolicyRule} from '../../api/kinds/rbac-v1.ts';

/** Every rule as rules about one verb, one resource or path, and one name at most. */
export function simpleRules(rules: readonly PolicyRule[]): PolicyRule[] {
  return rules.flatMap(({apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs}) => {
    const names = resourceNames.length > 0 ? resourceNames.map(name => ({resourceNames: [name]})) : [{}];
    const aboutResources = apiGroups.flatMap(group =>
      resources.flatMap(resource =>
        verbs.flatMap(verb => names.map(named => ({verbs: [verb], apiGroups: [group], resources: [resource], ...named}))),
      ),
    );
    return [...aboutResources, ...nonResourceURLs.flatMap(url => verbs.map(verb => ({verbs: [verb], nonResourceURLs: [url]})))];
  });
}

/** What `wanted` allows and `rules` does not, in simple rules. */
export function missingRules(rules: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return simpleRules(wanted).filter(one => !rules.some(rule => covers(rule, one)));
}

function covers(rule: PolicyRule, one: PolicyRule): boolean {
  const has = (list: readonly string[] | undefined, value: string) => (list ?? []).some(item => item === '*' || item === value);
  const all = (list: readonly string[] | undefined, values: readonly string[] | undefined) =>
    (values ?? []).every(value => has(list, value));
  if (!all(rule.verbs, one.verbs)) return false;
  if (one.nonResourceURLs)
    return one.nonResourceURLs.every(url => (rule.nonResourceURLs ?? []).some(pattern => coversUrl(pattern, url)));
  const names = rule.resourceNames ?? [];
  const namesFit =
    names.length === 0 || (one.resourceNames !== undefined && one.resourceNames.every(name => names.includes(name)));
  return (
    all(rule.apiGroups, one.apiGroups) &&
    (one.resources ?? []).every(resource => coversResource(rule.resources ?? [], resource)) &&
    namesFit
  );
}

function coversUrl(pattern: string, url: string): boolean {
  return pattern === '*' || pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
}

/** Of a subresource, every star before the slash covers as well. */
function coversResource(list: readonly string[], resource: string): boolean {
  const [, sub] = resource.split('/');
  return list.some(item => item === '*' || item === resource || (sub !== undefined && item === `*/${sub}`));
}
