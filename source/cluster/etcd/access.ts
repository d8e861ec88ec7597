// May this client do that? Asked only while etcd's own authentication is on. Who it is a token says, or else the name of its
// certificate; root may do everything, others what the permissions of their roles cover, and the cluster is root's alone to change.
import type {Permission} from '../../api/wire/etcd-auth.ts';
import type {Compare, Operation, Refusal, Request} from '../../api/wire/etcd.ts';
import {FROM_KEY} from './key-index.ts';
import {ROOT, type AuthState, type EtcdUser} from './auth.ts';
import type {Backend} from './backend.ts';
import {refusals} from './refusals.ts';

/** Who asks. */
export interface Caller {
  readonly token: string | undefined;
  readonly commonName: string | undefined;
}

type Need = 'read' | 'write';

/** What only root may ask, besides changes of users and roles. */
const ROOTS: ReadonlySet<string> = new Set([
  'auth-status',
  'users',
  'roles',
  'member-add',
  'member-remove',
  'member-update',
  'member-promote',
  'move-leader',
  'defragment',
  'hash',
  'snapshot',
]);

/** The refusal of a request that its client may not make. */
export function forbids({auth, leases}: Backend, caller: Caller, request: Request): Refusal | undefined {
  const {kind} = request;
  if (kind === 'authenticate') return undefined;
  const {token, commonName} = caller;
  const user = auth.users.find(({name}) => name === (token ?? commonName));
  if (token !== undefined && !user) return refusals.invalidToken;
  const isKept = ROOTS.has(kind) || /^(auth|user|role)-/.test(kind);
  const keys = isKept ? [] : keysOf(request, id => leases.get(id)?.keys ?? []);
  if (!isKept && keys.length === 0) return undefined;
  if ((token ?? commonName ?? '') === '') return refusals.userEmpty;
  if (!user) return refusals.permissionDenied;
  if (user.roles.includes(ROOT)) return undefined;
  if (kind === 'user-get' && request.name === user.name) return undefined;
  if (kind === 'role-get' && user.roles.includes(request.name)) return undefined;
  return !isKept && keys.every(each => covers(auth, user, each)) ? undefined : refusals.permissionDenied;
}

interface Wanted {
  readonly need: Need;
  readonly key: string;
  readonly end: string | undefined;
}

/** The keys that a request touches, and how. */
function keysOf(request: Request, keysOfLease: (id: number) => Iterable<string>): Wanted[] {
  switch (request.kind) {
    case 'range':
    case 'watch':
      return [{need: 'read', key: request.key, end: request.end}];
    case 'put':
    case 'delete':
    case 'txn':
      return keysOfOperation(request);
    case 'lease-revoke':
      return [...keysOfLease(request.id)].map(key => ({need: 'write', key, end: undefined}));
    case 'lease-time-to-live':
      return request.keys ? [...keysOfLease(request.id)].map(key => ({need: 'read', key, end: undefined})) : [];
    default:
      return [];
  }
}

function keysOfOperation(operation: Operation): Wanted[] {
  if (operation.kind === 'txn') {
    const read = ({key}: Compare): Wanted => ({need: 'read', key, end: undefined});
    return [...operation.compare.map(read), ...[...operation.success, ...operation.failure].flatMap(keysOfOperation)];
  }
  const {key} = operation;
  const end = operation.kind === 'put' ? undefined : operation.end;
  if (operation.kind === 'range') return [{need: 'read', key, end}];
  return [{need: 'write', key, end}, ...(operation.previous ? [{need: 'read', key, end} as const] : [])];
}

/** Do the permissions of a user's roles, laid together, cover the keys? */
function covers({roles}: AuthState, user: EtcdUser, {need, key, end}: Wanted): boolean {
  const ranges = roles
    .filter(({name}) => user.roles.includes(name))
    .flatMap(({permissions}) => permissions)
    .filter(({type}) => type === need || type === 'readwrite')
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  if (end === undefined) return ranges.some(range => holds(range, key));
  let reached = key;
  for (const range of ranges) {
    if (range.end === undefined || range.key > reached) continue;
    if (range.end === FROM_KEY) return true;
    if (range.end > reached) reached = range.end;
    if (end !== FROM_KEY && reached >= end) return true;
  }
  return false;
}

function holds({key, end}: Permission, wanted: string): boolean {
  if (end === undefined) return key === wanted;
  return wanted >= key && (end === FROM_KEY || wanted < end);
}
