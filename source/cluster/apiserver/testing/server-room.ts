// A room for tests of the API server: a network with a fake etcd, a server on it, and people who ask.
import type {ClientCertificate} from '../../../api/pki/certificate.ts';
import type {Answer, Request, WatchEvent} from '../../../api/wire/http.ts';
import {Clock} from '../../../sim/clock.ts';
import {Daemon} from '../../../sim/daemon.ts';
import {Dice} from '../../../sim/dice.ts';
import {Network, type Caller} from '../../../sim/network.ts';
import {Trace} from '../../../sim/trace.ts';
import {startApiServer, type ApiServer} from '../server.ts';
import type {ApiServerOptions} from '../settings.ts';
import {FakeEtcd} from './fake-etcd.ts';

export const START = Date.UTC(2026, 10, 30, 4, 20, 20);

/** A certificate that the test cluster trusts. */
export function certificate(commonName: string, ...organizations: string[]): ClientCertificate {
  return Object.freeze({
    commonName,
    organizations,
    authority: 'kubernetes',
    notBefore: START - 1000,
    notAfter: START + 365 * 86_400_000,
  });
}

const ADMIN = certificate('kubernetes-admin', 'system:masters');

/** The room. */
export class ServerRoom {
  readonly clock = new Clock();
  readonly network = new Network(this.clock);
  readonly trace = new Trace(this.clock);
  readonly etcd: FakeEtcd;
  server: ApiServer;
  daemon: Daemon;
  as: ClientCertificate | undefined = ADMIN;
  readonly #options: Partial<ApiServerOptions>;

  constructor(options: Partial<ApiServerOptions> = {}) {
    const {clock, network} = this;
    network.attach('cp-1', '10.0.0.10');
    network.attach('laptop', '192.168.0.2');
    this.etcd = new FakeEtcd(network, clock, '10.0.0.10');
    this.#options = options;
    this.daemon = this.#newDaemon();
    this.server = this.#start();
  }

  /** Ends the server and starts it anew, on the same etcd. */
  restart(): void {
    this.daemon.exit(0);
    this.pass(10);
    this.daemon = this.#newDaemon();
    this.server = this.#start();
  }

  /** Starts a server anew and waits for nothing. */
  restartAlone(): Daemon {
    this.daemon = this.#newDaemon();
    this.server = startApiServer(this.#serverOptions());
    return this.daemon;
  }

  get admin(): ClientCertificate {
    return ADMIN;
  }

  #newDaemon(): Daemon {
    const {clock, network, trace} = this;
    return new Daemon('kube-apiserver', 1, {
      clock,
      trace,
      dice: new Dice(7),
      host: 'cp-1',
      wall: () => START + clock.now,
      dial: (host, port, request, receiver) => network.call('10.0.0.10', host, port, request, receiver),
      listen: (port, listener, address = '10.0.0.10') => network.listen(address, port, listener),
    });
  }

  #serverOptions(): ApiServerOptions {
    return {
      daemon: this.daemon,
      etcd: [{host: '10.0.0.10', port: 2379}],
      clientAuthority: 'kubernetes',
      tokenSeed: 'seed',
      advertiseAddress: '10.0.0.10',
      ...this.#options,
    };
  }

  #start(): ApiServer {
    const server = startApiServer(this.#serverOptions());
    let ready = false;
    server.onReady(() => (ready = true));
    while (!ready && this.clock.step());
    return server;
  }

  /** Sends a request over the network and waits for the answer. */
  ask(request: Request): Answer {
    let answer: Answer | undefined;
    const {as} = this;
    this.network.call(
      '192.168.0.2',
      '10.0.0.10',
      6443,
      {...(as ? {certificate: as} : {}), ...request},
      {answer: given => (answer = given as Answer), end: failure => (answer = {status: 0, body: failure})},
    );
    while (!answer && this.clock.step());
    if (!answer) throw new Error('no answer, and nothing more to happen');
    return answer;
  }

  /** Sends several requests at once and waits for all answers. */
  askAll(requests: readonly Request[]): Answer[] {
    const answers: Answer[] = [];
    let left = requests.length;
    for (const [index, request] of requests.entries()) {
      this.network.call(
        '192.168.0.2',
        '10.0.0.10',
        6443,
        {...(this.as ? {certificate: this.as} : {}), ...request},
        {
          answer: given => {
            answers[index] = given as Answer;
            left--;
          },
        },
      );
    }
    while (left > 0 && this.clock.step());
    return answers;
  }

  get(path: string, query?: Record<string, string>, headers?: Record<string, string>): Answer {
    return this.ask({method: 'GET', path, ...(query ? {query} : {}), ...(headers ? {headers} : {})});
  }

  post(path: string, body: unknown, query?: Record<string, string>): Answer {
    return this.ask({method: 'POST', path, body, ...(query ? {query} : {})});
  }

  put(path: string, body: unknown, query?: Record<string, string>): Answer {
    return this.ask({method: 'PUT', path, body, ...(query ? {query} : {})});
  }

  patch(path: string, type: string, body: unknown): Answer {
    return this.ask({method: 'PATCH', path, body, headers: {'content-type': type}});
  }

  delete(path: string, body?: unknown, query?: Record<string, string>): Answer {
    return this.ask({method: 'DELETE', path, ...(body === undefined ? {} : {body}), ...(query ? {query} : {})});
  }

  /** Opens a watch; `frames` fills as they come. */
  watch(
    path: string,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): {frames: WatchEvent[]; ended: boolean; status: number; caller: Caller} {
    const frames: WatchEvent[] = [];
    const watch = {frames, ended: false, status: 0, caller: undefined as unknown as Caller};
    watch.caller = this.network.call(
      '192.168.0.2',
      '10.0.0.10',
      6443,
      {method: 'GET', path, query: {watch: 'true', ...query}, headers, ...(this.as ? {certificate: this.as} : {})},
      {
        answer: answer => (watch.status = (answer as Answer).status),
        frame: frame => frames.push(frame as WatchEvent),
        end: () => (watch.ended = true),
      },
    );
    this.pass(10);
    return watch;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    const until = this.clock.now + ms;
    while (this.clock.next <= until && this.clock.step());
    this.clock.settle(until);
  }
}
