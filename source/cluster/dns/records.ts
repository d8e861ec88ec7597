// The names of a cluster: a pure function of Services, endpoint slices and namespaces.
//
//     web.shop.svc.cluster.local            the address of the Service; of a headless one, of all its ready pods
//     db-0.db.shop.svc.cluster.local        a pod of a headless Service by its hostname (or 10-244-1-5 by its address)
//     _http._tcp.web.shop.svc.cluster.local SRV: port and host
//     10-244-1-5.shop.pod.cluster.local     whatever address stands in the name
//     80.0.96.10.in-addr.arpa               PTR: the Service of an address, or the endpoints that have it
//
// A name that leads on to others, such as svc.cluster.local, is there but has no records of its own.
import type {Service} from '../../api/kinds/core-v1.ts';
import type {Endpoint, EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {DnsRecord, RecordType} from '../../api/wire/dns.ts';

/** What is known of the cluster. */
export interface ClusterNames {
  service(namespace: string, name: string): Service | undefined;
  slices(namespace: string, service: string): Iterable<EndpointSlice>;
  hasNamespace(name: string): boolean;
  /** The Service that has an address of the cluster. */
  serviceAt(address: string): Service | undefined;
  /** The slices in which an address stands. */
  slicesAt(address: string): Iterable<EndpointSlice>;
}

/** How a zone is served. */
export interface ZoneOptions {
  /** `cluster.local`. */
  readonly zone: string;
  /** The zone that reverse names lead to; absent: this one. */
  readonly primary?: string;
  readonly ttl: number;
  /** Are names of pods answered without a look whether there is such a pod? */
  readonly pods: 'insecure' | 'disabled';
}

/** The records of a name; undefined when there is no such name. */
export type Found = readonly DnsRecord[] | undefined;

const NOTHING: readonly DnsRecord[] = [];
const REVERSE = /^(?:(\d+)\.(\d+)\.(\d+)\.(\d+)\.)in-addr\.arpa$/;
const SERVICE_NAME_LABEL = 'kubernetes.io/service-name';

/** Looks a name up. `name` is absolute and ends in the zone. */
export function findRecords(
  name: string,
  type: RecordType,
  {names, options}: {readonly names: ClusterNames; readonly options: ZoneOptions},
): Found {
  if (options.zone.endsWith('.arpa')) return reverseRecords(name, type, {names, options});
  const labels =
    name === options.zone
      ? []
      : name
          .slice(0, -options.zone.length - 1)
          .split('.')
          .reverse();
  const [kind, namespace, service, ...rest] = labels;
  if (kind === undefined) return NOTHING;
  if (kind === 'dns-version') return rest.length === 0 ? NOTHING : undefined;
  if (kind === 'pod') return podRecords(name, {namespace, host: service, extra: rest.length}, {names, options, type});
  if (kind !== 'svc') return undefined;
  if (namespace === undefined) return NOTHING;
  if (service === undefined) return names.hasNamespace(namespace) ? NOTHING : undefined;
  const found = names.service(namespace, service);
  return found ? serviceRecords(name, found, {rest, names, options, type}) : undefined;
}

/** Whose an address is. */
function reverseRecords(
  name: string,
  type: RecordType,
  {names, options}: {readonly names: ClusterNames; readonly options: ZoneOptions},
): Found {
  const parts = REVERSE.exec(name)?.slice(1);
  if (!parts) return undefined;
  const address = parts.toReversed().join('.');
  const zone = `svc.${options.primary ?? options.zone}`;
  const service = names.serviceAt(address);
  const hosts = service
    ? [`${service.metadata.name}.${service.metadata.namespace}.${zone}`]
    : [...names.slicesAt(address)].flatMap(({metadata, endpoints}) =>
        (endpoints ?? [])
          .filter(({addresses}) => addresses.includes(address))
          .map(
            endpoint => `${hostNameOf(endpoint)}.${metadata.labels?.[SERVICE_NAME_LABEL] ?? ''}.${metadata.namespace}.${zone}`,
          ),
      );
  if (hosts.length === 0) return undefined;
  return type === 'PTR' ? [...new Set(hosts)].map(data => ({name, type, ttl: options.ttl, data})) : NOTHING;
}

interface Asked {
  readonly names: ClusterNames;
  readonly options: ZoneOptions;
  readonly type: RecordType;
}

function podRecords(
  name: string,
  of: {readonly namespace: string | undefined; readonly host: string | undefined; readonly extra: number},
  {names, options, type}: Asked,
): Found {
  const {namespace, host, extra} = of;
  if (options.pods === 'disabled' || extra > 0) return undefined;
  if (namespace === undefined) return NOTHING;
  if (!names.hasNamespace(namespace)) return undefined;
  if (host === undefined) return NOTHING;
  const address = host.replaceAll('-', '.');
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) return undefined;
  return type === 'A' ? [{name, type: 'A', ttl: options.ttl, data: address}] : NOTHING;
}

function serviceRecords(name: string, service: Service, asked: Asked & {readonly rest: readonly string[]}): Found {
  const {rest, options, type} = asked;
  const {spec} = service;
  if (spec?.type === 'ExternalName')
    return rest.length === 0
      ? [{name, type: 'CNAME', ttl: options.ttl, data: (spec.externalName ?? '').toLowerCase()}]
      : undefined;
  const [first = '', second = ''] = rest;
  if (rest.length === 2 && first.startsWith('_') && second.startsWith('_'))
    return portRecords(name, service, {...asked, protocol: first.slice(1), port: second.slice(1)});
  if (rest.length > 1) return undefined;
  const addresses = rest.length === 0 ? addressesOf(service, asked) : hostAddresses(service, first, asked);
  if (addresses === undefined) return undefined;
  if (type === 'SRV' && rest.length === 0) return allPorts(name, service, asked);
  return type === 'A' ? addresses.map(data => ({name, type: 'A' as const, ttl: options.ttl, data})) : NOTHING;
}

function isHeadless({spec}: Service): boolean {
  return spec?.clusterIP === 'None';
}

/** The addresses behind a Service's own name; a headless one without any is as good as not there. */
function addressesOf(service: Service, asked: Asked): readonly string[] | undefined {
  if (!isHeadless(service)) return service.spec?.clusterIP ? [service.spec.clusterIP] : undefined;
  const addresses = [...new Set(endpointsOf(service, asked).flatMap(({endpoint}) => endpoint.addresses))];
  return addresses.length > 0 ? addresses : undefined;
}

function hostAddresses(service: Service, host: string, asked: Asked): readonly string[] | undefined {
  const found = endpointsOf(service, asked).filter(({endpoint}) => hostNameOf(endpoint) === host);
  return found.length > 0 ? [...new Set(found.flatMap(({endpoint}) => endpoint.addresses))] : undefined;
}

function hostNameOf({hostname, addresses}: Endpoint): string {
  return hostname ?? (addresses[0] ?? '').replaceAll('.', '-');
}

function endpointsOf(service: Service, {names}: Asked): readonly {readonly endpoint: Endpoint; readonly slice: EndpointSlice}[] {
  const {namespace = '', name} = service.metadata;
  return [...names.slices(namespace, name)]
    .filter(slice => slice.addressType === 'IPv4')
    .flatMap(slice =>
      (slice.endpoints ?? []).filter(endpoint => endpoint.conditions?.ready !== false).map(endpoint => ({endpoint, slice})),
    );
}

function portRecords(name: string, service: Service, asked: Asked & {readonly protocol: string; readonly port: string}): Found {
  const matching = allPorts(
    name,
    service,
    asked,
    each => each.name === asked.port && (each.protocol ?? 'TCP').toLowerCase() === asked.protocol,
  );
  if (matching.length === 0) return undefined;
  return asked.type === 'SRV' ? matching : NOTHING;
}

interface NamedPort {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

function allPorts(
  name: string,
  service: Service,
  asked: Asked,
  wanted: (port: NamedPort) => boolean = () => true,
): readonly DnsRecord[] {
  const {options} = asked;
  const {namespace, name: own} = service.metadata;
  const base = `${own}.${namespace}.svc.${options.zone}`;
  const record = (port: number | undefined, host: string): DnsRecord => ({
    name,
    type: 'SRV',
    ttl: options.ttl,
    data: `0 100 ${port} ${host}`,
  });
  if (!isHeadless(service)) return (service.spec?.ports ?? []).filter(wanted).map(port => record(port.port, base));
  return endpointsOf(service, asked).flatMap(({endpoint, slice}) =>
    (slice.ports ?? []).filter(wanted).map(port => record(port.port, `${hostNameOf(endpoint)}.${base}`)),
  );
}
