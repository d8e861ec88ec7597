// What all roles of a member share: its term and vote, its log, what it knows of the others, its deadlines, and what it has
// to say. The roles (follower.ts, candidate.ts, leader.ts) are functions over this; raft.ts is the door for everybody else.
import type {Dice} from '../../sim/dice.ts';
import {changed, isMember, members} from './change.ts';
import {type Change, type Configuration, type Entry, type HardState, type Id, NOBODY, type Snapshot} from './entry.ts';
import {Log} from './log.ts';
import type {Message} from './message.ts';
import type {Progress} from './progress.ts';

/** What a member is at the moment. */
export type Role = 'follower' | 'pre-candidate' | 'candidate' | 'leader';

/** From `index` on, whoever asked under `context` may read. */
export interface ReadState {
  readonly index: number;
  readonly context: unknown;
}

/** Makes a member: fresh, or from what its disk has kept. */
export interface RaftConfig {
  readonly id: Id;
  readonly dice: Dice;
  readonly now: number;
  readonly electionMs?: number;
  readonly heartbeatMs?: number;
  /** How much of the first election timeout counts as passed: a member that starts need not wait for a whole one. */
  readonly elapsedMs?: number;
  readonly configuration: Configuration;
  readonly hardState?: HardState;
  /** Where the log begins, its entries, and how far they are applied already. */
  readonly start?: {readonly index: number; readonly term: number};
  readonly entries?: readonly Entry[];
  readonly applied?: number;
  /** The state as of what is applied: asked for when a follower needs it. */
  readonly snapshot?: () => Snapshot | undefined;
  /** What an operator reads in the log; `place` names the spot in upstream's source, which etcd prints. */
  readonly note?: (level: 'info' | 'warn', place: string, text: string) => void;
}

/** One waiting read: who asked, from which index on it may be answered, and who has confirmed the leader since. */
export interface PendingRead {
  readonly number: number;
  readonly index: number;
  readonly from: Id;
  readonly context: unknown;
  readonly confirmed: Set<Id>;
}

type Addressed = 'from' | 'term';
type Draft<M> = M extends Message ? Omit<M, Addressed> & {readonly term?: number} : never;

const NEVER = Infinity;

/** The state of a member. */
export class Core {
  readonly id: Id;
  readonly dice: Dice;
  readonly log: Log;
  readonly electionMs: number;
  readonly heartbeatMs: number;
  readonly snapshot: () => Snapshot | undefined;
  readonly #note: RaftConfig['note'];
  role: Role = 'follower';
  term: number;
  vote: Id;
  leader: Id = NOBODY;
  configuration: Configuration;
  now: number;
  /** Set when this member found that it had forgotten a promise, or that the leader wants the impossible: it must end. */
  fault: string | undefined;

  electionDeadline = NEVER;
  /** When this member last heard of its leader; what a lease is counted from. */
  heardAt: number;
  heartbeatDeadline = NEVER;
  quorumDeadline = NEVER;
  transferDeadline = NEVER;

  progress = new Map<Id, Progress>();
  votes = new Map<Id, boolean>();
  /** The newest change that may not be applied yet: no other is taken before it is. */
  changeIndex = 0;
  transferTarget: Id = NOBODY;
  pendingSnapshot: Snapshot | undefined;
  /** Reads whose majority is being asked, oldest first, and those that came before this term's first commit. */
  pendingReads: PendingRead[] = [];
  earlyReads: {from: Id; context: unknown}[] = [];
  readCount = 0;

  messages: Message[] = [];
  promises: Message[] = [];
  /** What it promised to itself: its own vote. */
  own: Message[] = [];
  reads: ReadState[] = [];

  constructor(config: RaftConfig) {
    this.id = config.id;
    this.dice = config.dice;
    this.now = config.now;
    this.electionMs = config.electionMs ?? 1000;
    this.heartbeatMs = config.heartbeatMs ?? 100;
    this.snapshot = config.snapshot ?? (() => undefined);
    this.#note = config.note;
    this.configuration = config.configuration;
    this.term = config.hardState?.term ?? 0;
    this.vote = config.hardState?.vote ?? NOBODY;
    const start = config.start ?? {index: 0, term: 0};
    this.log = new Log(start, config.entries ?? []);
    this.log.applied = Math.max(config.applied ?? 0, start.index);
    this.log.committed = Math.min(Math.max(config.hardState?.commit ?? 0, this.log.applied), this.log.last);
    this.heardAt = -Infinity;
    this.electionDeadline = this.now + Math.max(this.#electionTimeout() - (config.elapsedMs ?? 0), 0);
  }

  /** A voter of the current configuration with nothing pending may stand for election. */
  get promotable(): boolean {
    return this.configuration.voters.includes(this.id) && !this.pendingSnapshot;
  }

  /** Has it heard from a leader so lately that nobody else may become one? */
  get inLease(): boolean {
    if (this.role === 'leader') return true;
    return this.leader !== NOBODY && this.now < this.heardAt + this.electionMs;
  }

  note(place: string, text: string, level: 'info' | 'warn' = 'info'): void {
    this.#note?.(level, place, text);
  }

  /** Says something that promises nothing: it may go out at once. */
  send(message: Draft<Message>): void {
    this.messages.push({term: this.term, from: this.id, ...message} as Message);
  }

  /** Says something that holds only once all before it is on disk. */
  promise(message: Draft<Message>): void {
    const whole = {term: this.term, from: this.id, ...message} as Message;
    (whole.to === this.id ? this.own : this.promises).push(whole);
  }

  /** Begins to wait for a leader anew. */
  resetElection(): void {
    this.heardAt = this.now;
    this.electionDeadline = this.now + this.#electionTimeout();
  }

  becomeFollower(term: number, leader: Id): void {
    const changedTerm = term !== this.term;
    this.#leave(term);
    this.role = 'follower';
    this.leader = leader;
    this.resetElection();
    if (changedTerm || leader === NOBODY) this.note('raft.go:897', `${this.id} became follower at term ${term}`);
  }

  becomePreCandidate(): void {
    this.#quiet();
    this.role = 'pre-candidate';
    this.leader = NOBODY;
    this.resetElection();
    this.note('raft.go:930', `${this.id} became pre-candidate at term ${this.term}`);
  }

  becomeCandidate(): void {
    this.#leave(this.term + 1);
    this.role = 'candidate';
    this.vote = this.id;
    this.leader = NOBODY;
    this.resetElection();
    this.note('raft.go:912', `${this.id} became candidate at term ${this.term}`);
  }

  /** What every change of role or term lets go of. */
  #leave(term: number): void {
    if (term !== this.term) {
      this.term = term;
      this.vote = NOBODY;
    }
    this.#quiet();
    this.progress = new Map();
    this.changeIndex = 0;
    this.transferTarget = NOBODY;
    this.transferDeadline = NEVER;
    this.pendingReads = [];
    this.earlyReads = [];
  }

  #quiet(): void {
    this.votes = new Map();
    this.heartbeatDeadline = NEVER;
    this.quorumDeadline = NEVER;
  }

  #electionTimeout(): number {
    return this.electionMs + this.dice.below(this.electionMs);
  }

  /** Moves the commit mark; a mark beyond the log means that this member once had more than it has. */
  commitTo(index: number): void {
    if (index <= this.log.committed) return;
    if (index > this.log.last) {
      this.fault ??= `tocommit(${index}) is out of range [lastIndex(${this.log.last})]. Was the raft log corrupted, truncated, or lost?`;
      return;
    }
    this.log.committed = index;
  }

  /** All others. */
  get others(): readonly Id[] {
    return members(this.configuration).filter(id => id !== this.id);
  }

  /** Adopts the configuration after a change. */
  configure(change: Change): void {
    this.configuration = changed(this.configuration, change);
  }

  isMember(id: Id): boolean {
    return isMember(this.configuration, id);
  }
}
