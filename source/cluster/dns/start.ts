// CoreDNS: answers for the names of the cluster from its own copies of Services, endpoint slices and namespaces, and passes all
// other questions on.
//
// Modelled: the Corefile with several servers and zones; kubernetes (Services, headless ones, hosts of pods, ports, pods insecure),
// forward, hosts, errors, log, loop (a forward to itself ends the process), health, ready, reload (what is wrong then leaves the old
// configuration at work; a port that is not asked for any more answers nothing). A directive that CoreDNS does not have ends the
// process. Not modelled: caches (kubeadm's Corefile does not cache the cluster's own names), reverse names of IPv6, metrics, and the
// directives that are named in the log as not simulated.
import type {Namespace, Service as KubeService} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {sha512} from '../../api/meta/hash.ts';
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
  /** Where the Corefile is, and what it says now; undefined when there is none. */
  readonly path: string;
  readonly corefile: () => string | undefined;
  /** The text of the pod's /etc/resolv.conf: servers further up. */
  readonly resolvConf: string;
}

const VERSION = '1.13.1';
const RELOAD_MS = 30_000;
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
  const text = options.corefile();
  if (text === undefined) return fail(daemon, `plugin/loading Caddyfile via flag: open ${path}: no such file or directory`);
  const parsed = parseCorefile(text, path);
  if ('error' in parsed) return fail(daemon, parsed.error);
  const looping = parsed.flatMap(block =>
    block.directives.filter(each => each.name === 'loop').flatMap(() => loopOf(block, options)),
  );
  const cluster = watchCluster(options, parsed.some(asksCluster));
  const server = new Server(options, cluster);
  server.take(parsed);
  for (const {zones, port} of parsed) daemon.print(`${zones[0] === '.' ? '' : zones[0]}.:${port}`);
  if (parsed.some(reloads)) daemon.print(running(text));
  daemon.print(`CoreDNS-${VERSION}`);
  daemon.print('linux/amd64, go1.25.2, 1db4568');
  for (const directive of parsed.flatMap(block => block.directives))
    if (!QUIET.has(directive.name)) daemon.print(`[WARNING] plugin/${directive.name}: is not simulated`);
  if (looping.length > 0)
    return fail(
      daemon,
      `[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."`,
    );
  serveHealth(daemon, parsed, cluster.isSynced);
  if (parsed.some(reloads)) server.follow(text);
}

function reloads({directives}: ServerBlock): boolean {
  return directives.some(each => each.name === 'reload');
}

function asksCluster({directives}: ServerBlock): boolean {
  return directives.some(each => each.name === 'kubernetes');
}

/** For how long a server that is replaced goes on. */
function lameduckOf(blocks: readonly ServerBlock[]): string | undefined {
  const health = blocks.flatMap(({directives}) => directives).find(({name}) => name === 'health');
  return health?.block.find(([name]) => name === 'lameduck')?.[1];
}

function running(text: string): string {
  return `[INFO] plugin/reload: Running configuration SHA512 = ${sha512(text)}`;
}

/** What answers, by the Corefile that counts now. */
class Server {
  readonly #options: DnsOptions;
  readonly #cluster: Cluster;
  readonly #ports = new Set<number>();
  #services: readonly {readonly block: ServerBlock; readonly service: Service}[] = [];

  constructor(options: DnsOptions, cluster: Cluster) {
    this.#options = options;
    this.#cluster = cluster;
  }

  /** Answers by these blocks from now on. */
  take(blocks: readonly ServerBlock[]): void {
    const {daemon} = this.#options;
    this.#services = blocks.map(block => ({block, service: serviceOf(block, this.#cluster, this.#options)}));
    for (const {port} of blocks) {
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      answerQuestions(daemon, port, name => this.#find(port, name));
    }
  }

  #find(port: number, name: string): Service | undefined {
    return closest(
      this.#services.filter(each => each.block.port === port),
      name,
    );
  }

  /** Looks every now and then whether the Corefile says something else. */
  follow(first: string): void {
    const {daemon, path, corefile} = this.#options;
    let known = first;
    daemon.scope.every(RELOAD_MS, () => {
      const text = corefile();
      if (text === undefined || text === known) return;
      known = text;
      daemon.print('[INFO] Reloading');
      const parsed = parseCorefile(text, path);
      if ('error' in parsed) {
        daemon.print(`[ERROR] Restart failed: ${parsed.error}`);
        daemon.print(`[ERROR] plugin/reload: Corefile changed but reload failed: ${parsed.error}`);
        return;
      }
      const lame = lameduckOf(this.#services.map(({block}) => block));
      if (lame !== undefined) daemon.print(`[INFO] plugin/health: Going into lameduck mode for ${lame}`);
      this.take(parsed);
      daemon.print(running(text));
      daemon.print('[INFO] Reloading complete');
    });
  }
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
  const byClusterIp = services.index(({spec}) => (spec?.clusterIP ? [spec.clusterIP] : []));
  const byAddress = slices.index(({endpoints}) => (endpoints ?? []).flatMap(({addresses}) => addresses));
  const byService = slices.index(({metadata}) => [`${metadata.namespace}/${metadata.labels?.[SERVICE_NAME_LABEL]}`]);
  let synced = !wanted;
  if (wanted) informers.start(() => (synced = true));
  return {
    isSynced: () => synced,
    names: {
      service: (namespace, name) => services.get(`${namespace}/${name}`),
      slices: (namespace, service) => byService.of(`${namespace}/${service}`).values(),
      hasNamespace: name => namespaces.get(name) !== undefined,
      serviceAt: address => byClusterIp.of(address).values().next().value,
      slicesAt: address => byAddress.of(address).values(),
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
  const plain = zones.map(zone => zone.replace(/\.$/, ''));
  const primary = plain.find(zone => !zone.endsWith('.arpa')) ?? 'cluster.local';
  return plain.map(zone => ({zone, primary, ttl, pods}));
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
