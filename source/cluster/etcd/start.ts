// Starts a member: takes its ports, finds out how it begins, and serves.
import type {MemberInfo, StatusAnswer} from '../../api/wire/etcd.ts';
import type {TlsDoor} from '../../api/wire/tls.ts';
import type {Call} from '../../sim/network.ts';
import {NOBODY} from '../raft/entry.ts';
import {bootstrap, type Boot} from './bootstrap.ts';
import {status} from './health.ts';
import {serveHealth} from './health-http.ts';
import {hostAndPort} from './identity.ts';
import {log} from './log-line.ts';
import {goBytes} from '../../api/meta/go-text.ts';
import {handOver} from './member-requests.ts';
import {CLIENT_PORT, type EtcdOptions, METRICS_PORT, PEER_PORT} from './options.ts';
import {servePeer} from './peer-requests.ts';
import {serve} from './requests.ts';
import {Server} from './server.ts';

/** A member as its machine sees it. */
export class Member {
  readonly #options: EtcdOptions;
  #server: Server | undefined;
  #ready = false;
  #held: Call[] = [];

  constructor(options: EtcdOptions) {
    this.#options = options;
    options.daemon.onTerminate = () => this.terminate();
    if (!this.#listen()) return;
    if (options.disk.databaseDamaged) {
      this.#failOnDatabase();
      return;
    }
    if (options.disk.walDamage === 'unreadable') {
      const facts = {error: 'walpb: crc mismatch'};
      const msg = 'failed to read WAL, cannot be repaired';
      log(options.daemon, {level: 'fatal', caller: 'etcdserver/bootstrap.go:720', msg, facts});
      options.daemon.exit(1);
      return;
    }
    const begin = (boot: Boot) => this.#begin(boot);
    bootstrap(options, begin, error => this.#fail(error));
  }

  /** Its id; empty before it has found its place. */
  get id(): string {
    return this.#server?.id ?? '';
  }

  /** Does it serve clients? */
  get ready(): boolean {
    return this.#ready;
  }

  /** The leader's id as it knows it; empty while there is none. */
  get leader(): string {
    return this.#server?.node.raft.leader ?? NOBODY;
  }

  /** The members as this one has them. */
  get members(): readonly MemberInfo[] {
    return this.#server?.backend.membership.all ?? [];
  }

  /** Has it this key, as far as it has applied the log? */
  has(key: string): boolean {
    return this.#server?.backend.store.at(key) !== undefined;
  }

  /** What `endpoint status` would show; undefined before raft runs. */
  get status(): StatusAnswer | undefined {
    return this.#server && status(this.#server);
  }

  /** Ends in order, as on SIGTERM: a leader hands over first. */
  terminate(): void {
    const {daemon} = this.#options;
    if (daemon.exitCode !== undefined) return;
    const facts = {signal: 'terminated'};
    log(daemon, {level: 'info', caller: 'osutil/interrupt_unix.go:65', msg: 'received signal; shutting down', facts});
    this.#logClosing('closing etcd server', 426);
    const server = this.#server;
    const target = server && this.#successor(server);
    if (server && target) handOver(server, target, () => this.#close());
    else this.#close();
  }

  #successor(server: Server): string | undefined {
    const {raft} = server.node;
    if (raft.leader !== server.id) return undefined;
    const others = raft.configuration.voters.filter(id => id !== server.id);
    if (others.length === 0) {
      const ids = {'local-member-id': server.id, 'current-leader-member-id': raft.leader};
      const msg = 'skipped leadership transfer for single voting member cluster';
      log(server.daemon, {level: 'info', caller: 'etcdserver/server.go:1297', msg, facts: ids});
      return undefined;
    }
    // The one that can be heard for longest.
    const since = (id: string) => server.peers.activeSince(id) ?? Infinity;
    const heard = others.filter(id => since(id) !== Infinity).sort((a, b) => since(a) - since(b));
    return heard[0];
  }

  #close(): void {
    this.#logClosing('closed etcd server', 428);
    this.#options.daemon.exit(0);
  }

  #logClosing(msg: string, line: number): void {
    const {daemon, name, dataDir = '/var/lib/etcd', initialAdvertisePeerUrls, advertiseClientUrls} = this.#options;
    const facts = {
      name,
      'data-dir': dataDir,
      'advertise-peer-urls': initialAdvertisePeerUrls,
      'advertise-client-urls': advertiseClientUrls,
    };
    log(daemon, {level: 'info', caller: `embed/etcd.go:${line}`, msg, facts});
  }

  // Takes the ports in the order in which etcd does; the log says so for peers, clients are told of once it serves.
  #listen(): boolean {
    const {listenPeerUrls, listenClientUrls, listenMetricsUrls} = this.#options;
    // Before it knows who it is, it has nothing to say to anybody.
    const peer = (call: Call) => (this.#server ? servePeer(this.#server, call) : call.end('refused'));
    const {tls = {}} = this.#options;
    const probe = (call: Call) => (this.#server ? serveHealth(this.#server, call) : call.end('refused'));
    // The port of the clients answers what is asked over HTTP like the one of the probes.
    const client = (call: Call) => (isHttp(call.request) ? probe(call) : this.#serve(call));
    return (
      this.#take(listenPeerUrls, PEER_PORT, peer, tls.peer) &&
      this.#take(listenClientUrls, CLIENT_PORT, client, tls.client) &&
      this.#take(listenMetricsUrls, METRICS_PORT, probe)
    );
  }

  // A URL of plain http is served plainly, whatever certificates there are.
  #take(urls: readonly string[] | undefined, port: number, listener: (call: Call) => void, door?: TlsDoor): boolean {
    const {daemon} = this.#options;
    const secure = door ? (call: Call) => door.take(call, listener) : listener;
    for (const url of urls ?? [`https://0.0.0.0:${port}`]) {
      const at = hostAndPort(url);
      if (!at || daemon.listen(at.port, url.startsWith('http:') ? listener : secure, urls ? at.host : undefined)) continue;
      this.#fail(`listen tcp ${at.host}:${at.port}: bind: address already in use`);
      return false;
    }
    return true;
  }

  #logPorts(): void {
    const {daemon, listenPeerUrls = [], listenMetricsUrls = []} = this.#options;
    for (const address of listenMetricsUrls) {
      log(daemon, {level: 'info', caller: 'embed/etcd.go:890', msg: 'serving metrics', facts: {address}});
    }
    for (const url of listenPeerUrls) {
      const address = url.replace(/^https?:\/\//, '');
      log(daemon, {level: 'info', caller: 'embed/etcd.go:640', msg: 'serving peer traffic', facts: {address}});
    }
  }

  // A member that has not found its place takes connections and leaves them waiting.
  #serve(call: Call): void {
    if (this.#ready && this.#server) serve(this.#server, call);
    else this.#held.push(call);
  }

  #begin(boot: Boot): void {
    const {daemon, disk, quotaBackendBytes} = this.#options;
    const {backend} = disk;
    if (!backend) return this.#fail('the data directory holds no state');
    const facts = {'local-member-id': boot.id, 'cluster-id': backend.membership.clusterId};
    log(daemon, {level: 'info', caller: 'etcdserver/bootstrap.go:499', msg: 'starting local member', facts});
    const {ledger} = backend;
    if (quotaBackendBytes !== undefined) ledger.quotaBytes = quotaBackendBytes;
    const quota = {'quota-name': 'v3-applier', 'quota-size-bytes': ledger.quotaBytes, 'quota-size': goBytes(ledger.quotaBytes)};
    const msg = quotaBackendBytes === undefined ? 'enabled backend quota with default value' : 'enabled backend quota';
    log(daemon, {level: 'info', caller: 'storage/quota.go:93', msg, facts: quota});
    this.#server = new Server(this.#options, boot, {backend, ready: () => this.#open()});
    this.#logPorts();
    this.#server.start();
  }

  #open(): void {
    const server = this.#server;
    if (!server) return;
    this.#ready = true;
    log(server.daemon, {level: 'info', caller: 'embed/serve.go:138', msg: 'ready to serve client requests'});
    for (const url of this.#options.listenClientUrls ?? []) {
      const facts = {traffic: 'grpc+http', address: url.replace(/^https?:\/\//, '')};
      log(server.daemon, {level: 'info', caller: 'embed/serve.go:283', msg: 'serving client traffic securely', facts});
    }
    const held = this.#held;
    this.#held = [];
    for (const call of held) serve(server, call);
  }

  #failOnDatabase(): void {
    const {daemon, dataDir = '/var/lib/etcd'} = this.#options;
    const broken = 'both meta pages are invalid, meta0: invalid database, meta1: invalid database';
    log(daemon, {level: 'error', logger: 'bbolt', caller: 'bbolt@v1.4.3/db.go:292', msg: broken});
    const facts = {path: `${dataDir}/member/snap/db`, error: 'invalid database'};
    log(daemon, {level: 'panic', caller: 'backend/backend.go:205', msg: 'failed to open database', facts});
    daemon.print('panic: failed to open database');
    daemon.exit(2);
  }

  #fail(error: string): void {
    const {daemon} = this.#options;
    if (error.startsWith('error validating')) {
      log(daemon, {level: 'error', caller: 'etcdserver/server.go:309', msg: 'bootstrap failed', facts: {error}});
    }
    log(daemon, {level: 'fatal', caller: 'etcdmain/etcd.go:183', msg: 'discovery failed', facts: {error}});
    daemon.exit(1);
  }
}

function isHttp(request: unknown): boolean {
  return typeof request === 'object' && request !== null && 'path' in request;
}

/** Starts etcd on its machine. It needs no more from its caller; `terminate` is SIGTERM, `daemon.exit(137)` SIGKILL. */
export function startEtcd(options: EtcdOptions): Member {
  return new Member(options);
}
