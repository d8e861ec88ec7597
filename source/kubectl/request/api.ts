// How kubectl asks the API server: one request at a time over the connection that the kubeconfig describes. What comes back is
// the body of a good answer, or a Failure. Warnings that the server sends along are printed, each once.
import type {Status} from '../../api/kinds/meta.ts';
import {isStatus} from '../../api/meta/object.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {isTlsFailure} from '../../api/wire/tls.ts';
import type {Failure as NetworkFailure} from '../../sim/network.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Connection} from '../config/connection.ts';
import {Failure, failStatus} from '../failure.ts';
import {genericStatus} from './generic-status.ts';
import {klogTime} from './klog.ts';
import {limited, type Opened} from './limited.ts';
import {askLogin, type Login} from './login.ts';
import type {Trace} from './trace.ts';

/** Virtual CPU time that kubectl uses for a request and its answer. */
const REQUEST_COST_MS = 0.2;

export interface AskOptions {
  /** How long this answer may take, where it is less than what `--request-timeout` allows. */
  readonly timeoutMs?: number;
}

/** The server as kubectl sees it. */
export class Api {
  readonly connection: Connection;
  readonly #process: Process;
  readonly #trace: Trace;
  readonly #warned = new Set<string>();
  #warnings = 0;
  #login: Login | undefined;

  constructor(process: Process, connection: Connection, trace: Trace) {
    this.#process = process;
    this.connection = connection;
    this.#trace = trace;
  }

  /** How many warnings the server has sent. */
  get warnings(): number {
    return this.#warnings;
  }

  /** Asks and waits for the answer's body. */
  async ask<T = unknown>(request: Request, options: AskOptions = {}): Promise<T | Failure> {
    const opened = await this.open(request, options);
    if (opened instanceof Failure) return opened;
    opened.close();
    return opened.answer.body as T;
  }

  /** Asks, and keeps the call for the frames that follow. */
  async open<F = never>(request: Request, options: AskOptions = {}): Promise<Opened<F> | Failure> {
    const {host, port} = this.connection;
    await this.#process.cpu(REQUEST_COST_MS);
    const timeoutMs = Math.min(options.timeoutMs ?? Infinity, this.connection.timeoutMs);
    const login = this.connection.isNobody ? (this.#login ?? (await askLogin(this.#process))) : undefined;
    if (login instanceof Failure) return login;
    this.#login = login;
    const signed = this.signed(request, login ?? this.connection.basic);
    const url = `${this.connection.server}${pathText(request)}`;
    await this.#trace.request(signed, url);
    const {clock} = this.#process.kernel;
    const sentAt = clock.now;
    const unread = await this.#unreadKey(request);
    if (unread) return unread;
    const opened = await this.#process.connect<Answer, F>(host, port, signed, timeoutMs);
    if (!('answer' in opened)) return this.#unreachable(request, opened.failure);
    if (isTlsFailure(opened.answer.body)) return this.#failed(request, opened.answer.body.tlsFailure);
    await this.#trace.answer(signed, url, {answer: opened.answer, ms: clock.now - sentAt});
    await this.#warn(opened.answer);
    const refused = refusalOf(request, opened.answer);
    // Only what is fetched ends by the client's clock; conversations with containers do not.
    if (!refused) return limited(opened, request.method === 'GET' ? sentAt + timeoutMs : Infinity, clock);
    opened.close();
    return refused;
  }

  /** The request in the name of the kubeconfig's user. */
  signed(request: Request, basic: Login | undefined = this.connection.basic): Request {
    const {scheme, certificate, token, impersonation, trust} = this.connection;
    const hello = trust && {...trust, now: this.#process.machine.wall()};
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': USER_AGENT,
      ...impersonation,
      ...request.headers,
    };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    else if (basic)
      headers['authorization'] = `Basic ${Buffer.from(`${basic.username}:${basic.password}`, 'utf8').toString('base64')}`;
    return {...request, scheme, headers, ...(certificate ? {certificate} : {}), ...(hello ? {hello} : {})};
  }

  #unreachable(request: Request, failure: NetworkFailure | 'timeout'): Failure {
    const {host, port} = this.connection;
    const error = {
      refused: `dial tcp ${host === 'localhost' ? '127.0.0.1' : host}:${port}: connect: connection refused`,
      reset: `read tcp ${host}:${port}: read: connection reset by peer`,
      closed: 'EOF',
      unresolved: `dial tcp: lookup ${host}: no such host`,
      timeout: 'net/http: request canceled (Client.Timeout exceeded while awaiting headers)',
    }[failure];
    return this.#failed(request, error);
  }

  #failed(request: Request, error: string): Failure {
    const url = `${this.connection.server}${pathText(request)}`;
    return new Failure({type: 'unreachable', method: methodWord(request.method), url, error});
  }

  /** A client certificate in files is loaded with its key when the connection opens: each time anew, and it is told. */
  async #unreadKey(request: Request): Promise<Failure | undefined> {
    const {keyProblem} = this.connection;
    if (keyProblem === undefined) return undefined;
    const said = `cert_rotation.go:172] "Loading client cert failed" err=${JSON.stringify(keyProblem)} key="key"`;
    await this.#process.err(`E${klogTime(this.#process)} ${said}\n`);
    return this.#failed(request, keyProblem);
  }

  async #warn(answer: Answer): Promise<void> {
    for (const text of warningsOf(answer.headers?.['warning'])) {
      this.#warnings++;
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      await this.#process.err(`Warning: ${text}\n`);
    }
  }
}

const USER_AGENT = 'kubectl/v1.35.2 (linux/amd64) kubernetes/fdc9d74';

function methodWord(method: string): string {
  return method.charAt(0) + method.slice(1).toLowerCase();
}

/** The path and query of a request as they stand in a URL. */
export function pathText(request: Request): string {
  const query = Object.entries(request.query ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`);
  return `${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function warningsOf(header: string | undefined): string[] {
  if (header === undefined) return [];
  return [...header.matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replaceAll(/\\(.)/g, '$1'));
}

function refusalOf(request: Request, answer: Answer): Failure | undefined {
  if (answer.status < 400) return undefined;
  return failStatus(isStatus(answer.body) ? refine(answer.body, answer.status) : genericStatus(request, answer));
}

function refine(status: Status, code: number): Status {
  return status.code === undefined ? {...status, code} : status;
}
