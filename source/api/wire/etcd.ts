// What the API server and etcdctl say to an etcd member, after etcd's v3 API. A request is dialled to port 2379 of a member
// and answered once; `watch` is answered and then sends frames. Members speak to each other on port 2380 in raft's own terms.
//
// Values are frozen objects, shared by all who read them. They carry no resourceVersion: that is the key's mod revision.
import type {AuthChange, AuthQuestion} from './etcd-auth.ts';

/** One key and its value at some revision. */
export interface KeyValue {
  readonly key: string;
  readonly value: unknown;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  /** 0 for none. */
  readonly lease: number;
}

/** Keys from `key` up to, not including, `end` (absent: that key alone), in order of the keys. */
export interface RangeRequest {
  readonly kind: 'range';
  readonly key: string;
  readonly end?: string;
  readonly limit?: number;
  /** Absent or 0: the newest. */
  readonly revision?: number;
  readonly serializable?: boolean;
  readonly countOnly?: boolean;
  readonly keysOnly?: boolean;
  readonly order?: {readonly by: 'key' | 'create' | 'mod' | 'version' | 'value'; readonly descending: boolean};
}

export interface PutRequest {
  readonly kind: 'put';
  readonly key: string;
  readonly value: unknown;
  readonly lease?: number;
  readonly previous?: boolean;
  /** Keeps the value, or the lease, that the key has; refused where there is no such key. */
  readonly ignoreValue?: boolean;
  readonly ignoreLease?: boolean;
}

export interface DeleteRequest {
  readonly kind: 'delete';
  readonly key: string;
  readonly end?: string;
  readonly previous?: boolean;
}

export interface Compare {
  readonly key: string;
  readonly target: 'version' | 'create' | 'mod' | 'value' | 'lease';
  readonly is: '=' | '!=' | '<' | '>';
  readonly value: unknown;
}

export type Operation = RangeRequest | PutRequest | DeleteRequest | TransactionRequest;

/** All of `success` when every comparison holds, else all of `failure`: one revision. */
export interface TransactionRequest {
  readonly kind: 'txn';
  readonly compare: readonly Compare[];
  readonly success: readonly Operation[];
  readonly failure: readonly Operation[];
}

export type Request =
  | Operation
  | {readonly kind: 'compact'; readonly revision: number; readonly physical?: boolean}
  | {readonly kind: 'lease-grant'; readonly ttlSeconds: number; readonly id?: number}
  | {readonly kind: 'lease-revoke'; readonly id: number}
  | {readonly kind: 'lease-keep-alive'; readonly id: number}
  | {readonly kind: 'lease-time-to-live'; readonly id: number; readonly keys?: boolean}
  | {readonly kind: 'leases'}
  | WatchRequest
  | {readonly kind: 'members'; readonly linearizable?: boolean}
  | {readonly kind: 'member-add'; readonly peerUrls: readonly string[]; readonly learner?: boolean}
  | {readonly kind: 'member-remove'; readonly id: string}
  | {readonly kind: 'member-update'; readonly id: string; readonly peerUrls: readonly string[]}
  | {readonly kind: 'member-promote'; readonly id: string}
  | {readonly kind: 'move-leader'; readonly id: string}
  | {readonly kind: 'status'}
  | {readonly kind: 'health'}
  | {readonly kind: 'alarm'; readonly action: 'list' | 'disarm'}
  | {readonly kind: 'defragment'}
  | {readonly kind: 'hash'; readonly revision?: number}
  | {readonly kind: 'snapshot'}
  | AuthChange
  | AuthQuestion;

/** A request of somebody who has shown a password goes with the token that this brought. */
export type Signed = Request & {readonly token?: string};

/** Events of keys in a range from `from` on (absent: from now), as frames `WatchFrame`. */
export interface WatchRequest {
  readonly kind: 'watch';
  readonly key: string;
  readonly end?: string;
  readonly from?: number;
  readonly previous?: boolean;
  /** Sends an empty frame with the revision every now and then. */
  readonly progress?: boolean;
  /** Refuses the watch while there is no leader, and ends it when there has been none for three seconds. */
  readonly requireLeader?: boolean;
}

export interface WatchedEvent {
  readonly type: 'put' | 'delete';
  readonly current: KeyValue;
  readonly previous?: KeyValue;
  /** The trace entry of the request that wrote it. */
  readonly cause: number;
}

export interface WatchFrame {
  readonly revision: number;
  readonly events: readonly WatchedEvent[];
  /** The watch ended because its revision is compacted; this is the oldest that can be had. */
  readonly compactRevision?: number;
  /** The watch ended for this reason. */
  readonly error?: Refusal['error'];
}

export interface Header {
  readonly clusterId: string;
  readonly memberId: string;
  readonly revision: number;
  readonly term: number;
}

export interface RangeAnswer {
  readonly header: Header;
  readonly kvs: readonly KeyValue[];
  readonly count: number;
  readonly more: boolean;
}

export interface PutAnswer {
  readonly header: Header;
  readonly previous?: KeyValue;
}

export interface DeleteAnswer {
  readonly header: Header;
  readonly deleted: number;
  readonly previous: readonly KeyValue[];
}

export type OperationAnswer = RangeAnswer | PutAnswer | DeleteAnswer | TransactionAnswer;

export interface TransactionAnswer {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly answers: readonly OperationAnswer[];
}

/** Every request is answered with this or with its own answer; `message` is etcd's own text. */
export interface Refusal {
  readonly error: {readonly code: RefusalCode; readonly message: string};
}

/** gRPC's codes, as far as etcd uses them. */
export type RefusalCode =
  | 'Unavailable'
  | 'OutOfRange'
  | 'NotFound'
  | 'FailedPrecondition'
  | 'InvalidArgument'
  | 'ResourceExhausted'
  | 'DeadlineExceeded'
  | 'PermissionDenied'
  | 'Unauthenticated'
  | 'Unknown';

/** Answers `compact`, `move-leader` and `defragment`. */
export interface PlainAnswer {
  readonly header: Header;
}

/** Answers `lease-grant`, `lease-revoke` and `lease-keep-alive`; `ttlSeconds` is 0 for a lease that is gone. */
export interface LeaseAnswer {
  readonly header: Header;
  readonly id: number;
  readonly ttlSeconds: number;
}

/** Answers `lease-time-to-live`: what is left (-1 for a lease that is gone) and what was granted. */
export interface LeaseTimeToLiveAnswer {
  readonly header: Header;
  readonly id: number;
  readonly ttlSeconds: number;
  readonly grantedSeconds: number;
  readonly keys: readonly string[];
}

export interface LeasesAnswer {
  readonly header: Header;
  readonly ids: readonly number[];
}

/** One member as the cluster lists it. An id is hexadecimal without leading zeros. */
export interface MemberInfo {
  readonly id: string;
  /** Empty until the member has started. */
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly learner: boolean;
}

/** Answers `members` and the changes; `member` is the one that was added, updated or promoted. */
export interface MembersAnswer {
  readonly header: Header;
  readonly members: readonly MemberInfo[];
  readonly member?: MemberInfo;
}

export interface StatusAnswer {
  readonly header: Header;
  readonly version: string;
  readonly storageVersion: string;
  readonly dbSizeBytes: number;
  readonly inUseBytes: number;
  readonly quotaBytes: number;
  /** Empty while there is none. */
  readonly leader: string;
  readonly raftIndex: number;
  readonly raftAppliedIndex: number;
  readonly learner: boolean;
  readonly errors: readonly string[];
}

/** What `/health` says: `reason` is empty when it is healthy. */
export interface HealthAnswer {
  readonly health: boolean;
  readonly reason: string;
}

export interface Alarm {
  readonly member: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

export interface AlarmAnswer {
  readonly header: Header;
  readonly alarms: readonly Alarm[];
}

export interface HashAnswer {
  readonly header: Header;
  readonly hash: number;
  readonly hashRevision: number;
  readonly compactRevision: number;
}

/** `snapshot` is opaque: etcdutl and a member know its form. */
export interface SnapshotAnswer {
  readonly header: Header;
  readonly version: string;
  readonly snapshot: unknown;
}

/** What `end` prefix to range over for all keys that begin with `prefix`. */
export function endOfPrefix(prefix: string): string {
  return `${prefix.slice(0, -1)}${String.fromCodePoint((prefix.codePointAt(prefix.length - 1) ?? 0) + 1)}`;
}
