// How members reach each other, on port 2380. Each dials all others and listens on that stream; so for two members there are
// two streams, and what one has to say goes over the stream that the other has opened. While that is not open (the other has
// just started), a message goes as a post of its own; a snapshot always does, and its sender learns whether it arrived.
//
// A cut link says nothing: a listener that hears nothing for five seconds takes its stream for dead and dials again, which
// is why an idle sender says that it is there. A member counts as active while it can be heard.
import type {Daemon} from '../../sim/daemon.ts';
import type {Call, Caller} from '../../sim/network.ts';
import type {MemberInfo} from '../../api/wire/etcd.ts';
import {isTlsFailure} from '../../api/wire/tls.ts';
import type {Id} from '../raft/entry.ts';
import type {Message} from '../raft/message.ts';
import {hostAndPort} from './identity.ts';
import {log, type Line} from './log-line.ts';
import {greeted, type EtcdTls} from './options.ts';

/** Silence on a stream after which it is taken for dead. */
const READ_TIMEOUT_MS = 5000;
const LINK_BEAT_MS = READ_TIMEOUT_MS / 3;
const REDIAL_MS = 100;
const ASK_TIMEOUT_MS = 5000;

/** What a member asks of another. */
export type PeerRequest =
  | {
      readonly kind: 'stream';
      readonly from: Id;
      readonly to: Id;
      readonly clusterId: string;
      readonly peerUrls: readonly string[];
    }
  | {readonly kind: 'post'; readonly from: Id; readonly to: Id; readonly clusterId: string; readonly message: Message}
  | {readonly kind: 'members'}
  | {readonly kind: 'promote'; readonly id: Id}
  | {readonly kind: 'lease-renew'; readonly id: number}
  | {readonly kind: 'lease-time-to-live'; readonly id: number};

/** What it is answered when it is not let in. */
export interface PeerRefusal {
  readonly refused: string;
}

/** Answers `members`. */
export interface PeerMembers {
  readonly clusterId: string;
  readonly members: readonly MemberInfo[];
  readonly removed: readonly Id[];
}

/** What the transport tells its owner. */
export interface PeerEvents {
  readonly message: (message: Message) => void;
  readonly unreachable: (id: Id) => void;
  readonly snapshotDone: (id: Id, arrived: boolean) => void;
  readonly removed: () => void;
}

const BEAT = {type: 'link-beat'} as const;

class Peer {
  readonly id: Id;
  urls: readonly string[];
  reader: Caller | undefined;
  writer: Call | undefined;
  activeSince: number | undefined;
  heardAt = 0;
  saidAt = 0;
  attempt = 0;
  /** What was last said in the log of its silence. */
  complained: 'silent' | 'stranger' | undefined;

  constructor(id: Id, urls: readonly string[]) {
    this.id = id;
    this.urls = urls;
  }
}

/** Who this member is to the others. */
export interface Self {
  readonly id: Id;
  readonly clusterId: () => string;
  readonly peerUrls: readonly string[];
  readonly tls?: EtcdTls | undefined;
}

/** All streams of one member. */
export class Peers {
  readonly #daemon: Daemon;
  readonly #self: Self;
  readonly #events: PeerEvents;
  readonly #peers = new Map<Id, Peer>();
  /** Where strangers are found that knocked: members that this one's log does not tell of yet. They get answers, as posts. */
  readonly #remotes = new Map<Id, readonly string[]>();

  constructor(daemon: Daemon, self: Self, events: PeerEvents) {
    this.#daemon = daemon;
    this.#self = self;
    this.#events = events;
  }

  /** Begins to tell idle streams that this member is there, and to watch for silent ones. */
  start(): void {
    this.#daemon.scope.every(LINK_BEAT_MS, () => this.#watch());
  }

  /** Makes the peers those members that are not this one. */
  set(members: readonly MemberInfo[]): void {
    const ids = new Set(members.map(({id}) => id));
    for (const id of this.#peers.keys()) if (!ids.has(id)) this.#drop(id);
    for (const {id, peerUrls} of members) {
      if (id === this.#self.id) continue;
      this.#remotes.delete(id);
      const known = this.#peers.get(id);
      if (!known) {
        const peer = new Peer(id, peerUrls);
        this.#peers.set(id, peer);
        this.#dial(peer);
      } else if (known.urls.join() !== peerUrls.join()) {
        known.urls = peerUrls;
        this.#hangUp(known);
        this.#dial(known);
      }
    }
  }

  #drop(id: Id): void {
    const peer = this.#peers.get(id);
    if (!peer) return;
    this.#hangUp(peer);
    peer.writer?.end();
    this.#peers.delete(id);
  }

  #hangUp(peer: Peer): void {
    peer.attempt++;
    peer.reader?.cancel();
    peer.reader = undefined;
  }

  /** Since when a member can be heard; undefined while it cannot. */
  activeSince(id: Id): number | undefined {
    return this.#peers.get(id)?.activeSince;
  }

  /** Sends a message of raft; what cannot be sent is lost, and raft can live with that. */
  send(message: Message): void {
    const peer = this.#peers.get(message.to);
    if (!peer) return this.#post(message.to, message, () => undefined);
    if (message.type === 'snapshot') return this.#post(peer.id, message, arrived => this.#events.snapshotDone(peer.id, arrived));
    if (peer.writer) {
      peer.saidAt = this.#daemon.clock.now;
      peer.writer.send(message);
    } else {
      this.#post(peer.id, message, arrived => {
        if (!arrived) this.#events.unreachable(peer.id);
      });
    }
  }

  #post(to: Id, message: Message, done: (arrived: boolean) => void): void {
    const request: PeerRequest = {kind: 'post', from: this.#self.id, to, clusterId: this.#self.clusterId(), message};
    this.ask(to, request, answer => done(answer !== undefined && !isRefused(answer)));
  }

  /** Asks a member something; undefined when it does not answer within five seconds. */
  ask(id: Id, request: PeerRequest, done: (answer: object | undefined) => void): void {
    const at = hostAndPort((this.#peers.get(id)?.urls ?? this.#remotes.get(id))?.[0] ?? '');
    if (!at) return done(undefined);
    const {clock, scope} = this.#daemon;
    let over = false;
    const finish = (answer: object | undefined) => {
      if (over) return;
      over = true;
      clock.cancel(timer);
      done(answer);
    };
    const receiver = {
      answer: (answer: unknown) => finish(isTlsFailure(answer) ? undefined : (answer as object)),
      end: () => finish(undefined),
    };
    const call = this.#daemon.dial(at.host, at.port, greeted(this.#self.tls, at.host, request), receiver);
    const timer = scope.after(ASK_TIMEOUT_MS, () => {
      call.cancel();
      finish(undefined);
    });
  }

  #dial(peer: Peer): void {
    const attempt = ++peer.attempt;
    const current = () => peer.attempt === attempt && this.#peers.get(peer.id) === peer;
    const at = hostAndPort(peer.urls[attempt % Math.max(peer.urls.length, 1)] ?? '');
    if (!at) return;
    peer.heardAt = this.#daemon.clock.now;
    const {id, peerUrls} = this.#self;
    const request: PeerRequest = {kind: 'stream', from: id, to: peer.id, clusterId: this.#self.clusterId(), peerUrls};
    peer.reader = this.#daemon.dial(at.host, at.port, greeted(this.#self.tls, at.host, request), {
      answer: answer => {
        if (!current()) return;
        if (isTlsFailure(answer)) this.#lost(peer, answer.tlsFailure);
        else if (isRefused(answer)) this.#refused(peer, answer.refused);
        else this.#opened(peer);
      },
      frame: frame => {
        if (!current()) return;
        peer.heardAt = this.#daemon.clock.now;
        if (frame !== BEAT) this.#events.message(frame as Message);
      },
      end: failure => {
        if (current())
          this.#lost(peer, failure === 'refused' ? `dial tcp ${at.host}:${at.port}: connect: connection refused` : 'EOF');
      },
    });
  }

  #opened(peer: Peer): void {
    peer.heardAt = this.#daemon.clock.now;
    this.#activate(peer);
    const facts = {'stream-reader-type': 'stream Message', 'local-member-id': this.#self.id, 'remote-peer-id': peer.id};
    this.#log({
      level: 'info',
      caller: 'rafthttp/stream.go:411',
      msg: 'established TCP streaming connection with remote peer',
      facts,
    });
  }

  #activate(peer: Peer): void {
    if (peer.activeSince !== undefined) return;
    peer.activeSince = this.#daemon.clock.now;
    peer.complained = undefined;
    this.#log({level: 'info', caller: 'rafthttp/peer_status.go:53', msg: 'peer became active', facts: {'peer-id': peer.id}});
  }

  #refused(peer: Peer, why: string): void {
    peer.reader = undefined;
    // Who does not let this member in listens to nothing that it says: a stream from before is dead.
    peer.writer = undefined;
    const self = this.#self;
    if (why === REMOVED) return this.#events.removed();
    if (why.startsWith(MISMATCH)) {
      const facts = {
        'remote-peer-id': peer.id,
        'remote-peer-cluster-id': why.slice(MISMATCH.length + 2),
        'local-member-id': self.id,
        'local-member-cluster-id': self.clusterId(),
        error: MISMATCH,
      };
      const msg = 'request sent was ignored by remote peer due to cluster ID mismatch';
      if (peer.complained !== 'stranger') this.#log({level: 'warn', caller: 'rafthttp/stream.go:652', msg, facts});
      peer.complained = 'stranger';
    }
    this.#retry(peer);
  }

  #lost(peer: Peer, error: string): void {
    peer.reader = undefined;
    if (peer.activeSince !== undefined) {
      peer.activeSince = undefined;
      const ids = {'local-member-id': this.#self.id, 'remote-peer-id': peer.id};
      const facts = {'stream-reader-type': 'stream Message', ...ids, error};
      this.#log({level: 'warn', caller: 'rafthttp/stream.go:420', msg: 'lost TCP streaming connection with remote peer', facts});
      this.#log({
        level: 'warn',
        caller: 'rafthttp/peer_status.go:66',
        msg: 'peer became inactive (message send to peer failed)',
        facts: {'peer-id': peer.id, error: `failed to read ${peer.id} on stream Message (${error})`},
      });
    } else if (peer.complained !== 'silent') {
      peer.complained = 'silent';
      const facts = {'round-tripper-name': 'ROUND_TRIPPER_RAFT_MESSAGE', 'remote-peer-id': peer.id, rtt: '0s', error};
      this.#log({level: 'warn', caller: 'rafthttp/probing_status.go:68', msg: 'prober detected unhealthy status', facts});
    }
    this.#events.unreachable(peer.id);
    this.#retry(peer);
  }

  #retry(peer: Peer): void {
    const {attempt} = peer;
    this.#daemon.scope.after(REDIAL_MS, () => {
      if (peer.attempt === attempt && this.#peers.get(peer.id) === peer) this.#dial(peer);
    });
  }

  #watch(): void {
    const {now} = this.#daemon.clock;
    for (const peer of this.#peers.values()) {
      if (peer.writer && now - peer.saidAt >= LINK_BEAT_MS) peer.writer.send(BEAT);
      if (peer.reader && now - peer.heardAt >= READ_TIMEOUT_MS) {
        const at = hostAndPort(peer.urls[0] ?? '');
        this.#hangUp(peer);
        this.#lost(peer, peer.activeSince === undefined ? `dial tcp ${at?.host}:${at?.port}: i/o timeout` : 'i/o timeout');
      }
    }
  }

  /** Takes a stream that another member opens: what this member has to say to it goes there. */
  attach(call: Call, {from, peerUrls}: {readonly from: Id; readonly peerUrls: readonly string[]}): void {
    const peer = this.#peers.get(from);
    if (!peer) {
      this.#remotes.set(from, peerUrls);
      return call.answer({refused: `unknown peer ${from}`} satisfies PeerRefusal);
    }
    peer.writer?.end();
    peer.writer = call;
    peer.saidAt = this.#daemon.clock.now;
    call.onCancel(() => {
      if (peer.writer === call) peer.writer = undefined;
    });
    call.open({});
    const facts = {'stream-writer-type': 'stream Message', 'local-member-id': this.#self.id, 'remote-peer-id': from};
    this.#log({
      level: 'info',
      caller: 'rafthttp/stream.go:273',
      msg: 'established TCP streaming connection with remote peer',
      facts,
    });
    // It is up: no need to wait for the next try to hear it, or for one that was made while it was not there.
    if (peer.activeSince !== undefined) return;
    if (peer.reader !== undefined && this.#daemon.clock.now - peer.heardAt < REDIAL_MS) return;
    this.#hangUp(peer);
    this.#dial(peer);
  }

  #log(line: Line): void {
    log(this.#daemon, line);
  }
}

/** Why a stranger is refused; the stranger's log names it. */
export const MISMATCH = 'cluster ID mismatch';

/** Why a removed member is refused. */
export const REMOVED = 'the member has been permanently removed from the cluster';

function isRefused(answer: unknown): answer is PeerRefusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}
