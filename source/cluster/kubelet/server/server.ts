// What a kubelet serves on port 10250, for the API server: logs, commands, streams, ports, measurements. See api/wire/kubelet.ts.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {isCriError, type ContainerUsage, type CriRequest} from '../../../api/wire/cri.ts';
import type {Answer, ChannelFrame, HttpCall, Request} from '../../../api/wire/http.ts';
import {
  KUBELET_PORT,
  USAGE_TYPE,
  type ExecOptions,
  type PodUsage,
  type PortFrame,
  type UsageSummary,
} from '../../../api/wire/kubelet.ts';
import type {Call, Caller} from '../../../sim/network.ts';
import {authorizeBy} from './authorize.ts';
import {serviceVariables} from '../containers/environment.ts';
import type {Task} from '../../../sim/task.ts';
import {logFile} from './log-files.ts';
import {cadvisorMetrics, ownMetrics, resourceMetrics, summaryJson} from './node-measures.ts';
import {serveLogs} from './serve-logs.ts';
import type {PodWorker} from '../pod-worker.ts';
import {rpcError} from '../runtime-client.ts';
import type {KubeletParts} from '../surroundings.ts';

export interface ServerOptions {
  readonly parts: KubeletParts;
  readonly workers: () => Iterable<PodWorker>;
  readonly clientAuthorities: readonly string[] | undefined;
  /** The whole configuration. */
  readonly configuration: (() => unknown) | undefined;
}

/** Serves. */
export function serveKubelet(options: ServerOptions): void {
  const {parts, clientAuthorities} = options;
  const authorize = authorizeBy(parts.client, parts.config.name, clientAuthorities);
  parts.daemon.listen(HEALTH_PORT, (call: Call) => call.answer(health(call as HttpCall)), '127.0.0.1');
  parts.daemon.listen(KUBELET_PORT, call => {
    const {request} = call as HttpCall;
    if (typeof request?.path !== 'string') call.end('closed');
    else if (request.path === '/healthz') call.answer(text(200, 'ok'));
    else
      authorize(request, verdict => {
        if (verdict === 'allowed') route(options, call as HttpCall<ChannelFrame>);
        else call.answer(verdict === 'unauthorized' ? text(401, 'Unauthorized') : text(403, verdict.forbidden));
      });
  });
}

/** Where its own machine asks whether it lives. */
const HEALTH_PORT = 10_248;

function health({request}: HttpCall): Answer {
  return request.path === '/healthz' ? text(200, 'ok') : text(404, '404 page not found\n');
}

function route(options: ServerOptions, call: HttpCall<ChannelFrame>): void {
  const [, what, namespace, name, container = ''] = call.request.path.split('/');
  if (what === 'pods') return call.answer({status: 200, body: podList(options)});
  if (what === 'stats' || what === 'metrics') return summarize(options, call);
  if (what === 'configz') return call.answer({status: 200, body: {kubeletconfig: options.configuration?.() ?? {}}});
  if (what === 'logs') return call.answer(logFile(options.parts.files, call.request.path));
  const worker = find(options, namespace, name);
  if (!worker) return call.answer(text(404, `pod "${name}" not found`));
  switch (what) {
    case 'containerLogs':
      return serveLogs({parts: options.parts, worker, container, call: call as unknown as HttpCall<string>});
    case 'exec':
      return stream(options, {
        worker,
        container,
        call,
        request: (id, late) => execRequest(id, call.request.body as ExecOptions, late),
      });
    case 'attach':
      return stream(options, {worker, container, call, request: id => attachRequest(id, call.request.body as ExecOptions)});
    case 'portForward':
      return forwardPorts(options, worker, call);
    default:
      return call.answer(text(404, '404 page not found\n'));
  }
}

function find({workers}: ServerOptions, namespace: string | undefined, name: string | undefined): PodWorker | undefined {
  for (const worker of workers())
    if (worker.pod.metadata.name === name && worker.pod.metadata.namespace === namespace) return worker;
  return undefined;
}

function execRequest(id: string, {command = [], stdin, tty}: ExecOptions, late: ReadonlyMap<string, string>): CriRequest {
  return {kind: 'exec', id, command, stdin, tty, late};
}

function attachRequest(id: string, {stdin, tty}: ExecOptions): CriRequest {
  return {kind: 'attach', id, stdin, tty};
}

interface StreamFacts {
  readonly worker: PodWorker;
  readonly container: string;
  readonly call: HttpCall<ChannelFrame>;
  readonly request: (id: string, late: ReadonlyMap<string, string>) => CriRequest;
}

/** What a container that never looks around was not given: a token, and the Services of its start. */
function* late({parts}: ServerOptions, {pod, volumes}: PodWorker, startedAt: number): Task<ReadonlyMap<string, string>> {
  yield* volumes.fetchTokens();
  return yield* serviceVariables(pod, parts.references, startedAt);
}

/** Joins the caller and the runtime. */
function stream(options: ServerOptions, {worker, container, call, request}: StreamFacts): void {
  const {parts} = options;
  const status = worker.known.newest(container);
  if (status?.state !== 'running') return call.answer(text(404, `container not found ("${container}")`));
  let caller: Caller | undefined;
  const early: ChannelFrame[] = [];
  call.onFrame(frame => (caller ? caller.send(frame) : early.push(frame)));
  call.onCancel(() => caller?.cancel());
  parts.daemon.scope.run(late(options, worker, status.startedAt), variables => {
    caller = parts.runtime.stream<unknown, ChannelFrame>(request(status.id, variables), {
      answer: (answer, more) => {
        if (more) call.open({status: 101});
        else call.answer(text(500, isCriError(answer) ? rpcError(answer) : ''));
      },
      frame: frame => call.send(frame),
      end: failure =>
        failure === 'refused' ? call.answer(text(500, rpcError(parts.runtime.unavailable(failure)))) : call.end(failure),
    });
    for (const frame of early) caller.send(frame);
  });
}

/** Requests to ports of the pod, through the runtime. */
function forwardPorts({parts}: ServerOptions, worker: PodWorker, call: HttpCall<ChannelFrame>): void {
  const {sandbox} = worker.known;
  if (sandbox?.state !== 'ready') return call.answer(text(404, `pod not found ("${worker.pod.metadata.name}")`));
  call.open({status: 101});
  const ports = new Map<number, Caller>();
  call.onFrame(frame => {
    const wanted = frame.data as PortFrame;
    const known = ports.get(wanted.port);
    const caller =
      known ??
      parts.runtime.stream<unknown, ChannelFrame>(
        {kind: 'port-forward', sandboxId: sandbox.id, port: wanted.port},
        {answer: () => undefined, frame: reply => call.send(reply), end: failure => call.end(failure)},
      );
    ports.set(wanted.port, caller);
    caller.send({channel: 0, data: {id: wanted.id, request: wanted.request}});
  });
  call.onCancel(() => {
    for (const caller of ports.values()) caller.cancel();
  });
}

function podList({workers}: ServerOptions): unknown {
  const items: Pod[] = [];
  for (const worker of workers()) items.push(worker.pod);
  return {kind: 'PodList', apiVersion: 'v1', metadata: {}, items};
}

function summarize(options: ServerOptions, call: HttpCall<ChannelFrame>): void {
  const {parts} = options;
  parts.daemon.scope.run(parts.runtime.ask<readonly ContainerUsage[]>({kind: 'usage'}), usage => {
    if (isCriError(usage)) call.answer(text(500, rpcError(usage)));
    else call.answer(measureOf(call.request, summaryOf(options, usage), parts));
  });
}

/** The measurements as they are asked for. */
function measureOf({path, headers}: Request, summary: UsageSummary, parts: KubeletParts): Answer {
  if (path === '/stats/summary') return {status: 200, body: summaryJson(summary, parts)};
  if (path === '/metrics/resource')
    return headers?.['accept'] === USAGE_TYPE ? {status: 200, body: summary} : text(200, resourceMetrics(summary));
  if (path === '/metrics/cadvisor') return text(200, cadvisorMetrics(summary, parts));
  if (path === '/metrics') return text(200, ownMetrics(summary, parts));
  return path === '/metrics/probes' ? text(200, '') : text(404, '404 page not found\n');
}

/** What the node's own system uses besides its pods. */
export const SYSTEM_USE = {cpuCores: 0.05, memoryBytes: 300 * 1024 * 1024};

function summaryOf({parts, workers}: ServerOptions, usage: readonly ContainerUsage[]): UsageSummary {
  const at = parts.daemon.wall();
  const pods: PodUsage[] = [];
  const byPod = new Map<string, (typeof usage)[number][]>();
  for (const each of usage) byPod.set(each.uid, [...(byPod.get(each.uid) ?? []), each]);
  const node = {
    cpuCores: SYSTEM_USE.cpuCores,
    cpuSeconds: (SYSTEM_USE.cpuCores * parts.daemon.clock.now) / 1000,
    memoryBytes: SYSTEM_USE.memoryBytes,
    at,
  };
  for (const worker of workers()) {
    const {namespace = 'default', name, uid} = worker.pod.metadata;
    const containers = (byPod.get(uid) ?? []).map(({name: of, cpuCores, cpuSeconds, memoryBytes}) => ({
      name: of,
      cpuCores,
      cpuSeconds,
      memoryBytes,
      at,
    }));
    if (containers.length === 0) continue;
    for (const container of containers) {
      node.cpuCores += container.cpuCores;
      node.cpuSeconds += container.cpuSeconds;
      node.memoryBytes += container.memoryBytes;
    }
    const startedAt = Math.min(...worker.known.running.map(status => status.startedAt));
    pods.push({namespace, name, uid, startedAt, containers});
  }
  return {node, pods};
}

function text(status: number, body: string): Answer {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}
