// Which FlowSchema a request falls under: the first, by its matchingPrecedence and then by name, of which one rule names both the user
// and what he asks for. What nothing matches falls under `catch-all`.
import type {FlowSchema, NonResourcePolicyRule, ResourcePolicyRule, Subject} from '../../../api/kinds/flowcontrol-v1.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import {splitServiceAccount, type User} from '../auth/user.ts';
import {resourcePath, type Access} from '../rbac/access.ts';

const CATCH_ALL = 'catch-all';
const LAST = 10_000;

/** FlowSchemas in the order in which they are asked. */
export function inPrecedence(schemas: readonly FlowSchema[]): readonly FlowSchema[] {
  const rank = ({spec}: FlowSchema) => spec.matchingPrecedence ?? LAST;
  return schemas.toSorted((a, b) => rank(a) - rank(b) || compareStrings(a.metadata.name, b.metadata.name));
}

/** The FlowSchema of a request; undefined where not even the last resort is there. */
export function schemaFor(ordered: readonly FlowSchema[], user: User, access: Access): FlowSchema | undefined {
  return ordered.find(schema => covers(schema, user, access)) ?? ordered.find(({metadata}) => metadata.name === CATCH_ALL);
}

function covers({spec}: FlowSchema, user: User, access: Access): boolean {
  return (spec.rules ?? []).some(({subjects, resourceRules = [], nonResourceRules = []}) => {
    if (!subjects.some(subject => isSubject(subject, user))) return false;
    if (access.resource === '') return nonResourceRules.some(rule => coversPath(rule, access));
    return resourceRules.some(rule => coversResource(rule, access));
  });
}

function isSubject({kind, user: named, group, serviceAccount}: Subject, user: User): boolean {
  if (kind === 'User') return named !== undefined && (named.name === '*' || named.name === user.name);
  if (kind === 'Group') return group !== undefined && (group.name === '*' || user.groups.includes(group.name));
  const account = splitServiceAccount(user.name);
  if (!serviceAccount || account?.namespace !== serviceAccount.namespace) return false;
  return serviceAccount.name === '*' || serviceAccount.name === account.name;
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}

function coversResource(rule: ResourcePolicyRule, access: Access): boolean {
  if (!has(rule.verbs, access.verb) || !has(rule.apiGroups, access.group) || !has(rule.resources, resourcePath(access)))
    return false;
  return access.namespace === '' ? rule.clusterScope === true : has(rule.namespaces, access.namespace);
}

function coversPath(rule: NonResourcePolicyRule, {verb, path}: Access): boolean {
  const fits = (each: string) => each === '*' || each === path || (each.endsWith('/*') && path.startsWith(each.slice(0, -1)));
  return has(rule.verbs, verb) && rule.nonResourceURLs.some(fits);
}
