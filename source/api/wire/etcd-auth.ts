// What is said to etcd about its own users and roles.
import type {Header} from './etcd.ts';

/** Keys from `key` up to `end` (absent: that key alone; `\0`: all from there on) that may be read, written or both. */
export interface Permission {
  readonly type: 'read' | 'write' | 'readwrite';
  readonly key: string;
  readonly end?: string;
}

export type AuthChange =
  | {readonly kind: 'auth-enable'}
  | {readonly kind: 'auth-disable'}
  | {readonly kind: 'user-add'; readonly name: string; readonly password?: string}
  | {readonly kind: 'user-delete'; readonly name: string}
  | {readonly kind: 'user-passwd'; readonly name: string; readonly password: string}
  | {readonly kind: 'user-grant'; readonly name: string; readonly role: string}
  | {readonly kind: 'user-revoke'; readonly name: string; readonly role: string}
  | {readonly kind: 'role-add'; readonly name: string}
  | {readonly kind: 'role-delete'; readonly name: string}
  | {readonly kind: 'role-grant'; readonly name: string; readonly permission: Permission}
  | {readonly kind: 'role-revoke'; readonly name: string; readonly key: string; readonly end?: string};

export type AuthQuestion =
  | {readonly kind: 'auth-status'}
  | {readonly kind: 'authenticate'; readonly name: string; readonly password: string}
  | {readonly kind: 'users'}
  | {readonly kind: 'user-get'; readonly name: string}
  | {readonly kind: 'roles'}
  | {readonly kind: 'role-get'; readonly name: string};

/** Answers all of them; what was not asked for is absent. */
export interface AuthAnswer {
  readonly header: Header;
  readonly enabled?: boolean;
  readonly authRevision?: number;
  readonly token?: string;
  /** Users, or roles, or the roles of a user. */
  readonly names?: readonly string[];
  readonly permissions?: readonly Permission[];
}
