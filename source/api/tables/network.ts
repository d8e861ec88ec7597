// The rows of Services and all that belongs to networks.
import type {Endpoints, LoadBalancerIngress, Service, ServicePort} from '../kinds/core-v1.ts';
import type {EndpointSlice} from '../kinds/discovery-v1.ts';
import type {Ingress, IngressClass, IPAddress, NetworkPolicy, ServiceCIDR} from '../kinds/networking-v1.ts';
import {labelsText, selectorText} from '../meta/selector.ts';
import {age, type Cell, NONE, or, someOf, UNSET} from './cells.ts';

export function serviceRow(service: Service, nowMs: number): readonly Cell[] {
  const {spec} = service;
  return [
    service.metadata.name,
    spec?.type ?? '',
    or(spec?.clusterIPs?.[0] ?? spec?.clusterIP, NONE),
    externalAddress(service),
    or((spec?.ports ?? []).map(portText).join(','), NONE),
    age(service, nowMs),
    labelsText(spec?.selector),
  ];
}

function portText({port, nodePort, protocol}: ServicePort): string {
  return `${port}${nodePort ? `:${nodePort}` : ''}/${protocol ?? 'TCP'}`;
}

function externalAddress({spec, status}: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return or(external.join(','), NONE);
    case 'LoadBalancer':
      return or([...balancerAddresses(status?.loadBalancer?.ingress), ...external].join(','), '<pending>');
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function balancerAddresses(
  ingress: readonly (LoadBalancerIngress | {readonly ip?: string; readonly hostname?: string})[] | undefined,
): string[] {
  return [...new Set((ingress ?? []).map(({ip, hostname}) => or(ip, hostname ?? '')).filter(address => address !== ''))];
}

/** `ip:port` for every port and address; addresses alone where there is no port. */
export function endpointsText(endpoints: Endpoints): string {
  const all = (endpoints.subsets ?? []).flatMap(({addresses, ports}) => {
    const ips = (addresses ?? []).map(({ip}) => ip);
    if (!ports || ports.length === 0) return ips;
    return ports.flatMap(({port}) => ips.map(ip => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return someOf(all, 3, NONE);
}

export function endpointsRow(endpoints: Endpoints, nowMs: number): readonly Cell[] {
  return [endpoints.metadata.name, endpointsText(endpoints), age(endpoints, nowMs)];
}

export function endpointSliceRow(slice: EndpointSlice, nowMs: number): readonly Cell[] {
  const ports = (slice.ports ?? []).map(({port, name}) => (port === undefined ? or(name, '*') : String(port)));
  const addresses = (slice.endpoints ?? []).flatMap(endpoint => endpoint.addresses ?? []);
  return [slice.metadata.name, slice.addressType, someOf(ports, 3, UNSET), someOf(addresses, 3, UNSET), age(slice, nowMs)];
}

export function ingressRow(ingress: Ingress, nowMs: number): readonly Cell[] {
  const {spec, status} = ingress;
  return [
    ingress.metadata.name,
    or(spec?.ingressClassName, NONE),
    hostsText((spec?.rules ?? []).map(rule => rule.host ?? '')),
    balancerAddresses(status?.loadBalancer?.ingress).join(','),
    spec?.tls && spec.tls.length > 0 ? '80, 443' : '80',
    age(ingress, nowMs),
  ];
}

function hostsText(hosts: readonly string[]): string {
  const named = hosts.filter(host => host !== '');
  return named.length > 3 ? `${named.slice(0, 3).join(',')} + ${hosts.length - 3} more...` : or(named.join(','), '*');
}

export function ingressClassRow(ingressClass: IngressClass, nowMs: number): readonly Cell[] {
  const parameters = ingressClass.spec?.parameters;
  const text = parameters
    ? `${parameters.kind}${parameters.apiGroup === undefined ? '' : `.${parameters.apiGroup}`}/${parameters.name}`
    : NONE;
  return [ingressClass.metadata.name, ingressClass.spec?.controller ?? '', text, age(ingressClass, nowMs)];
}

export function networkPolicyRow(policy: NetworkPolicy, nowMs: number): readonly Cell[] {
  return [policy.metadata.name, selectorText(policy.spec?.podSelector), age(policy, nowMs)];
}

export function serviceCIDRRow(range: ServiceCIDR, nowMs: number): readonly Cell[] {
  return [range.metadata.name, (range.spec?.cidrs ?? []).join(','), age(range, nowMs)];
}

export function ipAddressRow(address: IPAddress): readonly Cell[] {
  const parent = address.spec?.parentRef;
  if (!parent) return [address.metadata.name, NONE];
  const resource = parent.group ? `${parent.resource}.${parent.group}` : parent.resource;
  return [address.metadata.name, [resource, parent.namespace, parent.name].filter(Boolean).join('/').toLowerCase()];
}
