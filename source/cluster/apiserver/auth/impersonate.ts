// Acting as somebody else, as `kubectl --as` asks for it by headers. Each thing that is borrowed (the name, every group, the uid,
// extra values) must be allowed on its own. A header that is sent several times arrives as one text with line breaks; a comma
// is part of a name.
import {badRequest, forbidden} from '../../../api/meta/status.ts';
import {refuse, type Refused} from '../http/refused.ts';
import {refusalText, type Access, type Decision} from '../rbac/access.ts';
import {makeUser, serviceAccountGroups, splitServiceAccount, type User} from './user.ts';

type Headers = Readonly<Record<string, string>>;
type Authorize = (user: User, access: Access) => Decision;

const EXTRA = 'impersonate-extra-';

interface Borrowed {
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name: string;
}

const borrowers = new WeakMap<User, Map<string, User>>();

/** The user that a request counts as: the one who sent it, or whom it asks to be. */
export function impersonate(user: User, headers: Headers | undefined, authorize: Authorize): User | Refused {
  if (!headers) return user;
  const name = headers['impersonate-user'] ?? '';
  const groups = valuesOf(headers['impersonate-group']);
  const uid = headers['impersonate-uid'] ?? '';
  const extra = extraOf(headers);
  if (name === '') {
    if (groups.length === 0 && uid === '' && extra.length === 0) return user;
    return refuse(badRequest(`requested ${JSON.stringify({groups, uid})} without impersonating a user`));
  }
  for (const each of borrowed({name, groups, uid, extra})) {
    const access: Access = {
      verb: 'impersonate',
      group: each.group,
      version: 'v1',
      resource: each.resource,
      subresource: each.subresource ?? '',
      namespace: each.namespace ?? '',
      name: each.name,
      path: '',
    };
    const decision = authorize(user, access);
    if (!decision.allowed) return refuse(forbidden(each, each.name, refusalText(user.name, access, decision.reason)));
  }
  return remembered(user, [name, uid, ...groups, ...extra.flatMap(({key, values}) => [key, ...values])].join('\n'), () => {
    const allGroups = [...impliedGroups(name, groups), ...groups];
    return makeUser({
      name,
      uid,
      groups: withAuthenticated(name, allGroups),
      extra: Object.fromEntries(extra.map(({key, values}) => [key, values])),
    });
  });
}

function borrowed(wish: {
  name: string;
  groups: readonly string[];
  uid: string;
  extra: readonly {key: string; values: readonly string[]}[];
}): Borrowed[] {
  const account = splitServiceAccount(wish.name);
  const all: Borrowed[] = [
    account
      ? {group: '', resource: 'serviceaccounts', namespace: account.namespace, name: account.name}
      : {group: '', resource: 'users', name: wish.name},
    ...wish.groups.map(name => ({group: '', resource: 'groups', name})),
    ...wish.extra.flatMap(({key, values}) =>
      values.map(name => ({group: 'authentication.k8s.io', resource: 'userextras', subresource: key, name})),
    ),
  ];
  if (wish.uid !== '') all.push({group: 'authentication.k8s.io', resource: 'uids', name: wish.uid});
  return all;
}

function impliedGroups(name: string, groups: readonly string[]): readonly string[] {
  const account = splitServiceAccount(name);
  return account && groups.length === 0 ? serviceAccountGroups(account.namespace) : [];
}

function withAuthenticated(name: string, groups: readonly string[]): readonly string[] {
  if (name === 'system:anonymous')
    return groups.includes('system:unauthenticated') ? groups : [...groups, 'system:unauthenticated'];
  if (groups.includes('system:authenticated') || groups.includes('system:unauthenticated')) return groups;
  return [...groups, 'system:authenticated'];
}

function extraOf(headers: Headers): readonly {key: string; values: readonly string[]}[] {
  return Object.keys(headers)
    .filter(name => name.startsWith(EXTRA))
    .map(name => ({key: decodeURIComponent(name.slice(EXTRA.length)), values: valuesOf(headers[name])}));
}

function valuesOf(header: string | undefined): readonly string[] {
  if (header === undefined || header === '') return [];
  return header.split('\n').map(value => value.trim());
}

/** The same wish by the same user is the same user again, so that what RBAC remembers of him stays. */
function remembered(user: User, wish: string, make: () => User): User {
  const own = borrowers.get(user) ?? new Map<string, User>();
  borrowers.set(user, own);
  const known = own.get(wish);
  if (known) return known;
  const made = make();
  if (own.size > 200) own.clear();
  own.set(wish, made);
  return made;
}
