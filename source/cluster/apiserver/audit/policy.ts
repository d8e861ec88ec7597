// What an audit policy (audit.k8s.io/v1) says of a request: how much of it is written down, and at which stages. The first rule that fits
// decides; what no rule speaks of is not written down.
import type {User} from '../auth/user.ts';
import type {RequestInfo} from '../http/info.ts';
import {resourcePath} from '../rbac/access.ts';

export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof LEVELS)[number];

export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof STAGES)[number];

export interface Resources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface PolicyRule {
  readonly level: Level;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly Resources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

/** How one request is written down. */
export interface Verdict {
  readonly level: Level;
  readonly omits: ReadonlySet<Stage>;
  readonly withoutOwners: boolean;
}

/** The verdict on a request; undefined when nothing is to be written. */
export function judge(policy: Policy, user: User | undefined, info: RequestInfo): Verdict | undefined {
  const rule = policy.rules.find(each => fits(each, user, info));
  if (!rule || rule.level === 'None') return undefined;
  return {
    level: rule.level,
    omits: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
    withoutOwners: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

/** Is at least so much written down? */
export function reaches(level: Level, least: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

function fits(rule: PolicyRule, user: User | undefined, info: RequestInfo): boolean {
  const {users = [], userGroups = [], verbs = [], resources = [], namespaces = [], nonResourceURLs = []} = rule;
  if (users.length > 0 && user && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && user && !userGroups.some(group => user.groups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false;
  if (resources.length > 0 || namespaces.length > 0) return isAbout(info, resources, namespaces);
  if (nonResourceURLs.length === 0) return true;
  return info.resource === '' && nonResourceURLs.some(url => isPath(url, info.path));
}

function isAbout(info: RequestInfo, resources: readonly Resources[], namespaces: readonly string[]): boolean {
  if (info.resource === '') return false;
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false;
  return resources.length === 0 || resources.some(each => names(each, info));
}

function names({group = '', resources = [], resourceNames = []}: Resources, info: RequestInfo): boolean {
  if (group !== info.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false;
  const {resource, subresource} = info;
  const patterns = ['*', resourcePath(info), `${resource}/*`, ...(subresource === '' ? [] : [`*/${subresource}`])];
  return resources.some(each => patterns.includes(each));
}

function isPath(url: string, path: string): boolean {
  return url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)));
}
