// What clients ask on port 2379, one handler a kind. What writes is proposed; what reads waits for the leader's word unless
// it was asked to be served from what this member has (`serializable`).
import type {
  HashAnswer,
  LeasesAnswer,
  LeaseTimeToLiveAnswer,
  Operation,
  RangeRequest,
  Request,
  Signed,
  SnapshotAnswer,
  TransactionRequest,
} from '../../api/wire/etcd.ts';
import {certificateOf} from '../../api/wire/tls.ts';
import type {AuthChange} from '../../api/wire/etcd-auth.ts';
import type {Call} from '../../sim/network.ts';
import {forbids, type Caller} from './access.ts';
import {askAuth} from './auth.ts';
import {costOf} from './applier.ts';
import {NOBODY} from '../raft/entry.ts';
import {askLeader} from './ask-leader.ts';
import type {Context, Reply} from './context.ts';
import {hashOf} from './hash.ts';
import {health, status} from './health.ts';
import {MAX_TTL_SECONDS} from './leases.ts';
import {addMember, listMembers, moveLeader, promoteMember, removeMember, updateMember} from './member-requests.ts';
import {defragment, disarm} from './maintenance.ts';
import {STORAGE_VERSION} from './options.ts';
import {refusals} from './refusals.ts';
import {sealed} from './snapshot.ts';
import {apply, type Bench, isReadOnly, range, refuseAtOnce} from './transaction.ts';
import {watch} from './watch-requests.ts';

type Handler<K extends Request['kind']> = (context: Context, request: Extract<Request, {kind: K}>, reply: Reply) => void;

const handlers: {readonly [K in Exclude<Request['kind'], 'watch'>]: Handler<K>} = {
  range: rangeRequest,
  put: operate,
  delete: operate,
  txn: operate,
  compact: (context, {revision}, reply) => context.propose({kind: 'compact', revision}, reply),
  'lease-grant': grantLease,
  'lease-revoke': (context, {id}, reply) => context.propose({kind: 'lease-revoke', id}, reply),
  'lease-keep-alive': (context, {id}, reply) => renewLease(context, id, reply),
  'lease-time-to-live': (context, {id, keys}, reply) => timeToLive(context, {id, keys: keys === true}, reply),
  leases: (context, _, reply) =>
    reply({header: context.header(), ids: context.backend.leases.all.map(({id}) => id)} satisfies LeasesAnswer),
  members: listMembers,
  'member-add': addMember,
  'member-remove': removeMember,
  'member-update': updateMember,
  'member-promote': promoteMember,
  'move-leader': moveLeader,
  status: (context, _, reply) => reply(status(context)),
  health: (context, _, reply) => health(context, reply),
  alarm: disarm,
  defragment,
  hash: hashRequest,
  snapshot: snapshotRequest,
  'auth-status': askAuth,
  authenticate: askAuth,
  users: askAuth,
  'user-get': askAuth,
  roles: askAuth,
  'role-get': askAuth,
  'auth-enable': proposeAuth,
  'auth-disable': proposeAuth,
  'user-add': proposeAuth,
  'user-delete': proposeAuth,
  'user-passwd': proposeAuth,
  'user-grant': proposeAuth,
  'user-revoke': proposeAuth,
  'role-add': proposeAuth,
  'role-delete': proposeAuth,
  'role-grant': proposeAuth,
  'role-revoke': proposeAuth,
};

function proposeAuth(context: Context, change: AuthChange, reply: Reply): void {
  context.propose(change, reply);
}

/** Serves one call of a client. */
export function serve(context: Context, call: Call): void {
  const request = call.request as Request;
  const {clock} = context.daemon;
  const {cause} = clock;
  const reply: Reply = answer => {
    clock.cause = cause;
    call.answer(answer);
  };
  if (isLearner(context) && !isForLearner(request)) return reply(refusals.notForLearner);
  const refused = context.backend.auth.enabled ? forbids(context.backend, callerOf(call), request) : undefined;
  if (refused) return reply(refused);
  if (request.kind === 'watch') return watch(context, request, call);
  // A proposal that waits for a leader ends with the patience of its client: nothing comes of it later.
  if (context.node.raft.leader === NOBODY) call.onCancel(() => context.proposals.abandon(reply));
  handle(context, request, reply);
}

function callerOf(call: Call): Caller {
  return {token: (call.request as Signed).token, commonName: certificateOf(call)?.commonName};
}

function handle<K extends Exclude<Request['kind'], 'watch'>>(
  context: Context,
  request: Extract<Request, {kind: K}>,
  reply: Reply,
): void {
  const {kind} = request as Request;
  const handler = handlers[kind as K] as Handler<K> | undefined;
  if (handler) handler(context, request, reply);
  else reply({error: {code: 'Unknown', message: `unknown method ${kind}`}});
}

/** Is this member one that only listens? */
export function isLearner({backend, id}: Context): boolean {
  return backend.membership.get(id)?.learner === true;
}

function isForLearner(request: Request): boolean {
  if (request.kind === 'range') return request.serializable === true;
  return request.kind === 'status' || request.kind === 'snapshot' || request.kind === 'health';
}

function benchOf(context: Context): Bench {
  const {store, leases} = context.backend;
  return {store, leases, header: revision => context.header(revision)};
}

function rangeRequest(context: Context, request: RangeRequest, reply: Reply): void {
  const refused = refuseAtOnce(request);
  if (refused) return reply(refused);
  if (request.serializable) return reply(range(benchOf(context), request));
  context.reads.add(late => reply(late ?? range(benchOf(context), request)));
}

function operate(context: Context, request: Operation, reply: Reply): void {
  const refused = refuseAtOnce(request);
  if (refused) return reply(refused);
  if (request.kind === 'txn' && isReadOnly(request)) return readOnly(context, request, reply);
  const {ledger} = context.backend;
  const cost = ledger.isTight ? costOf(request) : 0;
  if (cost > 0 && !ledger.fits(cost)) {
    context.raiseNoSpace();
    return reply(refusals.noSpace);
  }
  context.propose(request as Extract<Operation, {kind: 'put' | 'delete' | 'txn'}>, reply);
}

function readOnly(context: Context, request: TransactionRequest, reply: Reply): void {
  context.reads.add(refused => {
    if (refused) return reply(refused);
    const {store} = context.backend;
    reply(apply(benchOf(context), request, {revision: store.revision + 1, cause: 0, written: [], count: 0}));
  });
}

// Ids are 63 bits in etcd. A number holds 53 of them exactly: the last ten are zero here.
function grantLease(context: Context, request: {ttlSeconds: number; id?: number}, reply: Reply): void {
  const {ttlSeconds} = request;
  if (ttlSeconds > MAX_TTL_SECONDS) return reply(refusals.leaseTtlTooLarge);
  const {dice} = context.daemon;
  const id = request.id || (2 ** 52 + dice.below(2 ** 20) * 2 ** 32 + dice.next()) * 1024;
  context.propose({kind: 'lease-grant', id, ttlSeconds}, reply);
}

function renewLease(context: Context, id: number, reply: Reply): void {
  askLeader(
    context,
    {kind: 'lease-renew', id},
    {
      here: () => ({ttlSeconds: context.leaseClock.renew(id) ?? 0}),
      done: answer => {
        const {ttlSeconds} = answer as {ttlSeconds: number};
        reply(ttlSeconds === 0 ? refusals.leaseNotFound : {header: context.header(), id, ttlSeconds});
      },
      reply,
    },
  );
}

function timeToLive(context: Context, {id, keys}: {id: number; keys: boolean}, reply: Reply): void {
  askLeader(
    context,
    {kind: 'lease-time-to-live', id},
    {
      here: () => ({left: context.leaseClock.left(id) ?? -1}),
      done: answer => {
        const {left} = answer as {left: number};
        const lease = context.backend.leases.get(id);
        reply({
          header: context.header(),
          id,
          ttlSeconds: lease ? left : -1,
          grantedSeconds: lease?.ttlSeconds ?? 0,
          keys: keys ? [...(lease?.keys ?? [])].sort() : [],
        } satisfies LeaseTimeToLiveAnswer);
      },
      reply,
    },
  );
}

function hashRequest(context: Context, {revision}: {revision?: number}, reply: Reply): void {
  const {store} = context.backend;
  if (revision && revision > store.revision) return reply(refusals.future);
  if (revision && revision < store.compacted) return reply(refusals.compacted);
  const hashRevision = revision || store.revision;
  reply({
    header: context.header(),
    hash: hashOf(store, hashRevision),
    hashRevision,
    compactRevision: store.compacted || -1,
  } satisfies HashAnswer);
}

function snapshotRequest(context: Context, _: unknown, reply: Reply): void {
  const snapshot = sealed(context.backend.image());
  reply({header: context.header(), version: STORAGE_VERSION, snapshot} satisfies SnapshotAnswer);
}
