// How the server speaks to etcd: one member at a time, the next one when that refuses or is gone. A member without a leader
// takes requests and does not answer, so every request has a deadline: 60 seconds for what only reads, 34 for what writes, as
// a real server has. A write whose connection broke in the middle is not sent again, since it may have been done.
import type {
  OperationAnswer,
  RangeAnswer,
  RangeRequest,
  Refusal,
  Request,
  TransactionAnswer,
  TransactionRequest,
} from '../../../api/wire/etcd.ts';
import {isTlsFailure, type ClientHello, type TlsRequest} from '../../../api/wire/tls.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import type {Caller, Failure} from '../../../sim/network.ts';
import {Deadlines} from '../../../sim/deadlines.ts';
import {sleep, wait, type Task} from '../../../sim/task.ts';

/** Where a member listens for clients. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Why etcd gave no answer. */
export class EtcdFailure {
  readonly kind: 'timeout' | 'refused' | 'broken' | 'error';
  readonly message: string;
  readonly code: string;

  constructor(kind: EtcdFailure['kind'], message: string, code = '') {
    this.kind = kind;
    this.message = message;
    this.code = code;
  }
}

const READ_MS = 60_000;
const WRITE_MS = 34_000;
const AGAIN_MS = 250;
const COMPLAIN_MS = 1000;

/** The server's connection to etcd. */
export class EtcdConnection {
  readonly #daemon: Daemon;
  readonly #endpoints: readonly Endpoint[];
  readonly #reads: Deadlines;
  readonly #writes: Deadlines;
  readonly #greet: ((host: string) => ClientHello) | undefined;
  /** The greeting that the member took: the connection is open. */
  #hello: ClientHello | undefined;
  #current = 0;
  #complainedAt = -Infinity;
  /** Called when the connection goes on to another member. */
  onTurn: (() => void) | undefined;

  constructor(daemon: Daemon, endpoints: readonly Endpoint[], greet?: (host: string) => ClientHello) {
    this.#daemon = daemon;
    this.#endpoints = endpoints;
    this.#greet = greet;
    this.#reads = new Deadlines(daemon.scope, READ_MS);
    this.#writes = new Deadlines(daemon.scope, WRITE_MS);
  }

  /** All members, as the client library shows them. */
  get shown(): string {
    const scheme = this.#greet ? 'https' : 'http';
    return `[${this.#endpoints.map(({host, port}) => `${scheme}://${host}:${port}`).join(' ')}]`;
  }

  /** Reads keys. */
  *range(request: RangeRequest): Task<RangeAnswer | EtcdFailure> {
    return this.#told((yield* this.#ask(request, false)) as RangeAnswer | EtcdFailure);
  }

  /** Carries a transaction out. */
  *transact(request: TransactionRequest): Task<TransactionAnswer | EtcdFailure> {
    return this.#told((yield* this.#ask(request, true)) as TransactionAnswer | EtcdFailure);
  }

  /** What is no Status of its own is told of as the server knows it. */
  #told<T>(answer: T | EtcdFailure): T | EtcdFailure {
    if (!(answer instanceof EtcdFailure)) return answer;
    const {kind, code, message} = answer;
    const late = kind === 'timeout' ? `context.deadlineExceededError{}: ${message}` : undefined;
    const full =
      code === 'ResourceExhausted' ? `rpctypes.EtcdError{code:0x8, desc:${JSON.stringify(message)}}: ${message}` : undefined;
    const what = late ?? full;
    if (what === undefined) return answer;
    const words = JSON.stringify(`apiserver received an error that is not an metav1.Status: ${what}`);
    this.#daemon.print(`E status.go:71] "Unhandled Error" err=${words} logger="UnhandledError"`);
    return answer;
  }

  /** Any other request that may be repeated. */
  *ask<T = OperationAnswer>(request: Request): Task<T | EtcdFailure> {
    return (yield* this.#ask(request, false)) as T | EtcdFailure;
  }

  /** Finds a member that takes connections; false when there is none in time. */
  *reach(withinMs: number): Task<boolean> {
    const {clock} = this.#daemon;
    const until = clock.now + withinMs;
    for (let waitMs = AGAIN_MS * 4; ; waitMs *= 1.6) {
      const answer = yield* within(this.#once({kind: 'status'}, true), until - clock.now);
      if (!(answer instanceof EtcdFailure) || answer.kind === 'error') return true;
      if (answer.kind === 'timeout') this.#complain('transport: authentication handshake failed: context canceled');
      this.#turn();
      if (clock.now + waitMs >= until) {
        yield* sleep(Math.max(0, until - clock.now));
        return false;
      }
      yield* sleep(waitMs);
    }
  }

  /** What the client library says of a connection that came to nothing. */
  #complain(why: string): void {
    const {now} = this.#daemon.clock;
    if (now < this.#complainedAt + COMPLAIN_MS) return;
    this.#complainedAt = now;
    const {host, port} = this.#member();
    const at = JSON.stringify(Number.isNaN(port) ? host : `${host}:${port}`);
    const attributes = '{"<%!p(pickfirstleaf.managedByPickfirstKeyType={})>": "<%!p(bool=true)>" }';
    this.#daemon.print(
      `W logging.go:55] [core] [Channel #1 SubChannel #2]grpc: addrConn.createTransport failed to connect to ` +
        `{Addr: ${at}, ServerName: ${at}, BalancerAttributes: ${attributes}}. Err: connection error: desc = ${JSON.stringify(why)}`,
    );
  }

  /** Opens a watch on the current member. */
  watch(request: Request, hear: {frame(frame: unknown): void; end(): void}): Caller {
    const {host, port} = this.#member();
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      // The listener opens its watch anew anyhow: it is not told of this turn.
      this.#current++;
      this.#hello = undefined;
      hear.end();
    };
    return this.#daemon.dial(host, port, this.#over(host, request), {
      answer: (answer, more) => {
        if (!more || isRefusal(answer) || isTlsFailure(answer)) end();
      },
      frame: frame => hear.frame(frame),
      end,
    });
  }

  *#ask(request: Request, writes: boolean): Task<unknown> {
    const first = yield* this.#once(request, writes);
    // A member that says nothing may be gone without a word: the next request tries another.
    if (first instanceof EtcdFailure && first.kind === 'timeout') this.#turn();
    if (!(first instanceof EtcdFailure) || !mayRepeat(first, writes)) return first;
    const until = this.#daemon.clock.now + (writes ? WRITE_MS : READ_MS);
    for (let tries = 1; ; tries++) {
      this.#turn();
      if (tries % this.#endpoints.length === 0) yield* sleep(AGAIN_MS);
      if (this.#daemon.clock.now >= until) return new EtcdFailure('timeout', 'context deadline exceeded');
      const answer = yield* this.#once(request, writes);
      if (!(answer instanceof EtcdFailure) || !mayRepeat(answer, writes)) return answer;
    }
  }

  #once(request: Request, writes: boolean): Task<unknown> {
    const daemon = this.#daemon;
    const deadlines = writes ? this.#writes : this.#reads;
    const {host, port} = this.#member();
    return wait<unknown>(wake => {
      const caller: Caller = daemon.dial(host, port, this.#over(host, request), {
        answer: answer => {
          deadlines.met(deadline);
          if (isTlsFailure(answer)) wake(this.#unshaken(answer.tlsFailure));
          else wake(isRefusal(answer) ? new EtcdFailure('error', answer.error.message, answer.error.code) : answer);
        },
        end: failure => {
          deadlines.met(deadline);
          this.#hello = undefined;
          const broken = brokenBy(failure, {host, port});
          if (broken.kind === 'refused') this.#complain(`transport: Error while dialing: ${broken.message}`);
          else if (failure === 'closed' && !this.#greet) this.#complain('error reading server preface: EOF');
          wake(broken);
        },
      });
      const deadline = deadlines.add({
        miss: () => {
          caller.cancel();
          wake(new EtcdFailure('timeout', 'context deadline exceeded'));
        },
      });
    });
  }

  /** The request as it goes over the connection. */
  #over(host: string, request: Request): Request | TlsRequest {
    const hello = (this.#hello ??= this.#greet?.(host));
    return hello ? {tls: hello, request} : request;
  }

  #unshaken(why: string): EtcdFailure {
    this.#hello = undefined;
    this.#complain(`transport: authentication handshake failed: ${why}`);
    return new EtcdFailure('refused', `authentication handshake failed: ${why}`);
  }

  #member(): Endpoint {
    return this.#endpoints[this.#current % this.#endpoints.length] ?? {host: '127.0.0.1', port: 2379};
  }

  #turn(): void {
    if (this.#endpoints.length < 2) return;
    this.#hello = undefined;
    this.#current++;
    this.onTurn?.();
  }
}

/** A task's value, or a failure when it takes too long. */
function* within(task: Task<unknown>, ms: number): Task<unknown> {
  return yield* wait<unknown>((wake, scope) => {
    const timer = scope.after(ms, () => wake(new EtcdFailure('timeout', 'context deadline exceeded')));
    scope.run(task, value => {
      scope.clock.cancel(timer);
      wake(value);
    });
  });
}

function mayRepeat(failure: EtcdFailure, writes: boolean): boolean {
  if (failure.kind === 'refused') return true;
  if (failure.kind === 'broken') return !writes;
  return failure.kind === 'error' && failure.code === 'Unavailable';
}

function brokenBy(failure: Failure | undefined, {host, port}: Endpoint): EtcdFailure {
  if (Number.isNaN(port)) return new EtcdFailure('refused', `dial tcp: address ${host}: missing port in address`);
  if (failure === 'unresolved') return new EtcdFailure('refused', `dial tcp: lookup ${host}: no such host`);
  if (failure === 'refused') return new EtcdFailure('refused', `dial tcp ${host}:${port}: connect: connection refused`);
  return new EtcdFailure('broken', 'rpc error: code = Unavailable desc = error reading from server: EOF');
}

function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}
