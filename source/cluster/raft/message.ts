// What members say to each other. Every message carries its sender's term, but for two: a request for a pre-vote carries the
// term that would be, and what is forwarded to a leader (proposals, reads) carries none (0), as no claim goes with it.
import type {Entry, Id, Snapshot} from './entry.ts';

interface Addressed {
  readonly from: Id;
  readonly to: Id;
  readonly term: number;
}

/** "These follow what you have at `previousIndex`"; `commit` is the leader's. */
export interface Append extends Addressed {
  readonly type: 'append';
  readonly previousIndex: number;
  readonly previousTerm: number;
  readonly entries: readonly Entry[];
  readonly commit: number;
}

/** `index`: all up to here is on my disk; or, refused, which index did not fit, and where the logs may agree. */
export interface AppendResponse extends Addressed {
  readonly type: 'append-response';
  readonly index: number;
  readonly refused: boolean;
  readonly hintIndex: number;
  readonly hintTerm: number;
}

/** The leader lives; `read` names the newest read that waits for a majority's answer. */
export interface Heartbeat extends Addressed {
  readonly type: 'heartbeat';
  readonly commit: number;
  readonly read: number;
}

/** Answers a heartbeat. */
export interface HeartbeatResponse extends Addressed {
  readonly type: 'heartbeat-response';
  readonly read: number;
}

/** Asks for a vote; `transfer` when the leader itself wished it, which overrules its lease. */
export interface Vote extends Addressed {
  readonly type: 'vote' | 'pre-vote';
  readonly lastIndex: number;
  readonly lastTerm: number;
  readonly transfer: boolean;
}

/** Answers a request for a vote. */
export interface VoteResponse extends Addressed {
  readonly type: 'vote-response' | 'pre-vote-response';
  readonly granted: boolean;
}

/** The whole state, for a follower whose next entry is no longer in the leader's log. */
export interface InstallSnapshot extends Addressed {
  readonly type: 'snapshot';
  readonly snapshot: Snapshot;
}

/** "Stand for election now": a leader hands over. */
export interface TimeoutNow extends Addressed {
  readonly type: 'timeout-now';
}

/** A follower hands proposals on to its leader. */
export interface Forward extends Addressed {
  readonly type: 'forward';
  readonly proposals: readonly {readonly kind: 'data' | 'change'; readonly data: unknown}[];
}

/** A follower asks from which index on it may read. */
export interface ReadIndex extends Addressed {
  readonly type: 'read-index';
  readonly context: unknown;
}

/** The answer: whoever has applied `index` reads what is true. */
export interface ReadIndexResponse extends Addressed {
  readonly type: 'read-index-response';
  readonly index: number;
  readonly context: unknown;
}

/** A follower asks its leader to hand over to `target`. */
export interface Transfer extends Addressed {
  readonly type: 'transfer';
  readonly target: Id;
}

/** Upstream's names, which etcd prints. */
export const MESSAGE_NAMES: {readonly [T in Message['type']]: string} = {
  append: 'MsgApp',
  'append-response': 'MsgAppResp',
  heartbeat: 'MsgHeartbeat',
  'heartbeat-response': 'MsgHeartbeatResp',
  vote: 'MsgVote',
  'pre-vote': 'MsgPreVote',
  'vote-response': 'MsgVoteResp',
  'pre-vote-response': 'MsgPreVoteResp',
  snapshot: 'MsgSnap',
  'timeout-now': 'MsgTimeoutNow',
  forward: 'MsgProp',
  'read-index': 'MsgReadIndex',
  'read-index-response': 'MsgReadIndexResp',
  transfer: 'MsgTransferLeader',
};

/** All that members say. */
export type Message =
  | Append
  | AppendResponse
  | Heartbeat
  | HeartbeatResponse
  | Vote
  | VoteResponse
  | InstallSnapshot
  | TimeoutNow
  | Forward
  | ReadIndex
  | ReadIndexResponse
  | Transfer;
