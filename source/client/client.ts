// How a component speaks to the API server: it dials the server's address with what proves who it is. Answers are values:
// the object, or a Status that says why not. A server that cannot be reached gives a Status too, with code 0.
import type {Status} from '../api/kinds/meta.ts';
import {isStatus} from '../api/meta/object.ts';
import type {Answer, ClientCertificate, Request} from '../api/wire/http.ts';
import type {Daemon} from '../sim/daemon.ts';
import {Deadlines, type Deadline} from '../sim/deadlines.ts';
import type {Caller, Failure, Receiver} from '../sim/network.ts';
import {wait, type Task} from '../sim/task.ts';

/** What a request came to. */
export type Result<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly status: Status; readonly failure?: Failure | 'timeout'};

/** Who the client is. */
export interface Credentials {
  readonly certificate?: ClientCertificate;
  /** A bearer token; asked for at each request, since tokens are renewed. */
  readonly token?: () => string | undefined;
}

export interface ClientOptions {
  readonly daemon: Daemon;
  readonly host: string;
  readonly port: number;
  readonly credentials: Credentials;
  /** As in `User-Agent`; the part before the slash names the manager of fields. */
  readonly userAgent: string;
  /** How long an answer may take before the connection counts as lost. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 62_000;

/** A component's client. */
export class Client {
  readonly daemon: Daemon;
  readonly userAgent: string;
  readonly #options: ClientOptions;
  readonly #deadlines: Deadlines;
  /** The headers of a request that brings none of its own, for one who needs no token. */
  readonly #plainHeaders: Readonly<Record<string, string>>;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.daemon.scope, options.timeoutMs ?? TIMEOUT_MS);
    this.#plainHeaders = Object.freeze({'user-agent': options.userAgent});
    this.daemon = options.daemon;
    this.userAgent = options.userAgent;
  }

  /** Sends a request; `done` hears what it came to. For loops that need not wait. */
  send<T>(request: Request, done?: (result: Result<T>) => void): void {
    const {daemon, host, port} = this.#options;
    const sent = new Sent<T>(done, this.#deadlines, this.#unreachable);
    sent.begin(daemon.dial(host, port, this.#signed(request), sent));
  }

  /** Sends a request and waits for what it came to. */
  *ask<T>(request: Request): Task<Result<T>> {
    return yield* wait<Result<T>>(wake => this.send<T>(request, wake));
  }

  /** Sends a request whose answer is followed by frames, until `end`. */
  stream<F>(
    request: Request,
    hear: {answer(result: Result<unknown>): void; frame(frame: F): void; end(failure: Failure | undefined): void},
  ): Caller {
    const {daemon, host, port} = this.#options;
    return daemon.dial(host, port, this.#signed(request), {
      answer: answer => hear.answer(resultOf(answer as Answer)),
      frame: frame => hear.frame(frame as F),
      end: failure => hear.end(failure),
    });
  }

  #signed(request: Request): Request {
    const {credentials, userAgent} = this.#options;
    const token = credentials.token?.();
    const signed: {-readonly [K in keyof Request]: Request[K]} = {...request, scheme: 'https', headers: this.#plainHeaders};
    if (request.headers || token !== undefined)
      signed.headers = {
        ...request.headers,
        'user-agent': userAgent,
        ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
      };
    if (credentials.certificate) signed.certificate = credentials.certificate;
    return signed;
  }

  readonly #unreachable = (failure: Failure | 'timeout'): Result<never> => {
    const {host, port} = this.#options;
    const words = {
      refused: `dial tcp ${host}:${port}: connect: connection refused`,
      reset: `read tcp ${host}:${port}: read: connection reset by peer`,
      closed: 'EOF',
      unresolved: `dial tcp: lookup ${host}: no such host`,
      timeout: `dial tcp ${host}:${port}: i/o timeout`,
    }[failure];
    return {ok: false, failure, status: {apiVersion: 'v1', kind: 'Status', status: 'Failure', message: words, code: 0}};
  };
}

/** A request that waits for its answer. There are many, so it has no closures. */
class Sent<T> implements Receiver {
  readonly #done: ((result: Result<T>) => void) | undefined;
  readonly #deadlines: Deadlines;
  readonly #unreachable: (failure: Failure | 'timeout') => Result<never>;
  #deadline: Deadline | undefined;
  #caller: Caller | undefined;
  #over = false;

  constructor(
    done: ((result: Result<T>) => void) | undefined,
    deadlines: Deadlines,
    unreachable: (failure: Failure | 'timeout') => Result<never>,
  ) {
    this.#done = done;
    this.#deadlines = deadlines;
    this.#unreachable = unreachable;
  }

  begin(caller: Caller): void {
    this.#caller = caller;
    if (!this.#over) this.#deadline = this.#deadlines.add(this);
  }

  answer(answer: unknown): void {
    this.#finish(resultOf<T>(answer as Answer));
  }

  end(failure: Failure | undefined): void {
    this.#finish(this.#unreachable(failure ?? 'closed'));
  }

  /** The deadline has passed. */
  miss(): void {
    this.#caller?.cancel();
    this.#finish(this.#unreachable('timeout'));
  }

  #finish(result: Result<T>): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#deadline) this.#deadlines.met(this.#deadline);
    this.#done?.(result);
  }
}

/** What an answer of the API server means. */
export function resultOf<T>(answer: Answer): Result<T> {
  if (answer.status < 400) return {ok: true, value: answer.body as T};
  if (isStatus(answer.body)) return {ok: false, status: answer.body};
  return {
    ok: false,
    status: {apiVersion: 'v1', kind: 'Status', status: 'Failure', message: wordsOf(answer.body), code: answer.status},
  };
}

function wordsOf(body: unknown): string {
  if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message);
  return String(body);
}

/** Was it refused for that reason, such as `NotFound`, `AlreadyExists`, `Conflict`? */
export function failedAs(result: Result<unknown>, reason: string): boolean {
  return !result.ok && result.status.reason === reason;
}
