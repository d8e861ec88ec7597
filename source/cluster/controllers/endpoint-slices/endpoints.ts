// A pod as an endpoint of a Service: where it is, whether it takes traffic, and on which ports. A pod belongs as soon as it has
// an address and until it has ended. It is ready when it is Ready and not being deleted; a Service may publish all of its pods
// as ready. `serving` tells what the pod itself says, also while it terminates.
import type {Pod, Service, ServicePort} from '../../../api/kinds/core-v1.ts';
import type {Endpoint, EndpointPort} from '../../../api/kinds/discovery-v1.ts';
import {isReady, isSidecar, isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {sameHints} from './hints.ts';

export type AddressType = 'IPv4' | 'IPv6';

/** Has it an address, and not ended? */
export function isEndpoint(pod: Pod): boolean {
  return !isTerminal(pod) && addressesOf(pod).length > 0;
}

/** All its addresses. */
export function addressesOf(pod: Pod): readonly string[] {
  const list = pod.status?.podIPs;
  if (list && list.length > 0) return list.flatMap(each => (each.ip ? [each.ip] : []));
  return pod.status?.podIP ? [pod.status.podIP] : NONE;
}

const NONE: readonly string[] = [];

/** Does an address belong to the family? */
export function isOfType(address: string, type: AddressType): boolean {
  return address.includes(':') === (type === 'IPv6');
}

/** The pod as an endpoint; undefined when it has no address of the family. */
export function endpointOf(
  pod: Pod,
  service: Service,
  how: {readonly type: AddressType; readonly zone: string | undefined},
): Endpoint | undefined {
  const plain = service.spec.publishNotReadyAddresses !== true && !pod.spec.hostname;
  const known = plain ? plainEndpoints.get(pod) : undefined;
  if (known?.type === how.type && known.zone === how.zone) return known.endpoint;
  const endpoint = makeEndpoint(pod, service, how);
  if (plain && Object.isFrozen(pod)) plainEndpoints.set(pod, {...how, endpoint});
  return endpoint;
}

// Most pods are the same endpoint for every Service that selects them.
const plainEndpoints = new WeakMap<
  Pod,
  {readonly type: AddressType; readonly zone: string | undefined; readonly endpoint: Endpoint | undefined}
>();

function makeEndpoint(
  pod: Pod,
  service: Service,
  how: {readonly type: AddressType; readonly zone: string | undefined},
): Endpoint | undefined {
  const addresses = addressesOf(pod).filter(address => isOfType(address, how.type));
  if (addresses.length === 0) return undefined;
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const {name, namespace = '', uid} = pod.metadata;
  const {hostname, nodeName, subdomain} = pod.spec;
  return {
    addresses,
    conditions: {ready, serving, terminating},
    ...(hostname && subdomain === service.metadata.name ? {hostname} : {}),
    ...(nodeName ? {nodeName} : {}),
    targetRef: {kind: 'Pod', name, namespace, uid},
    ...(how.zone ? {zone: how.zone} : {}),
  };
}

/** The ports of a Service on a pod: a named target port is looked up among the containers' ports, and may be missing. */
export function portsOf(pod: Pod, service: Service): readonly EndpointPort[] {
  return (service.spec.ports ?? []).flatMap(servicePort => {
    const port = targetPort(pod, servicePort);
    if (port === undefined) return [];
    const {name = '', protocol = 'TCP', appProtocol} = servicePort;
    return [{name, port, protocol, ...(appProtocol ? {appProtocol} : {})}];
  });
}

/** The number behind a Service port on a pod. */
export function targetPort(pod: Pod, {targetPort: target, port, protocol = 'TCP'}: ServicePort): number | undefined {
  if (typeof target === 'number') return target;
  if (target === undefined) return port;
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(isSidecar)];
  for (const container of containers) {
    const found = container.ports?.find(each => each.name === target && (each.protocol ?? 'TCP') === protocol);
    if (found) return found.containerPort;
  }
  return undefined;
}

/** A name for a set of ports, equal for equal sets. */
export function portsKey(ports: readonly EndpointPort[] | undefined): string {
  return (ports ?? [])
    .map(({name = '', port, protocol = 'TCP', appProtocol = ''}) => `${name}/${port}/${protocol}/${appProtocol}`)
    .toSorted()
    .join(' ');
}

/** The endpoint's identity within a Service: another address or another pod is another endpoint. */
export function endpointKey({addresses, targetRef}: Endpoint): string {
  return `${addresses.join(',')} ${targetRef?.namespace}/${targetRef?.name}`;
}

/** Do two endpoints of one identity say the same? */
export function isSameEndpoint(a: Endpoint, b: Endpoint): boolean {
  return (
    a === b ||
    (a.nodeName === b.nodeName &&
      a.zone === b.zone &&
      a.hostname === b.hostname &&
      sameHints(a.hints, b.hints) &&
      a.targetRef?.uid === b.targetRef?.uid &&
      a.conditions?.ready === b.conditions?.ready &&
      a.conditions?.serving === b.conditions?.serving &&
      a.conditions?.terminating === b.conditions?.terminating)
  );
}
