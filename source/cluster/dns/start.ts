// CoreDNS: answers for the names of the cluster from its own copies of Services, endpoint slices and namespaces, and passes all
// other questions on.
//
// Modelled: the Corefile with several servers and zones; kubernetes (Services, headless ones, hosts of pods, ports, pods insecure),
// forward, hosts, errors, log, loop (a forward to itself ends the process), health, ready. A directive that CoreDNS does not have
// ends the process. Not modelled: caches (kubeadm's Corefile does not cache the cluster's own names), reverse names, metrics,
// reloading, and the directives that are named in the log as not simulated.
import type {Namespace, Service as KubeService} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Answer, HttpCall} from '../../api/wire/http.ts';
import type {Client} from '../../client/client.ts';
import {Informers} from '../../client/informer.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import {answerQuestions, type Service} from './answering.ts';
import {parseCorefile, type Directive, type ServerBlock} from './corefile.ts';
import type {ClusterNames, ZoneOptions} from './records.ts';

export interface DnsOptions {
  /** Its process, with the network of its pod. */
  readonly daemon: Daemon;
  readonly client: Client;
  /** Where the Corefile is, and what it says; undefined when there is none. */
  readonly path: string;
  readonly corefile: string | undefined;
  /** The text of the pod's /etc/resolv.conf: servers further up. */
  readonly resolvConf: string;
}

const VERSION = '1.13.1';
const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';
/** Directives without an effect here, as they change nothing that can be seen, or that are done elsewhere in this file. */
const QUIET = new Set([
  'errors',
  'cache',
  'loop',
  'reload',
  'loadbalance',
  'prometheus',
  'bufsize',
  'health',
  'ready',
  'kubernetes',
  'forward',
  'hosts',
  'log',
  'pprof',
  'debug',
  'cancel',
  'minimal',
]);

/** Starts CoreDNS. */
export function startDns(options: DnsOptions): void {
  const {daemon, path} = options;
  if (options.corefile === undefined)
    return fail(daemon, `plugin/loading Caddyfile via flag: open ${path}: no such file or directory`);
  const parsed = parseCorefile(options.corefile, path);
  if ('error' in parsed) return fail(daemon, parsed.error);
  const looping = parsed.flatMap(block =>
    block.directives.filter(each => each.name === 'loop').flatMap(() => loopOf(block, options)),
  );
  const cluster = watchCluster(
    options,
    parsed.some(block => block.directives.some(each => each.name === 'kubernetes')),
  );
  const services = parsed.map(block => ({block, service: serviceOf(block, cluster, options)}));
  for (const {block} of services) daemon.print(`${block.zones[0] === '.' ? '' : block.zones[0]}.:${block.port}`);
  daemon.print(`CoreDNS-${VERSION}`);
  daemon.print('linux/amd64, go1.25.2, 1db4568');
  for (const directive of parsed.flatMap(block => block.directives))
    if (!QUIET.has(directive.name)) daemon.print(`[WARNING] plugin/${directive.name}: is not simulated`);
  if (looping.length > 0)
    return fail(
      daemon,
      `[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."`,
    );
  for (const port of new Set(parsed.map(block => block.port))) {
    answerQuestions(daemon, port, name =>
      closest(
        services.filter(each => each.block.port === port),
        name,
      ),
    );
  }
  serveHealth(daemon, parsed, cluster.isSynced);
}

function fail(daemon: Daemon, words: string): void {
  daemon.print(words);
  daemon.exit(1);
}

interface Cluster {
  readonly names: ClusterNames;
  readonly isSynced: () => boolean;
}

/** Informers for what has names; none when no block asks for them. */
function watchCluster({client}: DnsOptions, wanted: boolean): Cluster {
  const informers = new Informers(client);
  const services = informers.of<KubeService>(builtin('services'));
  const slices = informers.of<EndpointSlice>(builtin('discovery.k8s.io', 'endpointslices'));
  const namespaces = informers.of<Namespace>(builtin('namespaces'));
  const byService = slices.index(({metadata}) => [`${metadata.namespace}/${metadata.labels?.[SERVICE_NAME_LABEL]}`]);
  let synced = !wanted;
  if (wanted) informers.start(() => (synced = true));
  return {
    isSynced: () => synced,
    names: {
      service: (namespace, name) => services.get(`${namespace}/${name}`),
      slices: (namespace, service) => byService.of(`${namespace}/${service}`).values(),
      hasNamespace: name => namespaces.get(name) !== undefined,
    },
  };
}

function serviceOf(block: ServerBlock, cluster: Cluster, options: DnsOptions): Service {
  const named = (name: string) => block.directives.filter(each => each.name === name);
  return {
    ...cluster,
    zones: named('kubernetes').flatMap(zonesOf),
    hosts: new Map(named('hosts').flatMap(hostsOf)),
    upstream: named('forward').flatMap(directive => upstreamOf(directive, options)),
    log: named('log').length > 0,
  };
}

function zonesOf({words, block}: Directive): ZoneOptions[] {
  const option = (name: string) => block.find(line => line[0] === name)?.[1];
  const zones = words.length > 0 ? words : ['cluster.local'];
  const ttl = Number(option('ttl') ?? 5);
  const pods = option('pods') === 'insecure' || option('pods') === 'verified' ? 'insecure' : 'disabled';
  return zones.map(zone => ({zone: zone.replace(/\.$/, ''), ttl, pods}));
}

function hostsOf({block}: Directive): (readonly [string, string])[] {
  return block
    .filter(line => /^\d/.test(line[0] ?? ''))
    .flatMap(([address = '', ...names]) => names.map(name => [name.toLowerCase(), address] as const));
}

/** The servers of a forward directive; a file stands for those that it lists. */
function upstreamOf({words}: Directive, {resolvConf}: DnsOptions): string[] {
  const listed = resolvConf.split('\n').flatMap(line => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
  return words.slice(1).flatMap(word => (word.startsWith('/') ? listed : [word.replace(/^dns:\/\//, '').replace(/:53$/, '')]));
}

/** Forwards to itself? A stub resolver on localhost in the node's resolv.conf is the usual way to that. */
function loopOf(block: ServerBlock, options: DnsOptions): string[] {
  const servers = block.directives.filter(each => each.name === 'forward').flatMap(directive => upstreamOf(directive, options));
  return block.zones.includes('.') ? servers.filter(server => server.startsWith('127.') || server === '::1') : [];
}

/** The server with the longest zone that the name is in. */
function closest(
  services: readonly {readonly block: ServerBlock; readonly service: Service}[],
  name: string,
): Service | undefined {
  let best: {readonly length: number; readonly service: Service} | undefined;
  for (const {block, service} of services) {
    for (const zone of block.zones) {
      const length = zone === '.' ? 0 : zone.length;
      const within = zone === '.' || name === zone || name.endsWith(`.${zone}`);
      if (within && (!best || length > best.length)) best = {length, service};
    }
  }
  return best?.service;
}

function serveHealth(daemon: Daemon, blocks: readonly ServerBlock[], isSynced: () => boolean): void {
  const directives = blocks.flatMap(block => block.directives);
  const serve = (name: string, port: number, path: string, answer: () => Answer): void => {
    if (!directives.some(each => each.name === name)) return;
    daemon.listen(port, (call: Call) =>
      call.answer((call as HttpCall).request.path === path ? answer() : {status: 404, body: '404 page not found\n'}),
    );
  };
  serve('health', 8080, '/health', () => ({status: 200, body: 'OK'}));
  serve('ready', 8181, '/ready', () => (isSynced() ? {status: 200, body: 'OK'} : {status: 503, body: 'kubernetes'}));
}
