// The values that raft keeps: what a log holds, what must survive a crash, and what a whole state is called when it is sent
// instead of the log that made it.

/** A member's name; in etcd's room the hexadecimal id. The empty string means nobody. */
export type Id = string;

/** Nobody: no leader known, no vote given. */
export const NOBODY: Id = '';

/** One step of a membership change. `add-voter` for a learner makes it a voter. */
export interface Change {
  readonly type: 'add-voter' | 'add-learner' | 'remove' | 'update';
  readonly id: Id;
  /** What the application wants to know of it (addresses, names). */
  readonly context?: unknown;
}

/** One place of the log. A `change` carries a `Change`, `empty` is what a new leader begins its term with. */
export interface Entry {
  readonly index: number;
  readonly term: number;
  readonly kind: 'data' | 'change' | 'empty';
  readonly data: unknown;
}

/** What a member must remember of itself before it answers anybody. */
export interface HardState {
  readonly term: number;
  readonly vote: Id;
  readonly commit: number;
}

/** Who takes part: voters decide, learners only listen. */
export interface Configuration {
  readonly voters: readonly Id[];
  readonly learners: readonly Id[];
}

/** A whole state as of an index, for one who is too far behind for the log. */
export interface Snapshot {
  readonly index: number;
  readonly term: number;
  readonly configuration: Configuration;
  readonly state: unknown;
}
