// etcd's own users, as far as they are there while its authentication is off, as it is in every cluster of kubeadm: they can be
// made, listed and deleted, and that is all. Switching authentication on is refused for want of a root user; with one it would be
// refused too, since what it switches on is not modelled.
import type {UsersAnswer} from '../../api/wire/etcd.ts';
import type {Backend} from './backend.ts';
import type {Context, Reply} from './context.ts';
import {refusals} from './refusals.ts';

/** Answers what is about users and needs no place in the log. */
export function askUsers(
  context: Context,
  request: {readonly kind: 'auth-status' | 'auth-enable' | 'authenticate' | 'users' | 'user-get'; readonly name?: string},
  reply: Reply,
): void {
  const {users} = context.backend;
  if (request.kind === 'auth-enable') return reply(refusals.rootUserMissing);
  if (request.kind === 'authenticate') return reply(refusals.authNotEnabled);
  if (request.kind === 'user-get' && !users.includes(request.name ?? '')) return reply(refusals.userNotFound);
  reply({header: context.header(), users} satisfies UsersAnswer);
}

/** Applies a change of the users; the refusal when it is void. */
export function changeUsers(backend: Backend, kind: 'user-add' | 'user-delete', name: string): object | undefined {
  const {users} = backend;
  if (name === '') return refusals.userEmpty;
  const known = users.includes(name);
  if (kind === 'user-add' && known) return refusals.userExists;
  if (kind === 'user-delete' && !known) return refusals.userNotFound;
  backend.users = kind === 'user-add' ? [...users, name].sort() : users.filter(each => each !== name);
  return undefined;
}
