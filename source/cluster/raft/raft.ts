// Raft, as one member of it: a machine without a clock, a disk or a network. Its owner hands in messages, proposals and the
// time, and takes out what is to be done:
//
//     raft.step(message, now)          raft.propose('data', value, now)         raft.elapse(now)   when `deadline` has come
//                         \                      |                             /
//                          const ready = raft.takeReady()
//       1. send ready.messages            2. write ready.snapshot, entries and hardState to the disk, and sync
//       3. send ready.promises            4. apply ready.committed, serve ready.reads      5. raft.advance(ready, now)
//
// Modelled: election with pre-vote, check of the quorum and the lease it gives, replication with probe, replicate and
// snapshot, snapshots to those too far behind, membership changes in single steps with learners, reads by index, leader
// transfer. Not modelled: joint consensus, and entries that are applied before they are on the own disk.
// Timers are deadlines: `deadline` says when `elapse` must be called next; between them an idle member does nothing.
//
// What holds whatever the network does (safety.test.ts): at most one leader a term; a leader never rewrites its log; equal
// index and term means equal logs up to there; a leader has all that was committed; all apply the same at the same index.
import {checkQuorum, commit, broadcast, handOver, propose, reachedOwn, stepLeader, trackMembers} from './leader.ts';
import {castVote, standForElection, stepCandidate} from './candidate.ts';
import {Core, type RaftConfig, type ReadState, type Role} from './core.ts';
import {type Change, type Configuration, type Entry, type HardState, type Id, NOBODY, type Snapshot} from './entry.ts';
import {beat} from './heartbeat.ts';
import {stepFollower} from './follower.ts';
import {type Message, MESSAGE_NAMES, type Vote} from './message.ts';
import {askMajority} from './reads.ts';

/** What is to be done now, in the order of the head comment. */
export interface Ready {
  readonly messages: readonly Message[];
  readonly snapshot: Snapshot | undefined;
  readonly entries: readonly Entry[];
  /** Absent when it did not change. */
  readonly hardState: HardState | undefined;
  /** Must the disk be synced before the promises go out? A moved commit mark alone need not. */
  readonly sync: boolean;
  readonly promises: readonly Message[];
  readonly committed: readonly Entry[];
  readonly reads: readonly ReadState[];
}

/** One member. */
export class Raft {
  readonly #core: Core;
  #hardState: HardState;
  #taken = false;
  #own: readonly Message[] = [];

  constructor(config: RaftConfig) {
    this.#core = new Core(config);
    const {term, vote, log} = this.#core;
    this.#hardState = config.hardState ?? {term, vote, commit: config.start ? log.committed : 0};
  }

  get id(): Id {
    return this.#core.id;
  }

  get role(): Role {
    return this.#core.role;
  }

  get term(): number {
    return this.#core.term;
  }

  /** The leader of this term as far as this member knows; NOBODY when it knows none. */
  get leader(): Id {
    return this.#core.leader;
  }

  get configuration(): Configuration {
    return this.#core.configuration;
  }

  get committed(): number {
    return this.#core.log.committed;
  }

  get lastIndex(): number {
    return this.#core.log.last;
  }

  /** Leads, alone, and has committed in its term: what it has applied of its commits is what is true, no word is needed. */
  get isSovereign(): boolean {
    const {role, configuration, log, id, term} = this.#core;
    if (role !== 'leader' || configuration.voters.length !== 1 || configuration.voters[0] !== id) return false;
    return log.termAt(log.committed) === term;
  }

  /** The term at an index of the log; undefined where it is compacted or not there yet. */
  termAt(index: number): number | undefined {
    return this.#core.log.termAt(index);
  }

  /** What this member cannot go on with, in upstream's words; its owner must end it. */
  get fault(): string | undefined {
    return this.#core.fault;
  }

  /** Leader only: how far a member is, undefined for strangers and for who does not lead. */
  matchOf(id: Id): number | undefined {
    if (this.#core.role !== 'leader') return undefined;
    return id === this.#core.id ? this.#core.log.stable : this.#core.progress.get(id)?.match;
  }

  /** To whom the leadership is being handed; NOBODY when it is not. */
  get transferTarget(): Id {
    return this.#core.transferTarget;
  }

  /** When `elapse` is to be called next. */
  get deadline(): number {
    const {role, electionDeadline, heartbeatDeadline, quorumDeadline, transferDeadline} = this.#core;
    return role === 'leader' ? Math.min(heartbeatDeadline, quorumDeadline, transferDeadline) : electionDeadline;
  }

  /** Does what is due at `now`. */
  elapse(now: number): void {
    const core = this.#core;
    core.now = now;
    if (core.role !== 'leader') {
      if (now >= core.electionDeadline) standForElection(core, 'timeout');
      return;
    }
    if (now >= core.transferDeadline) {
      core.transferTarget = NOBODY;
      core.transferDeadline = Infinity;
    }
    if (now >= core.quorumDeadline) checkQuorum(core);
    if (core.role === 'leader' && now >= core.heartbeatDeadline) {
      beat(core, core.pendingReads.at(-1)?.number ?? 0);
      core.heartbeatDeadline = now + core.heartbeatMs;
    }
  }

  /** Stands for election at once, as after a timeout. */
  campaign(now: number): void {
    this.#core.now = now;
    standForElection(this.#core, 'timeout');
  }

  /** Takes a message from another member. */
  step(message: Message, now: number): void {
    const core = this.#core;
    core.now = now;
    if (core.fault || !this.#fitsTerm(message)) return;
    if (message.type === 'vote' || message.type === 'pre-vote') return castVote(core, message);
    if (core.role === 'leader') stepLeader(core, message);
    else if (core.role === 'follower') stepFollower(core, message);
    else stepCandidate(core, message);
  }

  /** Brings the member to the message's term. False when the message is to be dropped. */
  #fitsTerm(message: Message): boolean {
    const core = this.#core;
    if (message.term === 0 || message.term === core.term) return true;
    if (message.term < core.term) return this.#refuseOld(message);
    if (message.type === 'vote' || message.type === 'pre-vote') {
      if (!message.transfer && core.inLease) return this.#ignoreVote(message);
    }
    const future = message.type === 'pre-vote' || (message.type === 'pre-vote-response' && message.granted);
    if (future) return message.type === 'pre-vote' || this.#isOwnPreVote(message.term);
    const leads = message.type === 'append' || message.type === 'heartbeat' || message.type === 'snapshot';
    core.note(
      'raft.go:1122',
      `${core.id} [term: ${core.term}] received a ${MESSAGE_NAMES[message.type]} message with higher term from ${message.from} [term: ${message.term}]`,
    );
    core.becomeFollower(message.term, leads ? message.from : NOBODY);
    return true;
  }

  // The answer to a pre-vote names the term that would be; it is for this member if that is its next one.
  #isOwnPreVote(term: number): boolean {
    return this.#core.role === 'pre-candidate' && term === this.#core.term + 1;
  }

  #refuseOld(message: Message): false {
    const core = this.#core;
    // An old leader learns from the answer's term that it is one; a member stuck at a higher term is brought back so.
    if (message.type === 'append' || message.type === 'heartbeat') {
      core.send({
        type: 'append-response',
        to: message.from,
        index: core.log.committed,
        refused: false,
        hintIndex: 0,
        hintTerm: 0,
      });
    } else if (message.type === 'pre-vote') {
      core.promise({type: 'pre-vote-response', to: message.from, granted: false});
    }
    return false;
  }

  #ignoreVote(message: Vote): false {
    const core = this.#core;
    const {log} = core;
    const left = Math.max(Math.ceil((core.heardAt + core.electionMs - core.now) / core.heartbeatMs), 0);
    core.note(
      'raft.go:1101',
      `${core.id} [logterm: ${log.lastTerm}, index: ${log.last}, vote: ${core.vote || '0'}] ignored ` +
        `${MESSAGE_NAMES[message.type]} from ${message.from} [logterm: ${message.lastTerm}, index: ${message.lastIndex}] ` +
        `at term ${core.term}: lease is not expired (remaining ticks: ${core.role === 'leader' ? 0 : left})`,
    );
    return false;
  }

  /** Proposes values; a follower hands them on to its leader. False when there is none to take them now. */
  propose(kind: 'data' | 'change', values: readonly unknown[], now: number): boolean {
    const core = this.#core;
    core.now = now;
    const proposals = values.map(data => ({kind, data}));
    if (core.role === 'leader') return propose(core, proposals);
    if (core.role !== 'follower' || core.leader === NOBODY) return false;
    core.send({type: 'forward', to: core.leader, proposals, term: 0});
    return true;
  }

  /** Asks from which index on a read is up to date: the answer comes in `reads`. False when no leader is known. */
  readIndex(context: unknown, now: number): boolean {
    const core = this.#core;
    core.now = now;
    if (core.role === 'leader') {
      askMajority(core, core.id, context);
      return true;
    }
    if (core.leader === NOBODY) return false;
    core.send({type: 'read-index', to: core.leader, context, term: 0});
    return true;
  }

  /** Hands the leadership over to a voter; `transferTarget` tells when that is over, one way or the other. */
  transfer(target: Id, now: number): void {
    const core = this.#core;
    core.now = now;
    if (core.role === 'leader') handOver(core, target);
    else if (core.leader !== NOBODY) core.send({type: 'transfer', to: core.leader, target, term: 0});
  }

  /** A member cannot be reached: its appends go one at a time again until it answers. */
  reportUnreachable(id: Id): void {
    const progress = this.#core.progress.get(id);
    if (progress?.state === 'replicate') progress.toProbe();
  }

  /** A snapshot for a member was sent, or was not: it is probed after it. */
  reportSnapshot(id: Id, arrived: boolean): void {
    const progress = this.#core.progress.get(id);
    if (progress?.state !== 'snapshot') return;
    if (!arrived) progress.pendingSnapshot = 0;
    progress.toProbe();
    progress.asked = true;
  }

  /** Adopts an applied change. The owner calls it for each `change` entry that it does not refuse. */
  applyChange(change: Change, now: number): Configuration {
    const core = this.#core;
    core.now = now;
    core.configure(change);
    if (core.role === 'leader') {
      trackMembers(core, true);
      commit(core);
      broadcast(core);
      if (!core.configuration.voters.includes(core.id)) core.becomeFollower(core.term, NOBODY);
      if (core.transferTarget !== NOBODY && !core.isMember(core.transferTarget)) core.transferTarget = NOBODY;
    }
    return core.configuration;
  }

  /** Forgets applied entries up to `index`; followers that need them get a snapshot. Undefined when there is nothing to forget. */
  compact(index: number): {readonly index: number; readonly term: number} | undefined {
    const {log} = this.#core;
    if (index <= log.offset) return undefined;
    log.compact(index);
    return {index: log.offset, term: log.offsetTerm};
  }

  /** Is there anything to take? */
  get hasReady(): boolean {
    const {messages, promises, own, reads, pendingSnapshot, log} = this.#core;
    if (this.#taken) return false;
    if (messages.length > 0 || promises.length > 0 || own.length > 0 || reads.length > 0 || pendingSnapshot) return true;
    return log.stable < log.last || log.applied < Math.min(log.committed, log.stable) || this.#isHardStateNew();
  }

  #isHardStateNew(): boolean {
    const {term, vote, log} = this.#core;
    const known = this.#hardState;
    return term !== known.term || vote !== known.vote || log.committed !== known.commit;
  }

  /** Takes what is to be done; no other may be taken before `advance`. */
  takeReady(): Ready {
    const core = this.#core;
    const {log} = core;
    const entries = log.stable < log.last ? log.slice(log.stable + 1, log.last) : [];
    const before = this.#hardState;
    const isNew = this.#isHardStateNew();
    if (isNew) this.#hardState = {term: core.term, vote: core.vote, commit: log.committed};
    const known = Math.min(log.committed, log.stable);
    const ready: Ready = {
      messages: core.messages,
      snapshot: core.pendingSnapshot,
      entries,
      hardState: isNew ? this.#hardState : undefined,
      sync: entries.length > 0 || core.pendingSnapshot !== undefined || before.term !== core.term || before.vote !== core.vote,
      promises: core.promises,
      committed: !core.pendingSnapshot && log.applied < known ? log.slice(log.applied + 1, known) : [],
      reads: core.reads,
    };
    core.messages = [];
    core.promises = [];
    this.#own = core.own;
    core.own = [];
    core.reads = [];
    this.#taken = true;
    return ready;
  }

  /** All of `ready` is done: the entries are on disk, what was committed is applied. */
  advance(ready: Ready, now: number): void {
    const core = this.#core;
    core.now = now;
    this.#taken = false;
    if (ready.snapshot && ready.snapshot === core.pendingSnapshot) core.pendingSnapshot = undefined;
    const applied = ready.committed.at(-1);
    if (applied) core.log.applied = Math.max(core.log.applied, applied.index);
    const last = ready.entries.at(-1);
    // Meanwhile a new leader may have replaced them: then the disk has what is no longer in the log.
    if (last && core.log.matches(last.index, last.term)) core.log.stable = Math.max(core.log.stable, last.index);
    if (core.role === 'leader') reachedOwn(core, core.log.stable);
    const own = this.#own;
    this.#own = [];
    for (const message of own) this.step(message, now);
  }
}
