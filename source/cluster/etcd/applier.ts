// Applies the log's commands to a member's state. Every member runs this on every entry and comes to the same answer; the one
// that proposed it hands the answer to its client.
import type {AuthChange} from '../../api/wire/etcd-auth.ts';
import type {Alarm, Header, Operation, Refusal, WatchedEvent} from '../../api/wire/etcd.ts';
import type {Backend} from './backend.ts';
import type {Command, Proposal} from './proposal.ts';
import {refusals} from './refusals.ts';
import {apply, type Bench} from './transaction.ts';
import {weigh} from './ledger.ts';
import {changeAuth} from './auth.ts';
import type {Writing} from './store.ts';

/** What applying tells the rest of the member. */
export interface Effects {
  readonly header: (revision: number) => Header;
  readonly changed: (event: WatchedEvent) => void;
  readonly leaseGranted: (id: number) => void;
  readonly leaseRevoked: (id: number) => void;
  readonly compacted: (revision: number) => void;
  /** The file of this member is full: it must tell the others. */
  readonly full: () => void;
}

/** Applies one command; the answer, or why it is void. */
export function applyProposal(backend: Backend, proposal: Proposal, effects: Effects): object {
  const {command} = proposal;
  switch (command.kind) {
    case 'put':
    case 'delete':
    case 'txn':
      return write(backend, proposal, command, effects);
    case 'compact':
      return compact(backend, command.revision, effects);
    case 'lease-grant':
      return grant(backend, command, effects);
    case 'lease-revoke':
      return revoke(backend, command.id, proposal, effects);
    case 'alarm':
      return alarm(backend, command, effects);
    case 'publish':
      backend.membership.publish(command.id, command.name, command.clientUrls);
      return {header: effects.header(backend.store.revision)};
    default:
      return auth(backend, command, effects);
  }
}

function auth(backend: Backend, change: AuthChange, effects: Effects): object {
  const changed = changeAuth(backend.auth, change);
  if ('error' in changed) return changed;
  backend.auth = changed;
  return {header: effects.header(backend.store.revision)};
}

function write(backend: Backend, proposal: Proposal, operation: Operation, effects: Effects): object {
  const {store, leases, ledger} = backend;
  if (backend.isFull && addsData(operation)) return refusals.noSpace;
  const fits = !ledger.isTight || ledger.fits(costOf(operation));
  const bench: Bench = {store, leases, header: effects.header};
  const writing = writingOf(backend, proposal);
  const answer = apply(bench, operation, writing);
  tell(writing, effects);
  if (fits || !addsData(operation)) return answer;
  effects.full();
  return refusals.noSpace;
}

function writingOf({store}: Backend, {cause, written}: Proposal): Writing {
  return {revision: store.revision + 1, cause, written, count: 0};
}

function tell(writing: Writing, effects: Effects): void {
  for (let i = 0; i < writing.count; i++) effects.changed(writing.written[i] as WatchedEvent);
}

/** Does it put anything? Deletions and reads are let through when the space is exhausted. */
export function addsData(operation: Operation): boolean {
  if (operation.kind === 'txn') return operation.success.some(addsData) || operation.failure.some(addsData);
  return operation.kind === 'put';
}

/** The bytes that a command would add, as the quota counts them. */
export function costOf(command: Command | Operation): number {
  switch (command.kind) {
    case 'put':
      return 512 + command.key.length + weigh(command.value);
    case 'txn':
      return Math.max(costOfAll(command.success), costOfAll(command.failure));
    case 'lease-grant':
      return 64;
    default:
      return 0;
  }
}

function costOfAll(operations: readonly Operation[]): number {
  let bytes = 0;
  for (const each of operations) if (each.kind === 'put' || each.kind === 'txn') bytes += costOf(each);
  return bytes;
}

function compact(backend: Backend, revision: number, effects: Effects): object {
  const refused = refuseCompaction(backend, revision);
  if (refused) return refused;
  backend.store.compact(revision);
  effects.compacted(revision);
  return {header: effects.header(backend.store.revision)};
}

function refuseCompaction({store}: Backend, revision: number): Refusal | undefined {
  if (revision > store.revision) return refusals.future;
  return revision <= store.compacted ? refusals.compacted : undefined;
}

function grant(backend: Backend, {id, ttlSeconds}: {id: number; ttlSeconds: number}, effects: Effects): object {
  if (backend.isFull) return refusals.noSpace;
  if (backend.leases.has(id)) return refusals.leaseExists;
  const lease = backend.leases.grant(id, ttlSeconds);
  effects.leaseGranted(id);
  return {header: effects.header(backend.store.revision), id, ttlSeconds: lease.ttlSeconds};
}

function revoke(backend: Backend, id: number, proposal: Proposal, effects: Effects): object {
  const {leases, store} = backend;
  const lease = leases.get(id);
  if (!lease) return refusals.leaseNotFound;
  const writing = writingOf(backend, proposal);
  // In order of the keys, so that all members make the same events in the same order.
  for (const key of [...lease.keys].sort()) store.delete(writing, key);
  leases.revoke(id);
  tell(writing, effects);
  effects.leaseRevoked(id);
  return {header: effects.header(store.revision), id, ttlSeconds: 0};
}

function alarm(backend: Backend, command: {action: 'raise' | 'disarm'; alarms: readonly Alarm[]}, effects: Effects): object {
  const isIn = (list: readonly Alarm[], {member, alarm}: Alarm) =>
    list.some(each => each.member === member && each.alarm === alarm);
  const touched =
    command.action === 'raise'
      ? command.alarms.filter(each => !isIn(backend.alarms, each))
      : command.alarms.filter(each => isIn(backend.alarms, each));
  backend.alarms =
    command.action === 'raise' ? [...backend.alarms, ...touched] : backend.alarms.filter(each => !isIn(command.alarms, each));
  return {header: effects.header(backend.store.revision), alarms: touched};
}
