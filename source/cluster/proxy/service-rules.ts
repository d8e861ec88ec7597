// The rules of one port of a Service: a pure function of the Service, its endpoint slices and the node.
//
//   no endpoints at all                        → refused, inside and outside
//   endpoints, but the policy is Local and
//   none is on this node                       → dropped: internalTrafficPolicy for the cluster's address, externalTrafficPolicy
//                                                for node ports and external addresses (the node's own packets and those of
//                                                pods go to any endpoint there)
import type {Service, ServicePort} from '../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../api/kinds/discovery-v1.ts';
import type {Protocol, ServiceRule, Target} from '../../api/wire/packet-rules.ts';
import {endpointsOf, nearest, type Here, type PortEndpoint} from './endpoints.ts';

/** One port of a Service, with what is known of it on a node. */
export interface PortRules {
  readonly name: string;
  readonly service: Service;
  readonly port: ServicePort;
  readonly protocol: Protocol;
  readonly all: readonly PortEndpoint[];
  /** For the cluster's address, and for external addresses and node ports. */
  readonly cluster: ServiceRule;
  readonly external: ServiceRule;
}

const STICKY_SECONDS = 10_800;

/** Has the Service an address that proxies answer for? */
export function isProxied({spec, metadata}: Service): boolean {
  if (!spec?.clusterIP || spec.clusterIP === 'None' || spec.type === 'ExternalName') return false;
  return metadata.labels?.['service.kubernetes.io/service-proxy-name'] === undefined;
}

/** The rules of one port. */
export function portRules(
  service: Service,
  port: ServicePort,
  at: Here & {readonly slices: readonly EndpointSlice[]},
): PortRules {
  const {metadata, spec} = service;
  const name = `${metadata.namespace ?? ''}/${metadata.name}${port.name ? `:${port.name}` : ''}`;
  const all = endpointsOf(at.slices, port, at);
  const near = nearest(all, at);
  const local = all.filter(endpoint => endpoint.local);
  const affinity =
    spec?.sessionAffinity === 'ClientIP'
      ? {affinitySeconds: spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? STICKY_SECONDS}
      : {};
  const to = (endpoints: readonly PortEndpoint[]): Target => {
    if (all.length === 0) return {action: 'reject'};
    return endpoints.length === 0 ? {action: 'drop'} : {action: 'forward', destinations: endpoints, ...affinity};
  };
  const inCluster = to(spec?.internalTrafficPolicy === 'Local' ? local : near);
  const keepsSource = spec?.externalTrafficPolicy === 'Local';
  return {
    name,
    service,
    port,
    protocol: port.protocol ?? 'TCP',
    all,
    cluster: {name, inside: inCluster, outside: inCluster, keepsSource: false},
    external: {name, inside: to(near), outside: to(keepsSource ? local : near), keepsSource},
  };
}

/** The addresses beside the cluster's own that lead to a Service: external ones, and those of its load balancer. */
export function externalAddresses({spec, status}: Service): {
  readonly external: readonly string[];
  readonly balancer: readonly string[];
} {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return {
    external: spec?.externalIPs ?? [],
    balancer: ingress.filter(each => each.ip !== undefined && each.ipMode !== 'Proxy').map(each => each.ip ?? ''),
  };
}
