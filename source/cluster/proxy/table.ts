// The rule table of a node, worked out when somebody asks. A thousand proxies watch the same Services and hear of each endpoint
// that comes and goes; few of them ever see a packet for it. So news only makes what was worked out stale, and the rules of a
// Service are made again for its next packet.
import type {Service} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {keyOf} from '../../api/meta/object.ts';
import type {Protocol, RuleTable, ServiceRule} from '../../api/wire/packet-rules.ts';
import {iptablesText} from './iptables-text.ts';
import {externalAddresses, isProxied, portRules, type PortRules} from './service-rules.ts';

/** Where a table reads: the proxy's copies of the objects. */
export interface Sources {
  readonly services: () => Iterable<Service>;
  readonly slices: () => Iterable<EndpointSlice>;
  readonly nodeName: string;
  /** The zone of the node, where that is known. */
  readonly zone?: () => string | undefined;
  /** The range of the pods' addresses, as `10.244.0.0/16`. */
  readonly clusterCidr: string;
}

export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

/** A table that is always up to date with its sources, as long as somebody tells it of changes. */
export class LazyTable implements RuleTable {
  readonly #sources: Sources;
  /** Services by what leads to them: `TCP/10.96.0.80:80`, `TCP/:30080`. */
  #ways: Map<string, {readonly service: Service; readonly index: number; readonly external: boolean}> | undefined;
  #slices: Map<string, EndpointSlice[]> | undefined;
  readonly #rules = new Map<string, PortRules>();
  /** Asked for with every call to the machine itself. */
  #nodePorts: readonly {readonly protocol: Protocol; readonly port: number}[] | undefined;

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** A Service changed. */
  servicesChanged(): void {
    this.#ways = undefined;
    this.#nodePorts = undefined;
    this.#rules.clear();
  }

  /** An endpoint slice changed. */
  slicesChanged(): void {
    this.#slices = undefined;
    this.#rules.clear();
  }

  service(protocol: Protocol, address: string, port: number): ServiceRule | undefined {
    return this.#lookUp(`${protocol}/${address}:${port}`);
  }

  nodePort(protocol: Protocol, port: number): ServiceRule | undefined {
    return this.#lookUp(`${protocol}/:${port}`);
  }

  get nodePorts(): readonly {readonly protocol: Protocol; readonly port: number}[] {
    return (this.#nodePorts ??= this.#services().flatMap(({spec}) =>
      (spec?.ports ?? [])
        .filter(port => port.nodePort)
        .map(port => ({protocol: port.protocol ?? 'TCP', port: port.nodePort ?? 0})),
    ));
  }

  /** How many endpoints of a Service this node has. */
  localEndpoints(service: Service): number {
    const addresses = (service.spec?.ports ?? []).flatMap(
      (_, index) => this.#rulesOf(service, index)?.all.filter(endpoint => endpoint.local) ?? [],
    );
    return new Set(addresses.map(endpoint => endpoint.address)).size;
  }

  text(): string {
    const rules = [...this.#services()].flatMap(service =>
      (service.spec?.ports ?? []).map((_, index) => this.#rulesOf(service, index)),
    );
    return iptablesText(
      rules.filter(rule => rule !== undefined).sort((a, b) => compareStrings(a.name, b.name)),
      this.#sources.clusterCidr,
    );
  }

  #services(): Service[] {
    return [...this.#sources.services()].filter(isProxied);
  }

  #lookUp(way: string): ServiceRule | undefined {
    this.#ways ??= waysTo(this.#services());
    const found = this.#ways.get(way);
    const rules = found && this.#rulesOf(found.service, found.index);
    return found?.external ? rules?.external : rules?.cluster;
  }

  #rulesOf(service: Service, index: number): PortRules | undefined {
    const port = service.spec?.ports?.[index];
    if (!port) return undefined;
    const key = `${keyOf(service)} ${index}`;
    const known = this.#rules.get(key);
    if (known) return known;
    this.#slices ??= byService(this.#sources.slices());
    const {nodeName, zone} = this.#sources;
    const made = portRules(service, port, {slices: this.#slices.get(keyOf(service)) ?? [], nodeName, zone: zone?.()});
    this.#rules.set(key, made);
    return made;
  }
}

function waysTo(services: readonly Service[]): Map<string, {service: Service; index: number; external: boolean}> {
  const ways = new Map<string, {service: Service; index: number; external: boolean}>();
  for (const service of services) {
    const {external, balancer} = externalAddresses(service);
    for (const [index, {protocol = 'TCP', port, nodePort}] of (service.spec?.ports ?? []).entries()) {
      for (const address of [...external, ...balancer])
        ways.set(`${protocol}/${address}:${port}`, {service, index, external: true});
      ways.set(`${protocol}/${service.spec?.clusterIP}:${port}`, {service, index, external: false});
      if (nodePort) ways.set(`${protocol}/:${nodePort}`, {service, index, external: true});
    }
  }
  return ways;
}

function byService(slices: Iterable<EndpointSlice>): Map<string, EndpointSlice[]> {
  const found = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const key = `${slice.metadata.namespace}/${slice.metadata.labels?.[SERVICE_NAME_LABEL]}`;
    const known = found.get(key);
    if (known) known.push(slice);
    else found.set(key, [slice]);
  }
  return found;
}
