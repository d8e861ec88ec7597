// metrics-server: what nodes and pods use, behind the API server's aggregation layer, for `kubectl top` and autoscalers.
//
// Modelled: the nodes and pods of metrics.k8s.io/v1beta1 (get, list, selectors, tables), discovery, health; no metrics of a pod in
// its first seconds, nor of a node whose kubelet does not answer. Requests must come from the API server, which says for whom; it
// has decided already whether that user may. Not modelled: a history (only the last look is kept), and averages over a window.
import type {Node, Pod} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import {noSuchResource, notFound, unauthorized} from '../../api/meta/status.ts';
import {JSON_TYPE, type Answer, type HttpCall, type Request} from '../../api/wire/http.ts';
import type {Client, Result} from '../../client/client.ts';
import {list, type ListOptions} from '../../client/verbs.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import {sleep, type Task} from '../../sim/task.ts';
import {API_VERSION, nodeMetrics, podMetrics, podUsages, type NodeMetrics, type PodMetrics} from './metrics.ts';
import {RESOLUTION_MS, Scraper} from './scraper.ts';
import {metricsTable} from './table.ts';

export interface MetricsServerOptions {
  /** Its process, with the network of its pod. */
  readonly daemon: Daemon;
  readonly client: Client;
  /** The service account's token, which kubelets ask for. */
  readonly token: () => string | undefined;
  readonly port?: number;
}

const PORT = 10_250;
const GROUP = 'metrics.k8s.io';
const ROOT = `/apis/${API_VERSION}`;
const nodes = builtin('nodes');
const pods = builtin('pods');

/** Starts metrics-server. It is ready once it has measured a node. */
export function startMetricsServer(options: MetricsServerOptions): void {
  const {daemon, client, token, port = PORT} = options;
  const scraper = new Scraper({daemon, token, nodes: () => listAll<Node>(client, nodes, {})});
  const state = {ready: false};
  daemon.listen(port, (call: Call) => {
    const {request} = call as HttpCall;
    daemon.scope.run(answer({client, scraper, isReady: () => state.ready}, request), result => call.answer(result));
  });
  daemon.scope.run(becomeReady(scraper, state));
}

function* becomeReady(scraper: Scraper, state: {ready: boolean}): Task {
  while (!state.ready) {
    state.ready = (yield* scraper.look()).nodes.size > 0;
    if (!state.ready) yield* sleep(RESOLUTION_MS);
  }
}

interface Server {
  readonly client: Client;
  readonly scraper: Scraper;
  readonly isReady: () => boolean;
}

function* listAll<T>(client: Client, resource: typeof nodes, options: ListOptions): Task<readonly T[]> {
  const result: Result<{readonly items: readonly T[]}> = yield* client.ask(list(resource, {...options, resourceVersion: '0'}));
  return result.ok ? result.value.items : [];
}

function* answer(server: Server, request: Request): Task<Answer> {
  const {path} = request;
  if (path === '/livez' || path === '/healthz') return text(200, 'ok');
  if (path === '/readyz')
    return server.isReady()
      ? text(200, 'ok')
      : text(500, '[-]metric-storage-ready failed: reason withheld\nreadyz check failed\n');
  if (request.headers?.['x-remote-user'] === undefined) return refused(unauthorized());
  if (path === '/apis') return json({kind: 'APIGroupList', apiVersion: 'v1', groups: [GROUP_OBJECT]});
  if (path === `/apis/${GROUP}`) return json({...GROUP_OBJECT, kind: 'APIGroup', apiVersion: 'v1'});
  if (path === ROOT) return json(RESOURCES);
  if (!path.startsWith(`${ROOT}/`)) return refused(noSuchResource());
  const [first = '', namespace = '', resource, name] = path.slice(ROOT.length + 1).split('/');
  if (first === 'nodes') return yield* ofNodes(server, request, namespace);
  if (first === 'pods' && namespace === '') return yield* ofPods(server, request, {});
  if (first === 'namespaces' && resource === 'pods') return yield* ofPods(server, request, {namespace, ...(name ? {name} : {})});
  return refused(noSuchResource());
}

function selection({query = {}}: Request): ListOptions {
  const {labelSelector, fieldSelector} = query;
  return {...(labelSelector ? {labelSelector} : {}), ...(fieldSelector ? {fieldSelector} : {})};
}

function* ofNodes({client, scraper}: Server, request: Request, name: string): Task<Answer> {
  const scrape = yield* scraper.look();
  const found = yield* listAll<Node>(client, nodes, selection(request));
  const items = found.map(node => nodeMetrics(node, scrape)).filter(each => each !== undefined);
  return shown(request, items, {kind: 'NodeMetricsList', name, resource: 'nodes'});
}

function* ofPods(
  {client, scraper}: Server,
  request: Request,
  place: {readonly namespace?: string; readonly name?: string},
): Task<Answer> {
  const {namespace, name = ''} = place;
  const scrape = yield* scraper.look();
  const found = yield* listAll<Pod>(client, pods, {...selection(request), ...(namespace ? {namespace} : {})});
  const usages = podUsages(scrape);
  const items = found.map(pod => podMetrics(pod, scrape, usages)).filter(each => each !== undefined);
  return shown(request, items, {kind: 'PodMetricsList', name, resource: 'pods'});
}

/** One of the items by its name, or all as a list; as a table where one was asked for. */
function shown(
  request: Request,
  items: readonly (NodeMetrics | PodMetrics)[],
  of: {readonly kind: string; readonly name: string; readonly resource: string},
): Answer {
  const wanted = of.name === '' ? items : items.filter(item => item.metadata.name === of.name);
  const [only] = wanted;
  if (of.name !== '' && !only) return refused(notFound({group: GROUP, resource: of.resource}, of.name));
  if (request.headers?.['accept']?.includes('as=Table')) return json(metricsTable(wanted));
  return json(of.name === '' ? {kind: of.kind, apiVersion: API_VERSION, metadata: {}, items} : only);
}

function json(body: unknown): Answer {
  return {status: 200, headers: {'content-type': JSON_TYPE}, body};
}

function text(status: number, body: string): Answer {
  return {status, headers: {'content-type': 'text/plain; charset=utf-8'}, body};
}

function refused(status: {readonly code?: number}): Answer {
  return {status: status.code ?? 500, headers: {'content-type': JSON_TYPE}, body: status};
}

const VERSION = {groupVersion: API_VERSION, version: 'v1beta1'};
const GROUP_OBJECT = {name: GROUP, versions: [VERSION], preferredVersion: VERSION};
const RESOURCES = {
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: API_VERSION,
  resources: [
    {name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list']},
    {name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list']},
  ],
};
