// Requests that wait for the cluster. A proposal waits until its entry is applied here, or for seven seconds (five, and two
// election timeouts); one that finds no leader is kept and proposed as soon as there is one. A read waits for the leader's
// word that it may be answered, asked for all reads of an instant together.
import type {Refusal} from '../../api/wire/etcd.ts';
import type {Timer} from '../../sim/clock.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {type Change, NOBODY} from '../raft/entry.ts';
import {log} from './log-line.ts';
import type {Node} from './node.ts';
import type {Proposal} from './proposal.ts';

/** How long etcd waits for a proposal, or for the index to read at. */
export const REQUEST_TIMEOUT_MS = 7000;

/** How long it waits for the index before it asks again. */
const RETRY_READ_MS = 500;
const RETRY_PROPOSAL_MS = 50;

/** What comes back for a proposal: the answer of whoever asked for it. */
export type Done = (answer: object) => void;

interface Waiter {
  readonly done: Done;
  readonly since: number;
}

/** What a member waits with. */
export interface WaitingParts {
  readonly daemon: Daemon;
  readonly node: Node;
  /** Why a proposal of some instant was not heard of again. */
  readonly whyTimeout: (since: number) => Refusal;
}

/** Proposals on their way. */
export class Proposals {
  readonly #parts: WaitingParts;
  readonly #waiters = new Map<Proposal | Change, Waiter>();
  #fresh: Proposal[] = [];
  #changes: Change[] = [];
  #timer: Timer | undefined;
  #scheduled = false;

  constructor(parts: WaitingParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#waiters.size;
  }

  /** Proposes a command. */
  add(proposal: Proposal, done: Done): void {
    this.#fresh.push(proposal);
    this.#wait(proposal, done);
  }

  /** Proposes a change of the membership. */
  addChange(change: Change, done: Done): void {
    this.#changes.push(change);
    this.#wait(change, done);
  }

  #wait(what: Proposal | Change, done: Done): void {
    this.#waiters.set(what, {done, since: this.#parts.daemon.clock.now});
    this.#arm();
    this.#schedule(0);
  }

  /** Who asked has gone away: what no leader has taken yet is not proposed any more. */
  abandon(done: Done): void {
    this.#fresh = this.#fresh.filter(each => this.#waiters.get(each)?.done !== done);
  }

  /** Hands all that waits for a leader to raft; called again when there is a new one. */
  flush(): void {
    const {node, daemon} = this.#parts;
    const {now} = daemon.clock;
    if (this.#fresh.length > 0 && node.raft.propose('data', this.#fresh, now)) this.#fresh = [];
    if (this.#changes.length > 0 && node.raft.propose('change', this.#changes, now)) this.#changes = [];
    node.touch();
    // There is a leader, and it takes nothing just now: it is handing over.
    if (this.#fresh.length + this.#changes.length > 0 && node.raft.leader !== NOBODY) this.#schedule(RETRY_PROPOSAL_MS);
  }

  #schedule(delayMs: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#parts.daemon.scope.after(delayMs, () => {
      this.#scheduled = false;
      this.flush();
    });
  }

  /** The entry was applied: whoever waits for it here gets the answer. */
  settle(what: Proposal | Change, answer: object): void {
    const waiter = this.#waiters.get(what);
    if (!waiter) return;
    this.#waiters.delete(what);
    waiter.done(answer);
  }

  isWaiting(what: Proposal | Change): boolean {
    return this.#waiters.has(what);
  }

  // All wait equally long, so the oldest is the first to give up: one timer is enough.
  #arm(): void {
    if (this.#timer?.run) return;
    const [oldest] = this.#waiters.values();
    if (!oldest) return;
    const {clock, scope} = this.#parts.daemon;
    this.#timer = clock.at(oldest.since + REQUEST_TIMEOUT_MS, () => scope.enter(() => this.#expire()));
  }

  #expire(): void {
    const {now} = this.#parts.daemon.clock;
    for (const [what, {done, since}] of this.#waiters) {
      if (since + REQUEST_TIMEOUT_MS > now) break;
      this.#waiters.delete(what);
      this.#fresh = this.#fresh.filter(each => each !== what);
      this.#changes = this.#changes.filter(each => each !== what);
      done(this.#parts.whyTimeout(since));
    }
    this.#arm();
  }
}

interface Reader {
  readonly run: (refused?: Refusal) => void;
  readonly since: number;
}

interface Batch {
  readonly number: number;
  readonly readers: readonly Reader[];
  sentAt: number;
  retried: boolean;
}

/** Reads that must see all that was written before them. */
export class Reads {
  readonly #parts: WaitingParts;
  readonly #applied: () => number;
  #fresh: Reader[] = [];
  #asked: Batch | undefined;
  #ready: {batch: Batch; index: number}[] = [];
  #timer: Timer | undefined;
  #count = 0;
  #scheduled = false;

  constructor(parts: WaitingParts, applied: () => number) {
    this.#parts = parts;
    this.#applied = applied;
  }

  /** Calls `run` when a read is up to date, or with the refusal. */
  add(run: (refused?: Refusal) => void): void {
    const {raft} = this.#parts.node;
    if (raft.isSovereign && this.#applied() >= raft.committed) return run();
    this.#fresh.push({run, since: this.#parts.daemon.clock.now});
    if (this.#asked || this.#scheduled) return;
    this.#scheduled = true;
    this.#parts.daemon.scope.soon(() => {
      this.#scheduled = false;
      this.#ask();
    });
  }

  #ask(): void {
    if (this.#asked || this.#fresh.length === 0) return;
    const batch: Batch = {number: ++this.#count, readers: this.#fresh, sentAt: 0, retried: false};
    this.#fresh = [];
    this.#asked = batch;
    this.#send(batch);
  }

  #send(batch: Batch): void {
    const {node, daemon} = this.#parts;
    batch.sentAt = daemon.clock.now;
    node.raft.readIndex(batch, daemon.clock.now);
    node.touch();
    this.#arm();
  }

  // One timer looks after whatever batch is out when it comes.
  #arm(): void {
    const {clock, scope} = this.#parts.daemon;
    if (this.#timer?.run || !this.#asked) return;
    this.#timer = clock.at(this.#asked.sentAt + RETRY_READ_MS, () => scope.enter(() => this.#look()));
  }

  #look(): void {
    const {clock} = this.#parts.daemon;
    const batch = this.#asked;
    if (!batch) return;
    if (clock.now < batch.sentAt + RETRY_READ_MS) return this.#arm();
    const oldest = batch.readers[0]?.since ?? 0;
    if (clock.now >= oldest + REQUEST_TIMEOUT_MS) return this.#giveUp(batch);
    const facts = {'sent-request-id': batch.number, 'retry-timeout': '500ms'};
    const msg = 'waiting for ReadIndex response took too long, retrying';
    if (!batch.retried) log(this.#parts.daemon, {level: 'warn', caller: 'etcdserver/v3_server.go:911', msg, facts});
    batch.retried = true;
    this.#send(batch);
  }

  #giveUp(batch: Batch): void {
    const msg = 'timed out waiting for read index response (local node might have slow network)';
    const facts = {timeout: `${REQUEST_TIMEOUT_MS / 1000}s`};
    log(this.#parts.daemon, {level: 'warn', caller: 'etcdserver/v3_server.go:923', msg, facts});
    this.#asked = undefined;
    for (const {run, since} of batch.readers) run(this.#parts.whyTimeout(since));
    this.#ask();
  }

  /** The leader's word has come: once `index` is applied, whoever asked in `context` may read. */
  readable(index: number, context: unknown): void {
    const batch = this.#asked;
    if (!batch || batch !== context) return;
    this.#asked = undefined;
    this.#ready.push({batch, index});
    this.serve();
    this.#ask();
  }

  /** Serves the reads whose index is applied. */
  serve(): void {
    while (this.#ready.length > 0) {
      const [first] = this.#ready;
      if (!first || first.index > this.#applied()) return;
      this.#ready.shift();
      for (const {run} of first.batch.readers) run();
    }
  }
}
