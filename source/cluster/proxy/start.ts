// kube-proxy: makes the packet rules of its node from Services and endpoint slices.
//
// Modelled: iptables mode with cluster, external and load balancer addresses, node ports, both traffic policies, session affinity,
// endpoints that are ending, health check ports. The rules are the node's: when kube-proxy is killed they stay as they were, and
// one that starts puts nothing in their place before it has seen all Services. The zone of its node is asked for when the first
// slice with hints comes. Not modelled: IPVS and nftables, source ranges of load balancers, IPv6.
import type {Node, Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {HttpCall} from '../../api/wire/http.ts';
import type {PacketRules} from '../../api/wire/packet-rules.ts';
import type {Client} from '../../client/client.ts';
import {Informers, type Informer} from '../../client/informer.ts';
import {get} from '../../client/verbs.ts';
import type {Daemon} from '../../sim/daemon.ts';
import type {Call} from '../../sim/network.ts';
import {HealthChecks} from './health-checks.ts';
import {LazyTable} from './table.ts';

export interface ProxyOptions {
  /** Its process, with the network of the node. */
  readonly daemon: Daemon;
  readonly client: Client;
  readonly nodeName: string;
  readonly clusterCidr: string;
  readonly rules: PacketRules;
}

const HEALTH_PORT = 10_256;

/** Starts kube-proxy on a node. */
export function startProxy({daemon, client, nodeName, clusterCidr, rules}: ProxyOptions): void {
  const informers = new Informers(client);
  const services = informers.of<Service>(builtin('services'), {
    labelSelector: '!service.kubernetes.io/headless,!service.kubernetes.io/service-proxy-name',
  });
  const slices = informers.of<EndpointSlice>(builtin('discovery.k8s.io', 'endpointslices'), {
    labelSelector: '!service.kubernetes.io/headless,!service.kubernetes.io/service-proxy-name',
  });
  const place: {asked: boolean; zone?: string | undefined} = {asked: false};
  const table = new LazyTable({
    services: () => services.store.values(),
    slices: () => slices.store.values(),
    nodeName,
    zone: () => place.zone,
    clusterCidr,
  });
  const learnZone = ({endpoints}: EndpointSlice) => {
    if (place.asked || !endpoints?.some(({hints}) => hints)) return;
    place.asked = true;
    client.send<Node>(get(builtin('nodes'), {name: nodeName}), result => {
      place.asked = result.ok;
      place.zone = result.ok ? result.value.metadata.labels?.['topology.kubernetes.io/zone'] : undefined;
      table.slicesChanged();
    });
  };
  const checks = new HealthChecks(daemon, table);
  let synced = false;
  const servicesChanged = () => {
    table.servicesChanged();
    if (!synced) return;
    rules.replace(table);
    checks.listen(services.store.values());
  };
  onAny(services, servicesChanged);
  onAny(slices, () => table.slicesChanged());
  slices.on({added: learnZone, updated: learnZone});
  serveHealth(daemon, () => synced);
  informers.start(() => {
    synced = true;
    daemon.print('I shared_informer.go:356] "Caches are synced" controller="service config"');
    servicesChanged();
  });
}

function onAny<T extends Service | EndpointSlice>(informer: Informer<T>, changed: () => void): void {
  informer.on({added: changed, updated: changed, deleted: changed});
}

/** Where its own machine asks it. */
const METRICS_PORT = 10_249;

function serveHealth(daemon: Daemon, isSynced: () => boolean): void {
  const own = (call: Call) => {
    const {path} = (call as HttpCall).request;
    if (path === '/healthz') call.answer({status: 200, body: 'ok'});
    else if (path === '/proxyMode') call.answer({status: 200, body: 'iptables'});
    else call.answer({status: 404, body: '404 page not found\n'});
  };
  daemon.listen(METRICS_PORT, own, '127.0.0.1');
  daemon.listen(HEALTH_PORT, (call: Call) => {
    const {request} = call as HttpCall;
    const known = request.path === '/healthz' || request.path === '/livez';
    const time = daemon.now();
    if (!known) call.answer({status: 404, body: '404 page not found\n'});
    else call.answer({status: isSynced() ? 200 : 503, body: {lastUpdated: time, currentTime: time, nodeEligible: true}});
  });
}
