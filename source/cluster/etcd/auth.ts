// etcd's own users and roles: who there is, and what each change makes of that. Changes go through the log, so that all members know
// the same; the state is a frozen value. Whether a request is allowed is for access.ts to say.
//
// Not modelled: that tokens expire, and how passwords are hashed. A token is the user's name.
import type {AuthAnswer, AuthChange, AuthQuestion, Permission} from '../../api/wire/etcd-auth.ts';
import type {Refusal} from '../../api/wire/etcd.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import type {Context, Reply} from './context.ts';
import {refusals} from './refusals.ts';

export interface EtcdUser {
  readonly name: string;
  /** Undefined: it comes with a certificate, or not at all. */
  readonly password: string | undefined;
  readonly roles: readonly string[];
}

export interface EtcdRole {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** All of it. Each change makes a new revision. */
export interface AuthState {
  readonly enabled: boolean;
  readonly revision: number;
  readonly users: readonly EtcdUser[];
  readonly roles: readonly EtcdRole[];
}

/** As a cluster begins. */
export const NO_AUTH: AuthState = Object.freeze({enabled: false, revision: 1, users: [], roles: []});

export const ROOT = 'root';

/** The state after a change, or why the change is void. */
export function changeAuth(state: AuthState, change: AuthChange): AuthState | Refusal {
  switch (change.kind) {
    case 'auth-enable':
      return enable(state);
    case 'auth-disable':
      return state.enabled ? next(state, {enabled: false}) : state;
    case 'user-add':
    case 'user-delete':
    case 'user-passwd':
    case 'user-grant':
    case 'user-revoke':
      return changeUser(state, change);
    case 'role-add':
    case 'role-delete':
    case 'role-grant':
    case 'role-revoke':
      return changeRole(state, change);
  }
}

function next(state: AuthState, change: Partial<AuthState>): AuthState {
  return Object.freeze({...state, ...change, revision: state.revision + 1});
}

function enable(state: AuthState): AuthState | Refusal {
  if (state.enabled) return state;
  const root = state.users.find(({name}) => name === ROOT);
  if (!root) return refusals.rootUserMissing;
  return root.roles.includes(ROOT) ? Object.freeze({...state, enabled: true}) : refusals.rootRoleMissing;
}

type UserChange = Extract<AuthChange, {kind: `user-${string}`}>;
type RoleChange = Extract<AuthChange, {kind: `role-${string}`}>;

function changeUser(state: AuthState, change: UserChange): AuthState | Refusal {
  const {name} = change;
  const user = state.users.find(each => each.name === name);
  if (change.kind === 'user-add') {
    if (name === '') return refusals.userEmpty;
    if (user) return refusals.userExists;
    return next(state, {users: sorted([...state.users, {name, password: change.password, roles: []}])});
  }
  if (change.kind === 'user-delete' && state.enabled && name === ROOT) return refusals.invalidAuthManagement;
  if (!user) return refusals.userNotFound;
  const others = state.users.filter(each => each !== user);
  if (change.kind === 'user-delete') return next(state, {users: others});
  const changed = changedUser(state, user, change);
  return 'error' in changed ? changed : next(state, {users: sorted([...others, changed])});
}

function changedUser(
  state: AuthState,
  user: EtcdUser,
  change: Exclude<UserChange, {kind: 'user-add' | 'user-delete'}>,
): EtcdUser | Refusal {
  if (change.kind === 'user-passwd') return {...user, password: change.password};
  const {role} = change;
  if (change.kind === 'user-grant') {
    if (role !== ROOT && !state.roles.some(({name}) => name === role)) return refusals.roleNotFound;
    return {...user, roles: [...new Set([...user.roles, role])].toSorted(compareStrings)};
  }
  if (state.enabled && user.name === ROOT && role === ROOT) return refusals.invalidAuthManagement;
  if (!user.roles.includes(role)) return refusals.roleNotGranted;
  return {...user, roles: user.roles.filter(each => each !== role)};
}

function changeRole(state: AuthState, change: RoleChange): AuthState | Refusal {
  const {name} = change;
  const role = state.roles.find(each => each.name === name);
  if (change.kind === 'role-add') {
    if (name === '') return refusals.roleEmpty;
    return role ? refusals.roleExists : next(state, {roles: sorted([...state.roles, {name, permissions: []}])});
  }
  if (change.kind === 'role-delete' && state.enabled && name === ROOT) return refusals.invalidAuthManagement;
  if (!role) return refusals.roleNotFound;
  const others = state.roles.filter(each => each !== role);
  if (change.kind === 'role-delete')
    return next(state, {
      roles: others,
      users: state.users.map(user => ({...user, roles: user.roles.filter(each => each !== name)})),
    });
  const wanted = change.kind === 'role-grant' ? change.permission : change;
  const same = (each: Permission): boolean => each.key === wanted.key && (each.end ?? '') === (wanted.end ?? '');
  if (change.kind === 'role-revoke' && !role.permissions.some(same)) return refusals.permissionNotGranted;
  const kept = role.permissions.filter(each => !same(each));
  const permissions = change.kind === 'role-grant' ? [...kept, change.permission] : kept;
  const changed = {name, permissions: permissions.toSorted((a, b) => compareStrings(a.key, b.key))};
  return next(state, {roles: sorted([...others, changed])});
}

function sorted<T extends {readonly name: string}>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => compareStrings(a.name, b.name));
}

/** Answers what needs no place in the log. */
export function askAuth(context: Context, question: AuthQuestion, reply: Reply): void {
  const answer = answerOf(context.backend.auth, question);
  reply('error' in answer ? answer : ({header: context.header(), ...answer} satisfies AuthAnswer));
}

function answerOf({enabled, revision, users, roles}: AuthState, question: AuthQuestion): Omit<AuthAnswer, 'header'> | Refusal {
  switch (question.kind) {
    case 'auth-status':
      return {enabled, authRevision: revision};
    case 'authenticate': {
      if (!enabled) return refusals.authNotEnabled;
      const user = users.find(({name}) => name === question.name);
      return user?.password !== undefined && user.password === question.password ? {token: user.name} : refusals.authFailed;
    }
    case 'users':
      return {names: users.map(({name}) => name)};
    case 'roles':
      return {names: roles.map(({name}) => name)};
    case 'user-get': {
      const user = users.find(({name}) => name === question.name);
      return user ? {names: user.roles} : refusals.userNotFound;
    }
    case 'role-get': {
      const role = roles.find(({name}) => name === question.name);
      return role ? {permissions: role.permissions} : refusals.roleNotFound;
    }
  }
}
