// Who a request comes from, as the server has found out.

/** An authenticated (or anonymous) user. The same object stands for the same credentials as long as they hold. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
  /** In `system:masters`: may do everything. */
  readonly master: boolean;
  /** The node whose kubelet this is. */
  readonly node: string | undefined;
}

const NO_EXTRA: Readonly<Record<string, readonly string[]>> = Object.freeze({});
const NODE_PREFIX = 'system:node:';

/** What is known of a user; `groups` in the order in which they count. */
export interface UserFacts {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export function makeUser(facts: UserFacts): User {
  const {name, groups} = facts;
  const isNode = name.startsWith(NODE_PREFIX) && groups.includes('system:nodes');
  return Object.freeze({
    name,
    uid: facts.uid ?? '',
    groups: Object.freeze([...groups]),
    extra: facts.extra ?? NO_EXTRA,
    master: groups.includes('system:masters'),
    node: isNode ? name.slice(NODE_PREFIX.length) : undefined,
  });
}

export const ANONYMOUS: User = makeUser({name: 'system:anonymous', groups: ['system:unauthenticated']});

/** `system:serviceaccount:NAMESPACE:NAME` taken apart; undefined for any other name. */
export function splitServiceAccount(name: string): {namespace: string; name: string} | undefined {
  const parts = name.split(':');
  const [system, kind, namespace = '', account = ''] = parts;
  if (parts.length !== 4 || system !== 'system' || kind !== 'serviceaccount' || namespace === '' || account === '')
    return undefined;
  return {namespace, name: account};
}

/** The groups of a service account, without `system:authenticated`. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** How reviews show a user. */
export function userInfo(user: User): Record<string, unknown> {
  return {
    username: user.name,
    ...(user.uid ? {uid: user.uid} : {}),
    groups: user.groups,
    ...(Object.keys(user.extra).length > 0 ? {extra: user.extra} : {}),
  };
}
