// etcd: one member as a component on its machine.
//
// A request of a client comes to port 2379 (requests.ts). What writes becomes a proposal (waiting.ts), goes through raft
// (node.ts) with the other members' ports 2380 (peers.ts), is durable on a majority's disks (disk.ts), and is then applied by
// every member to its own state (applier.ts, backend.ts: the keys in store.ts), from where watches hear of it (watch-hub.ts).
//
// Modelled: revisions and their history, transactions, leases, watches, compaction, alarms and the quota, members and
// learners with 3.6's checks, snapshots, start from data, as founder, as joiner, with --force-new-cluster, and etcd's own
// words in refusals and the log. Users and roles are in auth.ts and access.ts. Not modelled: downgrades, the gateway, leases' checkpoints,
// the corruption check (its verdict would always be good), and TLS, which is the business of who dials.
import type {Alarm, Header, Refusal} from '../../api/wire/etcd.ts';
import type {Daemon} from '../../sim/daemon.ts';
import {type Change, type Entry, type Id, NOBODY} from '../raft/entry.ts';
import {Raft} from '../raft/raft.ts';
import {applyProposal, type Effects} from './applier.ts';
import type {Backend} from './backend.ts';
import type {Boot} from './bootstrap.ts';
import type {Context} from './context.ts';
import type {Disk} from './disk.ts';
import {LeaseClock} from './lease-clock.ts';
import {log} from './log-line.ts';
import {goBytes} from '../../api/meta/go-text.ts';
import {changeLog, membersAnswerOf} from './membership-log.ts';
import {Node} from './node.ts';
import type {EtcdOptions} from './options.ts';
import {Peers} from './peers.ts';
import {type Command, type Proposal, proposalOf} from './proposal.ts';
import {refusals} from './refusals.ts';
import {type Done, Proposals, Reads, REQUEST_TIMEOUT_MS} from './waiting.ts';
import {WatchHub} from './watch-hub.ts';
import {watchLeader} from './watch-requests.ts';

const REMOVED_STOP_MS = 1000;

/** A member that has begun: raft runs, and once it has found its place in the cluster it serves. */
export class Server implements Context {
  readonly options: EtcdOptions;
  readonly daemon: Daemon;
  readonly disk: Disk;
  readonly id: Id;
  readonly node: Node;
  readonly peers: Peers;
  readonly hub: WatchHub;
  readonly proposals: Proposals;
  readonly reads: Reads;
  readonly leaseClock: LeaseClock;
  backend: Backend;
  leaderSince: number;
  leaderChanges = 0;
  readonly #remotes: Boot['remotes'];
  readonly #effects: Effects;
  readonly #ready: () => void;
  #elected = -Infinity;
  #raising = false;

  constructor(options: EtcdOptions, boot: Boot, {backend, ready}: {backend: Backend; ready: () => void}) {
    this.options = options;
    this.daemon = options.daemon;
    this.disk = options.disk;
    this.id = boot.id;
    this.backend = backend;
    this.#remotes = boot.remotes;
    this.#ready = ready;
    this.leaderSince = this.daemon.clock.now;
    this.hub = new WatchHub(backend.store);
    this.leaseClock = new LeaseClock(this.daemon, backend.leases, id => this.#expired(id));
    this.peers = this.#makePeers();
    this.node = this.#makeNode(boot);
    const parts = {daemon: this.daemon, node: this.node, whyTimeout: (since: number) => this.#whyTimeout(since)};
    this.proposals = new Proposals(parts);
    this.reads = new Reads(parts, () => this.backend.appliedIndex);
    this.#effects = this.#makeEffects();
  }

  #makePeers(): Peers {
    const {daemon, id, options} = this;
    const self = {
      id,
      clusterId: () => this.backend.membership.clusterId,
      peerUrls: options.initialAdvertisePeerUrls,
      tls: options.tls,
    };
    return new Peers(daemon, self, {
      message: message => this.node.step(message),
      unreachable: peer => this.node.raft.reportUnreachable(peer),
      snapshotDone: (peer, arrived) => this.node.raft.reportSnapshot(peer, arrived),
      removed: () => this.stopRemoved(),
    });
  }

  #makeNode(boot: Boot): Node {
    const {daemon, disk, peers, options} = this;
    const {id, configuration, hardState, start, entries} = boot;
    const raft = new Raft({
      id,
      dice: daemon.dice,
      now: daemon.clock.now,
      configuration,
      start,
      entries,
      applied: this.backend.appliedIndex,
      electionMs: options.electionMs ?? 1000,
      heartbeatMs: options.heartbeatMs ?? 100,
      // As etcd does it: all but one tick of the first election timeout counts as passed.
      elapsedMs: (options.electionMs ?? 1000) - (options.heartbeatMs ?? 100),
      ...(hardState ? {hardState} : {}),
      snapshot: () => this.#snapshot(),
      note: (level, place, msg) => log(daemon, {level, logger: 'raft', caller: `v3@v3.6.0/${place}`, msg}),
    });
    const owner = {
      apply: (entry: Entry) => this.#apply(entry),
      restored: (backend: Backend) => this.#restored(backend),
      applied: () => this.#applied(),
      readable: (index: number, context: unknown) => this.reads.readable(index, context),
      leaderChanged: () => this.#leaderChanged(),
      fault: (text: string) => this.#panic(text),
    };
    const snapshots = {snapshotCount: options.snapshotCount ?? 10_000, catchUpEntries: options.snapshotCatchUpEntries ?? 5000};
    return new Node({daemon, disk, raft, peers, owner, ...snapshots});
  }

  #makeEffects(): Effects {
    return {
      header: revision => this.header(revision),
      changed: event => this.hub.changed(event),
      leaseGranted: id => this.leaseClock.granted(id),
      leaseRevoked: id => this.leaseClock.revoked(id),
      compacted: revision => this.#logCompaction(revision),
      full: () => this.#full(),
    };
  }

  /** Begins: connects to the others, runs raft, and tells the cluster its name. */
  start(): void {
    this.peers.start();
    this.#reachMembers();
    this.node.start();
    this.daemon.scope.every(this.options.watchProgressNotifyIntervalMs ?? 600_000, () => this.hub.progress());
    this.#publish();
  }

  // A member serves clients once the cluster has heard of it.
  #publish(): void {
    const {id, options} = this;
    const command: Command = {kind: 'publish', id, name: options.name, clientUrls: options.advertiseClientUrls};
    const facts = {
      'local-member-id': id,
      'local-member-attributes': `{Name:${options.name} ClientURLs:[${options.advertiseClientUrls.join(' ')}]}`,
    };
    this.propose(command, answer => {
      if ('error' in answer) {
        const more = {'publish-timeout': `${REQUEST_TIMEOUT_MS / 1000}s`, error: 'context deadline exceeded'};
        const msg = 'failed to publish local member to cluster through raft';
        log(this.daemon, {level: 'warn', caller: 'etcdserver/server.go:1830', msg, facts: {...facts, ...more}});
        return this.#publish();
      }
      const more = {'cluster-id': this.backend.membership.clusterId, 'publish-timeout': `${REQUEST_TIMEOUT_MS / 1000}s`};
      const msg = 'published local member to cluster through raft';
      log(this.daemon, {level: 'info', caller: 'etcdserver/server.go:1820', msg, facts: {...facts, ...more}});
      this.#ready();
    });
  }

  header(revision = this.backend.store.revision): Header {
    const {membership} = this.backend;
    return {clusterId: membership.clusterId, memberId: this.id, revision, term: this.node.raft.term};
  }

  propose(command: Command, done: Done): void {
    this.proposals.add(proposalOf(command, this.daemon.clock.cause), done);
  }

  #apply({kind, data, index}: Entry): void {
    if (kind === 'data') {
      if (index <= this.backend.deafUntil) return;
      const proposal = data as Proposal;
      const answer = applyProposal(this.backend, proposal, this.#effects);
      this.proposals.settle(proposal, answer);
    } else if (kind === 'change') {
      this.#applyChange(data as Change);
    }
  }

  #applyChange(change: Change): void {
    const {membership} = this.backend;
    const refused = membership.refuse(change);
    if (refused) return this.proposals.settle(change, refused);
    const before = membership.get(change.id);
    membership.apply(change);
    this.node.raft.applyChange(change, this.daemon.clock.now);
    changeLog(this, change, before);
    this.#reachMembers();
    this.proposals.settle(change, membersAnswerOf(this, change.id));
    if (change.type === 'remove' && change.id === this.id) this.stopRemoved();
  }

  #reachMembers(): void {
    const {membership} = this.backend;
    const known = membership.all;
    const more = membership.get(this.id)
      ? []
      : this.#remotes.filter(each => !membership.get(each.id) && !membership.isRemoved(each.id));
    this.peers.set([...known, ...more]);
  }

  #applied(): void {
    this.hub.flush();
    this.reads.serve();
  }

  #restored(backend: Backend): void {
    backend.ledger.quotaBytes = this.options.quotaBackendBytes ?? backend.ledger.quotaBytes;
    this.backend = backend;
    const facts = {'snapshot-index': backend.appliedIndex};
    log(this.daemon, {level: 'info', caller: 'etcdserver/raft.go:276', msg: 'applied incoming Raft snapshot', facts});
    this.leaseClock.restore(backend.leases);
    this.#reachMembers();
    this.hub.restore(backend.store);
    this.reads.serve();
  }

  #snapshot() {
    const {backend} = this;
    const {appliedIndex: index, appliedTerm: term, membership} = backend;
    return {index, term, configuration: membership.configuration, state: backend.image()};
  }

  #leaderChanged(): void {
    const {raft} = this.node;
    this.leaderSince = this.daemon.clock.now;
    this.leaseClock.lead(raft.leader === this.id);
    if (raft.leader === NOBODY) return watchLeader(this, this.options.electionMs ?? 1000);
    this.#elected = this.daemon.clock.now;
    this.leaderChanges++;
    this.proposals.flush();
  }

  #expired(id: number): void {
    this.propose({kind: 'lease-revoke', id}, () => {});
  }

  // Why nothing was heard of a request that was made at some instant.
  #whyTimeout(since: number): Refusal {
    const electionMs = this.options.electionMs ?? 1000;
    if (since > this.#elected - 2 * electionMs && since < this.#elected) return refusals.timeoutLeaderLost;
    const {leader} = this.node.raft;
    if (leader === NOBODY) return refusals.timeout;
    const heard = (id: Id) => id === this.id || (this.peers.activeSince(id) ?? Infinity) <= since;
    if (leader !== this.id) return heard(leader) ? refusals.timeout : refusals.timeoutConnectionLost;
    const members = this.backend.membership.all;
    const reached = members.filter(({id}) => heard(id)).length;
    return reached > members.length / 2 ? refusals.timeout : refusals.timeoutConnectionLost;
  }

  #full(): void {
    const {quotaBytes} = this.backend.ledger;
    const facts = {'quota-size-bytes': quotaBytes, 'quota-size': goBytes(quotaBytes), error: 'etcdserver: no space'};
    const msg = 'message exceeded backend quota; raising alarm';
    log(this.daemon, {level: 'warn', caller: 'etcdserver/server.go:2009', msg, facts});
    this.raiseNoSpace();
  }

  raiseNoSpace(): void {
    const alarm: Alarm = {member: this.id, alarm: 'NOSPACE'};
    const raised = this.backend.alarms.some(each => each.member === this.id && each.alarm === alarm.alarm);
    if (this.#raising || raised) return;
    this.#raising = true;
    this.propose({kind: 'alarm', action: 'raise', alarms: [alarm]}, () => {
      this.#raising = false;
    });
  }

  #logCompaction(revision: number): void {
    log(this.daemon, {level: 'info', caller: 'mvcc/index.go:194', msg: 'compact tree index', facts: {revision}});
    const facts = {'compact-revision': revision, took: '43.254µs'};
    log(this.daemon, {level: 'info', caller: 'mvcc/kvstore_compaction.go:70', msg: 'finished scheduled compaction', facts});
  }

  // Raft found that this member, or a majority, has forgotten what it had promised: there is no way on.
  #panic(text: string): void {
    const place = text.startsWith('tocommit') ? 'log.go:324' : 'raft.go:662';
    log(this.daemon, {level: 'panic', logger: 'raft', caller: `v3@v3.6.0/${place}`, msg: text});
    this.daemon.print(`panic: ${text}`);
    this.daemon.exit(2);
  }

  stopRemoved(): void {
    const msg = 'the local etcd member has been permanently removed from the cluster';
    log(this.daemon, {
      level: 'warn',
      caller: 'etcdserver/server.go:1100',
      msg,
      facts: {error: 'the member has been permanently removed from the cluster'},
    });
    this.daemon.scope.after(REMOVED_STOP_MS, () => this.daemon.exit(0));
  }
}
