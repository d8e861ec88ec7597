// Nobody may grant what he does not hold: who writes a role must have every right in it (or the verb `escalate` on roles), who writes
// a binding must have every right of the role (or the verb `bind` on it). Rights are compared one by one: each rule is broken down
// into single combinations of verb, group, resource and name.
import type {ClusterRole, PolicyRule, Role, RoleBinding} from '../../../api/kinds/rbac-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {forbidden, notFound} from '../../../api/meta/status.ts';
import type {Core} from '../core.ts';
import type {User} from '../auth/user.ts';
import {refuse, type Refused} from '../http/refused.ts';
import {sameValue} from '../registry/equal.ts';
import type {Attributes} from '../registry/write.ts';
import type {Plugin} from './plugin.ts';

const GROUP = 'rbac.authorization.k8s.io';
const KINDS = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'].map(kind => `${kind}.${GROUP}`);

export const rbacEscalation: Plugin = {
  name: 'RBAC',
  resources: KINDS,
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {
      object,
      write: {user, served},
    } = attributes;
    if (!object || user.master) return undefined;
    return served.facts.resource.endsWith('bindings') ? judgeBinding(attributes, object) : judgeRole(attributes, object);
  },
};

function judgeRole(attributes: Attributes, object: AnyObject): Refused | undefined {
  const {
    old,
    write: {core, user, served, info},
  } = attributes;
  const role = object as unknown as Role & ClusterRole;
  const before = old as unknown as (Role & ClusterRole) | undefined;
  if (before && sameValue(role.rules ?? [], before.rules ?? []) && sameValue(role.aggregationRule, before.aggregationRule))
    return undefined;
  if (may(core, user, {verb: 'escalate', resource: served.facts.resource, namespace: info.namespace, name: object.metadata.name}))
    return undefined;
  return lacking(attributes, object, role.rules ?? []);
}

function judgeBinding(attributes: Attributes, object: AnyObject): Refused | undefined {
  const {
    old,
    write: {core, user, served, info},
  } = attributes;
  const binding = object as unknown as RoleBinding;
  const before = old as unknown as RoleBinding | undefined;
  if (before && sameValue(binding.roleRef, before.roleRef) && sameValue(binding.subjects ?? [], before.subjects ?? []))
    return undefined;
  const {kind, name} = binding.roleRef;
  const resource = kind === 'Role' ? 'roles' : 'clusterroles';
  if (may(core, user, {verb: 'bind', resource, namespace: info.namespace, name})) return undefined;
  const rules = core.rbac.rulesOf(info.namespace, binding.roleRef);
  return rules ? lacking(attributes, object, rules) : refuse(notFound(served.facts, name));
}

function may(core: Core, user: User, wish: {verb: string; resource: string; namespace: string; name: string}): boolean {
  return core.authorize(user, {...wish, group: GROUP, version: 'v1', subresource: '', path: ''}).allowed;
}

function lacking(attributes: Attributes, object: AnyObject, rules: readonly PolicyRule[]): Refused | undefined {
  const {core, user, served, info} = attributes.write;
  const scopes = info.namespace === '' ? [''] : ['', info.namespace];
  const held = scopes.flatMap(scope => core.rbac.grants(user, scope)).flatMap(grant => grant.rules);
  const missing = compact(rules.flatMap(breakDown).filter(wanted => !held.some(rule => covers(rule, wanted))));
  if (missing.length === 0) return undefined;
  const groups = user.groups.map(group => JSON.stringify(group)).join(' ');
  const lines = missing.map(ruleText).sort().join('\n');
  return refuse(
    forbidden(
      served.facts,
      object.metadata.name,
      `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${lines}`,
    ),
  );
}

/** A rule as single combinations. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const single: PolicyRule[] = [];
  for (const verb of rule.verbs) {
    for (const url of rule.nonResourceURLs ?? []) single.push({verbs: [verb], nonResourceURLs: [url]});
    for (const group of rule.apiGroups ?? []) {
      for (const resource of rule.resources ?? []) {
        const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
        for (const name of names)
          single.push({
            verbs: [verb],
            apiGroups: [group],
            resources: [resource],
            ...(name === undefined ? {} : {resourceNames: [name]}),
          });
      }
    }
  }
  return single;
}

function covers(rule: PolicyRule, wanted: PolicyRule): boolean {
  const has = (values: readonly string[] | undefined, value: string | undefined): boolean =>
    value !== undefined && (values?.includes('*') || values?.includes(value) || false);
  if (!has(rule.verbs, wanted.verbs[0])) return false;
  const [url] = wanted.nonResourceURLs ?? [];
  if (url !== undefined)
    return rule.nonResourceURLs?.some(own => own === url || (own.endsWith('*') && url.startsWith(own.slice(0, -1)))) ?? false;
  const [resource = ''] = wanted.resources ?? [];
  const sub = resource.includes('/') ? `*/${resource.slice(resource.indexOf('/') + 1)}` : undefined;
  const resources = has(rule.resources, resource) || (sub !== undefined && (rule.resources?.includes(sub) ?? false));
  const [name] = wanted.resourceNames ?? [];
  const names = !rule.resourceNames?.length || (name !== undefined && rule.resourceNames.includes(name));
  return resources && names && has(rule.apiGroups, wanted.apiGroups?.[0]);
}

/** Combinations that differ in their verb alone become one again. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const byRest = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const {verbs, ...rest} = rule;
    const key = JSON.stringify(rest);
    const known = byRest.get(key);
    byRest.set(key, known ? {...known, verbs: [...new Set([...known.verbs, ...verbs])]} : rule);
  }
  return [...byRest.values()];
}

function ruleText({apiGroups, resources, resourceNames, nonResourceURLs, verbs}: PolicyRule): string {
  const list = (name: string, values: readonly string[] | undefined): string[] =>
    values?.length ? [`${name}:[${values.map(value => JSON.stringify(value)).join(' ')}]`] : [];
  return `{${[...list('APIGroups', apiGroups), ...list('Resources', resources), ...list('ResourceNames', resourceNames), ...list('NonResourceURLs', nonResourceURLs), ...list('Verbs', verbs)].join(', ')}}`;
}
