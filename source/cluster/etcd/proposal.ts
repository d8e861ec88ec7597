// What members agree on: the commands that the log carries.
import type {AuthChange} from '../../api/wire/etcd-auth.ts';
import type {Alarm, DeleteRequest, PutRequest, TransactionRequest, WatchedEvent} from '../../api/wire/etcd.ts';
import type {Id} from '../raft/entry.ts';

/** What an entry of the log does to every member's state. */
export type Command =
  | PutRequest
  | DeleteRequest
  | TransactionRequest
  | {readonly kind: 'compact'; readonly revision: number}
  | {readonly kind: 'lease-grant'; readonly id: number; readonly ttlSeconds: number}
  | {readonly kind: 'lease-revoke'; readonly id: number}
  | {readonly kind: 'alarm'; readonly action: 'raise' | 'disarm'; readonly alarms: readonly Alarm[]}
  | AuthChange
  | {readonly kind: 'publish'; readonly id: Id; readonly name: string; readonly clientUrls: readonly string[]};

/** One command on its way. The object itself is what its proposer knows it by when it comes back as an entry. */
export interface Proposal {
  readonly command: Command;
  /** The trace entry of the request. */
  readonly cause: number;
  /** The events that the first member made of it, for the others to share. */
  readonly written: WatchedEvent[];
}

/** A proposal of a command. */
export function proposalOf(command: Command, cause: number): Proposal {
  return {command, cause, written: []};
}
