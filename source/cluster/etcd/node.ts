// Drives raft for one member: gives it time and messages, carries out what it says, in the order that makes its promises
// true. One round is under way at a time, as in etcd: while the disk syncs, what arrives is stepped at once but waits with its
// consequences for the next round. So everything that was proposed during one fsync shares the next: that is the whole of
// "group commit", and a slow disk makes a slow leader, down to heartbeats that come too late.
import type {Timer} from '../../sim/clock.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Entry, Id} from '../raft/entry.ts';
import {NOBODY} from '../raft/entry.ts';
import type {Message} from '../raft/message.ts';
import type {Raft, Ready} from '../raft/raft.ts';
import {Backend, type BackendImage} from './backend.ts';
import type {Disk} from './disk.ts';
import {log} from './log-line.ts';
import {formatGoDuration} from '../../api/meta/time.ts';
import type {Peers} from './peers.ts';

/** What a round does beyond raft. */
export interface NodeOwner {
  readonly apply: (entry: Entry) => void;
  /** A snapshot has replaced the state. */
  readonly restored: (backend: Backend) => void;
  /** All entries of a round are applied. */
  readonly applied: () => void;
  readonly readable: (index: number, context: unknown) => void;
  readonly leaderChanged: (before: Id) => void;
  /** Raft cannot go on: the process must end. */
  readonly fault: (text: string) => void;
}

/** What a node works with. */
export interface NodeParts {
  readonly daemon: Daemon;
  readonly disk: Disk;
  readonly raft: Raft;
  readonly peers: Peers;
  readonly owner: NodeOwner;
  readonly snapshotCount: number;
  /** Entries that stay in the log at a snapshot, for followers that are a little behind. */
  readonly catchUpEntries: number;
}

const SLOW_FSYNC_MS = 1000;

/** One member's raft at work. */
export class Node {
  readonly raft: Raft;
  readonly #parts: NodeParts;
  #timer: Timer | undefined;
  #timerDue = Infinity;
  #scheduled = false;
  #syncing = false;
  #leader: Id = NOBODY;
  #snapshotIndex: number;

  constructor(parts: NodeParts) {
    this.#parts = parts;
    this.raft = parts.raft;
    this.#snapshotIndex = parts.disk.backend?.appliedIndex ?? 0;
  }

  /** Begins to run. A lone voter need not wait for anybody's word. */
  start(): void {
    this.touch();
  }

  /** Something was given to raft: its consequences follow at this same instant, after what else happens now. */
  touch(): void {
    if (this.#scheduled || this.#syncing) return;
    this.#scheduled = true;
    this.#parts.daemon.scope.soon(() => {
      this.#scheduled = false;
      this.#round();
    });
  }

  /** Takes a message from another member. */
  step(message: Message): void {
    this.raft.step(message, this.#parts.daemon.clock.now);
    // A heartbeat has nothing to share a round with: its answer need not be an event of its own.
    if (message.type === 'heartbeat' || message.type === 'heartbeat-response') this.#round();
    else this.touch();
  }

  #round(): void {
    if (this.#syncing) return this.#arm();
    const {raft} = this;
    while (raft.hasReady && !this.#syncing) {
      if (raft.fault) break;
      this.#carryOut(raft.takeReady());
    }
    if (raft.fault) return this.#parts.owner.fault(raft.fault);
    this.#noticeLeader();
    this.#arm();
  }

  #carryOut(ready: Ready): void {
    const {disk, peers, owner, daemon} = this.#parts;
    for (const message of ready.messages) peers.send(message);
    const {entries, hardState, snapshot} = ready;
    let backend: Backend | undefined;
    if (snapshot) {
      backend = Backend.from(snapshot.state as BackendImage);
      this.#snapshotIndex = snapshot.index;
      disk.write({start: {index: snapshot.index, term: snapshot.term}, backend});
    }
    if (entries.length > 0 || hardState) disk.write({entries, ...(hardState ? {hardState} : {})});
    this.#apply(ready);
    for (const {index, context} of ready.reads) owner.readable(index, context);
    if (!ready.sync) return this.#finish(ready);
    this.#syncing = true;
    const {mark} = disk;
    const {fsyncMs} = disk;
    daemon.scope.after(fsyncMs, () => {
      this.#syncing = false;
      if (fsyncMs > SLOW_FSYNC_MS) this.#complain(fsyncMs);
      disk.synced(mark);
      if (backend) owner.restored(backend);
      this.#finish(ready);
      this.#round();
    });
  }

  #complain(ms: number): void {
    const facts = {took: formatGoDuration(ms), 'expected-duration': '1s'};
    log(this.#parts.daemon, {level: 'warn', caller: 'wal/wal.go:845', msg: 'slow fdatasync', facts});
  }

  #apply({committed}: Ready): void {
    if (committed.length === 0) return;
    const {owner, disk} = this.#parts;
    for (const entry of committed) {
      owner.apply(entry);
      const {backend} = disk;
      if (!backend) continue;
      backend.appliedIndex = entry.index;
      backend.appliedTerm = entry.term;
    }
    owner.applied();
  }

  #finish(ready: Ready): void {
    for (const message of ready.promises) this.#parts.peers.send(message);
    this.raft.advance(ready, this.#parts.daemon.clock.now);
    this.#compact();
  }

  #compact(): void {
    const {disk, daemon, snapshotCount, catchUpEntries} = this.#parts;
    const {backend} = disk;
    if (!backend || backend.appliedIndex - this.#snapshotIndex < snapshotCount) return;
    const facts = {
      'local-member-id': this.raft.id,
      'local-member-applied-index': backend.appliedIndex,
      'local-member-snapshot-index': this.#snapshotIndex,
      'local-member-snapshot-count': snapshotCount,
      'snapshot-forced': false,
    };
    log(daemon, {level: 'info', caller: 'etcdserver/server.go:2201', msg: 'triggering snapshot', facts});
    this.#snapshotIndex = backend.appliedIndex;
    const saved = {'snapshot-index': backend.appliedIndex};
    log(daemon, {level: 'info', caller: 'etcdserver/server.go:2246', msg: 'saved snapshot to disk', facts: saved});
    const start = this.raft.compact(backend.appliedIndex - catchUpEntries);
    if (start) disk.release(start);
  }

  #noticeLeader(): void {
    const {leader, term, id} = this.raft;
    if (leader === this.#leader) return;
    const before = this.#leader;
    this.#leader = leader;
    const [place, what] =
      leader === NOBODY
        ? ['node.go:376', `lost leader ${before}`]
        : before === NOBODY
          ? ['node.go:370', `elected leader ${leader}`]
          : ['node.go:372', `changed leader from ${before} to ${leader}`];
    const msg = `raft.node: ${id} ${what} at term ${term}`;
    log(this.#parts.daemon, {level: 'info', logger: 'raft', caller: `v3@v3.6.0/${place}`, msg});
    this.#parts.owner.leaderChanged(before);
  }

  // One timer waits for raft's deadline. A deadline that moved away is left alone until the timer comes: a follower's moves
  // with each heartbeat.
  #arm(): void {
    const due = this.raft.deadline;
    if (this.#timer?.run && this.#timerDue <= due) return;
    const {clock, scope} = this.#parts.daemon;
    clock.cancel(this.#timer);
    this.#timerDue = due;
    this.#timer = due === Infinity ? undefined : clock.at(due, () => scope.enter(() => this.#expire()));
  }

  #expire(): void {
    const {now} = this.#parts.daemon.clock;
    if (now >= this.raft.deadline) {
      this.raft.elapse(now);
      return this.#round();
    }
    this.#arm();
  }
}
