// How etcdctl speaks to members: it connects (TCP, then TLS), asks, and waits until the command's time is up. While it cannot
// connect it tries again; what it tells at the end is what went wrong last. What only reads is asked anew when a member says that
// it is unavailable. The client writes a line to standard error whenever a call has failed, as etcd's own does.
import type {Refusal, Request, Signed, StatusAnswer, WatchFrame} from '../../api/wire/etcd.ts';
import {isTlsFailure, type ClientHello, type TlsRequest} from '../../api/wire/tls.ts';
import type {Connection, Process} from '../../sim/process/process.ts';
import {digestOf} from '../../api/pki/certificate.ts';
import {Ended} from './exit.ts';

/** Where to and as whom. */
export interface ClientOptions {
  readonly endpoints: readonly string[];
  /** A greeting for a host; undefined: no TLS. */
  readonly greet: ((host: string) => ClientHello) | undefined;
  readonly timeoutMs: number;
  /** As the log line has it. */
  readonly logger: string;
  /** What a password brought. */
  readonly token?: string;
}

/** An answer, or why there is none: the text of the command's error. */
export type Asked<A> = {readonly ok: true; readonly answer: A} | {readonly ok: false; readonly message: string};

interface Place {
  readonly endpoint: string;
  readonly host: string;
  readonly port: number;
}

const AGAIN_MS = 1000;
const RETRY_MS = 50;
const HANDSHAKE_MS = 8;
const REPEATABLE = new Set(['range', 'members', 'status', 'alarm', 'hash', 'leases', 'lease-time-to-live']);

const METHODS: Readonly<Record<string, string>> = {
  range: 'KV/Range',
  put: 'KV/Put',
  delete: 'KV/DeleteRange',
  txn: 'KV/Txn',
  compact: 'KV/Compact',
  'lease-grant': 'Lease/LeaseGrant',
  'lease-revoke': 'Lease/LeaseRevoke',
  'lease-time-to-live': 'Lease/LeaseTimeToLive',
  leases: 'Lease/LeaseLeases',
  members: 'Cluster/MemberList',
  'member-add': 'Cluster/MemberAdd',
  'member-remove': 'Cluster/MemberRemove',
  'member-update': 'Cluster/MemberUpdate',
  'member-promote': 'Cluster/MemberPromote',
  'move-leader': 'Maintenance/MoveLeader',
  status: 'Maintenance/Status',
  alarm: 'Maintenance/Alarm',
  defragment: 'Maintenance/Defragment',
  hash: 'Maintenance/HashKV',
  snapshot: 'Maintenance/Snapshot',
  'auth-status': 'Auth/AuthStatus',
  'auth-enable': 'Auth/AuthEnable',
  'auth-disable': 'Auth/AuthDisable',
  authenticate: 'Auth/Authenticate',
  users: 'Auth/UserList',
  'user-get': 'Auth/UserGet',
  'user-add': 'Auth/UserAdd',
  'user-delete': 'Auth/UserDelete',
  'user-passwd': 'Auth/UserChangePassword',
  'user-grant': 'Auth/UserGrantRole',
  'user-revoke': 'Auth/UserRevokeRole',
  roles: 'Auth/RoleList',
  'role-get': 'Auth/RoleGet',
  'role-add': 'Auth/RoleAdd',
  'role-delete': 'Auth/RoleDelete',
  'role-grant': 'Auth/RoleGrantPermission',
  'role-revoke': 'Auth/RoleRevokePermission',
};

/** A client of one cluster. */
export class EtcdClient {
  readonly #process: Process;
  readonly #options: ClientOptions;
  readonly #hellos = new Map<string, ClientHello>();

  constructor(process: Process, options: ClientOptions) {
    this.#process = process;
    this.#options = options;
  }

  /** The same for other endpoints. */
  to(endpoints: readonly string[], logger = this.#options.logger): EtcdClient {
    return new EtcdClient(this.#process, {...this.#options, endpoints, logger});
  }

  /** The same for a child of the process. */
  in(process: Process): EtcdClient {
    return new EtcdClient(process, this.#options);
  }

  /** The same in the name of somebody. */
  as(token: string): EtcdClient {
    return new EtcdClient(this.#process, {...this.#options, token});
  }

  get endpoints(): readonly string[] {
    return this.#options.endpoints;
  }

  /** Asks, and says on standard error when it failed. */
  async ask<A>(request: Request, quiet = false): Promise<Asked<A>> {
    const deadline = this.#now + this.#options.timeoutMs;
    for (;;) {
      const place = await this.#connect(deadline);
      if ('why' in place) return this.#late(request, place.why, quiet);
      const reply = await this.#call<A & Partial<Refusal>>(place, request, deadline);
      if (!reply.ok && reply.failure === 'timeout') return this.#late(request, 'context deadline exceeded', quiet);
      if (!reply.ok) {
        if (REPEATABLE.has(request.kind) && this.#now < deadline) continue;
        const why = 'error reading from server: EOF';
        await this.#complain(request, `code = Unavailable desc = ${why}`, quiet);
        return {ok: false, message: `rpc error: code = Unavailable desc = ${why}`};
      }
      const {error} = reply.answer;
      if (!error) return {ok: true, answer: reply.answer};
      if (error.code === 'Unavailable' && REPEATABLE.has(request.kind)) {
        if (this.#now + RETRY_MS >= deadline) return this.#late(request, 'context deadline exceeded', quiet);
        await this.#process.sleep(RETRY_MS);
        continue;
      }
      await this.#complain(request, `code = ${error.code} desc = ${error.message}`, quiet);
      return {ok: false, message: error.message};
    }
  }

  /** Asks, and ends the command when that fails. */
  async must<A>(request: Request): Promise<A> {
    const asked = await this.ask<A>(request);
    if (!asked.ok) throw new Ended(asked.message);
    return asked.answer;
  }

  /** Opens a watch; undefined when no member can be reached in time. */
  async watch(request: Request): Promise<Connection<{readonly error?: Refusal['error']}, WatchFrame> | undefined> {
    const place = await this.#connect(this.#now + this.#options.timeoutMs);
    if ('why' in place) return undefined;
    const opened = await this.#process.connect<{readonly error?: Refusal['error']}, WatchFrame>(
      place.host,
      place.port,
      this.#over(place, request),
    );
    return 'answer' in opened ? opened : undefined;
  }

  /** Finds a member that takes calls. */
  async #connect(deadline: number): Promise<Place | {readonly why: string}> {
    let why = 'context deadline exceeded while waiting for connections to become ready';
    for (let waitMs = AGAIN_MS; ; waitMs *= 1.6) {
      for (const endpoint of this.#options.endpoints) {
        const place = placeOf(endpoint);
        if (this.#now >= deadline) return {why};
        await this.#shakeHands(place);
        const reply = await this.#call<StatusAnswer>(place, {kind: 'status'}, deadline);
        if (reply.ok) return place;
        if (reply.failure === 'timeout') return {why};
        const {host, port} = place;
        why = `latest balancer error: connection error: desc = ${JSON.stringify(reply.why ?? dialWords(reply.failure, `${host}:${port}`))}`;
      }
      if (this.#now + waitMs >= deadline) {
        await this.#process.sleep(Math.max(0, deadline - this.#now));
        return {why};
      }
      await this.#process.sleep(waitMs);
    }
  }

  /** A greeting costs time to compute, now more and now less. */
  async #shakeHands({endpoint, host}: Place): Promise<void> {
    const {greet} = this.#options;
    if (!greet || endpoint.startsWith('http://') || this.#hellos.has(host)) return;
    const more = Number.parseInt(digestOf(`${this.#process.pid} ${endpoint} ${this.#now}`, 8), 16) / 2 ** 32;
    await this.#process.cpu(HANDSHAKE_MS * (1 + more));
  }

  async #call<A>(
    place: Place,
    request: Request,
    deadline: number,
  ): Promise<{readonly ok: true; readonly answer: A} | {readonly ok: false; readonly failure: string; readonly why?: string}> {
    const {host, port} = place;
    const reply = await this.#process.call<A>(host, port, this.#over(place, request), Math.max(0, deadline - this.#now));
    if (!reply.ok) return reply;
    if (!isTlsFailure(reply.answer)) return {ok: true, answer: reply.answer};
    this.#hellos.delete(host);
    return {ok: false, failure: 'tls', why: `transport: authentication handshake failed: ${reply.answer.tlsFailure}`};
  }

  #over({endpoint, host}: Place, asked: Request): Request | TlsRequest {
    const {greet, token} = this.#options;
    const request: Signed = token === undefined ? asked : {...asked, token};
    if (!greet || endpoint.startsWith('http://')) return request;
    const tls = this.#hellos.get(host) ?? greet(host);
    this.#hellos.set(host, tls);
    return {tls, request};
  }

  async #late<A>(request: Request, why: string, quiet: boolean): Promise<Asked<A>> {
    await this.#complain(request, `code = DeadlineExceeded desc = ${why}`, quiet);
    return {ok: false, message: 'context deadline exceeded'};
  }

  /** The line that etcd's client library writes about a failed call. */
  async #complain({kind}: Request, rpcError: string, quiet: boolean): Promise<void> {
    if (quiet) return;
    const {logger, endpoints} = this.#options;
    const [first = ''] = endpoints;
    const target = `etcd-endpoints://0x${digestOf(`${this.#process.pid} ${first}`, 11)}/${first.replace(/^https?:\/\//, '')}`;
    const line = {
      level: 'warn',
      ts: timestamp(this.#process.machine.wall()),
      logger,
      caller: 'v3@v3.6.6/retry_interceptor.go:65',
      msg: 'retrying of unary invoker failed',
      target,
      method: `/etcdserverpb.${METHODS[kind] ?? kind}`,
      attempt: 0,
      error: `rpc error: ${rpcError}`,
    };
    await this.#process.err(`${JSON.stringify(line)}\n`);
  }

  get #now(): number {
    return this.#process.kernel.clock.now;
  }
}

/** A time as etcd's loggers write it. */
export function timestamp(ms: number): string {
  const micros = String(Math.floor((ms % 1) * 1000)).padStart(3, '0');
  return `${new Date(Math.floor(ms)).toISOString().slice(0, 23)}${micros}Z`;
}

function placeOf(endpoint: string): Place {
  const [, host = '', port] = /^(?:https?:\/\/)?([^/:]+)(?::(\d+))?/.exec(endpoint) ?? [];
  return {endpoint, host, port: Number(port ?? 2379)};
}

function dialWords(failure: string, at: string): string {
  if (failure === 'refused') return `transport: Error while dialing: dial tcp ${at}: connect: connection refused`;
  if (failure === 'unresolved')
    return `transport: Error while dialing: dial tcp: lookup ${at.replace(/:\d+$/, '')}: no such host`;
  return 'error reading server preface: EOF';
}
