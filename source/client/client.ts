// How a component speaks to the API server: it dials the server's address with what proves who it is. Answers are values:
// the object, or a Status that says why not. A server that cannot be reached gives a Status too, with code 0.
import type {Status} from '../api/kinds/meta.ts';
import {isStatus} from '../api/meta/object.ts';
import type {ClientCertificate} from '../api/pki/certificate.ts';
import type {Answer, Request} from '../api/wire/http.ts';
import type {Daemon} from '../sim/daemon.ts';
import {Deadlines, type Deadline} from '../sim/deadlines.ts';
import {isTlsFailure, type ClientHello} from '../api/wire/tls.ts';
import type {Caller, Failure, Receiver} from '../sim/network.ts';
import {wait, type Task} from '../sim/task.ts';
import {failureWords, requestWords, type NoAnswer, type Target} from './unreachable.ts';

/** What a request came to. */
export type Result<T> =
  | {readonly ok: true; readonly value: T}
  | {readonly ok: false; readonly status: Status; readonly failure?: NoAnswer | 'tls'};

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
  /** It tells the server how long that is. */
  readonly statesTimeout?: boolean;
  /** The keys of the authorities that may have signed the server's certificate; absent: it looks at none. */
  readonly trusts?: readonly string[] | undefined;
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
  readonly #target: Target;
  /** No connection stands: the next request looks at the server's certificate first. */
  #mustGreet: boolean;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.daemon.scope, options.timeoutMs ?? TIMEOUT_MS);
    this.#plainHeaders = Object.freeze({'user-agent': options.userAgent});
    this.daemon = options.daemon;
    this.userAgent = options.userAgent;
    this.#mustGreet = options.trusts !== undefined;
    const {host, port, statesTimeout, timeoutMs = TIMEOUT_MS} = options;
    this.#target = {host, port, statedTimeoutSeconds: statesTimeout ? Math.round(timeoutMs / 1000) : undefined};
  }

  /** The same client, with a time of its own for each answer, which it tells the server. */
  withTimeout(timeoutMs: number): Client {
    return new Client({...this.#options, timeoutMs, statesTimeout: true});
  }

  /** Sends a request; `done` hears what it came to. For loops that need not wait. */
  send<T>(request: Request, done?: (result: Result<T>) => void): void {
    const {daemon, host, port} = this.#options;
    const sent = new Sent<T>(request, done, this.#deadlines, this.#answered);
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
      answer: answer => hear.answer(this.#answered(request, answer as Answer, undefined) as Result<unknown>),
      frame: frame => hear.frame(frame as F),
      end: failure => {
        if (failure !== undefined) this.#mustGreet = this.#options.trusts !== undefined;
        hear.end(failure);
      },
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
    if (this.#mustGreet) signed.hello = this.#hello;
    return signed;
  }

  get #hello(): ClientHello {
    const {host, trusts, daemon} = this.#options;
    return {trusts, name: host, now: daemon.wall()};
  }

  /** What came of a request: an answer, or none and why. */
  readonly #answered = (request: Request, answer: Answer | undefined, failure: NoAnswer | undefined): Result<unknown> => {
    if (answer) {
      if (!this.#mustGreet) return resultOf(answer);
      if (isTlsFailure(answer.body)) return this.#lost(request, answer.body.tlsFailure, 'tls');
      this.#mustGreet = false;
      return resultOf(answer);
    }
    this.#mustGreet = this.#options.trusts !== undefined;
    const why = failure ?? 'closed';
    return this.#lost(request, failureWords(why, this.#target), why);
  };

  #lost(request: Request, why: string, failure: NoAnswer | 'tls'): Result<never> {
    const message = requestWords(request, this.#target, why);
    return {ok: false, failure, status: {apiVersion: 'v1', kind: 'Status', status: 'Failure', message, code: 0}};
  }
}

type Answered = (request: Request, answer: Answer | undefined, failure: NoAnswer | undefined) => Result<unknown>;

/** A request that waits for its answer. There are many, so it has no closures. */
class Sent<T> implements Receiver {
  readonly #request: Request;
  readonly #done: ((result: Result<T>) => void) | undefined;
  readonly #deadlines: Deadlines;
  readonly #answered: Answered;
  #deadline: Deadline | undefined;
  #caller: Caller | undefined;
  #over = false;

  constructor(request: Request, done: ((result: Result<T>) => void) | undefined, deadlines: Deadlines, answered: Answered) {
    this.#request = request;
    this.#done = done;
    this.#deadlines = deadlines;
    this.#answered = answered;
  }

  begin(caller: Caller): void {
    this.#caller = caller;
    if (!this.#over) this.#deadline = this.#deadlines.add(this);
  }

  answer(answer: unknown): void {
    this.#finish(answer as Answer, undefined);
  }

  end(failure: Failure | undefined): void {
    this.#finish(undefined, failure ?? 'closed');
  }

  /** The deadline has passed. */
  miss(): void {
    this.#caller?.cancel();
    this.#finish(undefined, 'timeout');
  }

  #finish(answer: Answer | undefined, failure: NoAnswer | undefined): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#deadline) this.#deadlines.met(this.#deadline);
    const result = this.#answered(this.#request, answer, failure);
    this.#done?.(result as Result<T>);
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
