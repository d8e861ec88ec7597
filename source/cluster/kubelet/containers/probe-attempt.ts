// One look of a probe at a container, and what the kubelet says of it.
import type {Container, EphemeralContainer, HTTPGetAction, Probe} from '../../../api/kinds/core-v1.ts';
import {isCriError, type ExecResult} from '../../../api/wire/cri.ts';
import type {Answer, Request} from '../../../api/wire/http.ts';
import {isTlsFailure} from '../../../api/wire/tls.ts';
import type {Daemon} from '../../../sim/daemon.ts';
import {CONNECT} from '../../../sim/network.ts';
import {wait, type Task} from '../../../sim/task.ts';
import {rpcError, type RuntimeClient} from '../runtime-client.ts';

/** `unknown`: the probe itself could not be made, which counts neither way. */
export interface Outcome {
  readonly kind: 'success' | 'failure' | 'unknown';
  readonly output: string;
}

const SUCCESS: Outcome = Object.freeze({kind: 'success', output: ''});

export interface ProbeTarget {
  readonly daemon: Daemon;
  readonly runtime: RuntimeClient;
  readonly container: Container | EphemeralContainer;
  readonly id: string;
  readonly podIP: string;
}

/** Makes one attempt. */
export function* attemptProbe(probe: Probe, target: ProbeTarget): Task<Outcome> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const {daemon, container, podIP} = target;
  if (probe.exec) return yield* execAttempt(probe.exec.command ?? [], target, timeoutMs);
  if (probe.httpGet) {
    const port = portNumber(container, probe.httpGet.port);
    if (typeof port === 'string') return {kind: 'unknown', output: port};
    return yield* httpAttempt(daemon, {action: probe.httpGet, host: probe.httpGet.host || podIP, port, timeoutMs});
  }
  if (probe.tcpSocket) {
    const port = portNumber(container, probe.tcpSocket.port);
    if (typeof port === 'string') return {kind: 'unknown', output: port};
    const host = probe.tcpSocket.host || podIP;
    const answer = yield* exchange(daemon, {host, port, request: CONNECT, timeoutMs});
    return typeof answer === 'string' ? {kind: 'failure', output: dialText(host, port, answer)} : SUCCESS;
  }
  if (probe.grpc)
    return yield* grpcAttempt(daemon, {port: probe.grpc.port, service: probe.grpc.service ?? '', host: podIP, timeoutMs});
  return SUCCESS;
}

function* execAttempt(command: readonly string[], {runtime, id}: ProbeTarget, timeoutMs: number): Task<Outcome> {
  const result = yield* runtime.ask<ExecResult>({kind: 'exec-sync', id, command, timeoutSeconds: timeoutMs / 1000});
  if (!isCriError(result)) return result.exitCode === 0 ? SUCCESS : {kind: 'failure', output: result.output};
  if (result.error.code === 'DeadlineExceeded')
    return {kind: 'failure', output: `command timed out: "${command.join(' ')}" timed out after ${timeoutMs / 1000}s`};
  return {kind: 'unknown', output: rpcError(result)};
}

interface Asked {
  readonly action: HTTPGetAction;
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** An HTTP GET: any answer from 200 up to 399 is good. */
function* httpAttempt(daemon: Daemon, to: Asked): Task<Outcome> {
  const answer = yield* httpGet(daemon, to);
  if (typeof answer === 'string') return {kind: 'failure', output: answer};
  const {status} = answer;
  return status >= 200 && status < 400 ? SUCCESS : {kind: 'failure', output: `HTTP probe failed with statuscode: ${status}`};
}

/** How Go names an answer in plain text to somebody who wanted TLS. */
export const PLAIN_ANSWER = 'http: server gave HTTP response to HTTPS client';

/** Asks as the kubelet does: the answer, or why there is none. */
export function* httpGet(daemon: Daemon, {action, host, port, timeoutMs}: Asked): Task<Answer | string> {
  const scheme = (action.scheme ?? 'HTTP').toLowerCase() as 'http' | 'https';
  const path = action.path ?? '/';
  const url = `${scheme}://${host}:${port}${path.startsWith('/') ? '' : '/'}${path}`;
  const headers: Record<string, string> = {'user-agent': 'kube-probe/1.35', accept: '*/*'};
  for (const {name, value} of action.httpHeaders ?? []) headers[name.toLowerCase()] = value;
  const request: Request = {method: 'GET', scheme, path: path.split('?')[0] ?? '/', headers};
  const answer = yield* exchange(daemon, {host, port, request, timeoutMs});
  const failed = (words: string) => `Get "${url}": ${words}`;
  if (answer === 'timeout') return failed('context deadline exceeded (Client.Timeout exceeded while awaiting headers)');
  if (answer === 'closed') return failed('EOF');
  if (typeof answer === 'string') return failed(dialText(host, port, answer));
  return isTlsFailure(answer) ? failed(answer.tlsFailure) : (answer as Answer);
}

/** gRPC's health check, which a model answers as the path `/grpc.health.v1.Health/Check`. */
function* grpcAttempt(
  daemon: Daemon,
  to: {readonly host: string; readonly port: number; readonly service: string; readonly timeoutMs: number},
): Task<Outcome> {
  const {host, port, service, timeoutMs} = to;
  const request: Request = {method: 'POST', path: '/grpc.health.v1.Health/Check', body: {service}};
  const answer = yield* exchange(daemon, {host, port, request, timeoutMs});
  const failed = (output: string): Outcome => ({kind: 'failure', output});
  if (typeof answer === 'string')
    return failed(`timeout: failed to connect service "${host}:${port}" within ${timeoutMs / 1000}s: context deadline exceeded`);
  const {status} = answer as Answer;
  if (status === 200) return SUCCESS;
  if (status === 404)
    return failed(
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown service grpc.health.v1.Health',
    );
  return failed('service unhealthy (responded with "NOT_SERVING")');
}

/** The number of a port that may be named in the container, or why it is none: a name that nobody has is read as a number. */
export function portNumber(container: Container | EphemeralContainer, port: number | string): number | string {
  if (typeof port === 'number') return port;
  const named = container.ports?.find(each => each.name === port)?.containerPort;
  return named ?? (/^\d+$/.test(port) ? Number(port) : `strconv.Atoi: parsing "${port}": invalid syntax`);
}

interface Exchange {
  readonly host: string;
  readonly port: number;
  readonly request: unknown;
  readonly timeoutMs: number;
}

function* exchange(daemon: Daemon, {host, port, request, timeoutMs}: Exchange): Task<unknown> {
  return yield* wait<unknown>((wake, scope) => {
    const finish = (value: unknown) => {
      scope.clock.cancel(timer);
      wake(value);
    };
    const caller = daemon.dial(host, port, request, {
      answer: answer => finish(answer ?? true),
      end: failure => finish(failure ?? 'closed'),
    });
    const timer = scope.after(timeoutMs, () => {
      caller.cancel();
      wake('timeout');
    });
  });
}

function dialText(host: string, port: number, failure: string): string {
  if (failure === 'timeout') return `dial tcp ${host}:${port}: i/o timeout`;
  if (failure === 'unresolved') return `dial tcp: lookup ${host}: no such host`;
  if (failure === 'reset') return `read tcp ${host}:${port}: read: connection reset by peer`;
  return `dial tcp ${host}:${port}: connect: connection refused`;
}
