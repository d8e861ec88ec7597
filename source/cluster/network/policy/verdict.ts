// What NetworkPolicies say of one connection. A pod that a policy selects is closed in the directions of that policy, and each rule
// of any such policy opens it for some peers and ports; policies only ever add. Selectors of a peer are read in the policy's own
// namespace unless it names namespaces, and both together mean both.
import type {Namespace, Pod} from '../../../api/kinds/core-v1.ts';
import type {IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort} from '../../../api/kinds/networking-v1.ts';
import {holdsIp, parseCidr, parseIp} from '../../../api/meta/ip.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import type {Protocol} from '../../../api/wire/packet-rules.ts';

export type Direction = 'ingress' | 'egress';

/** One end of a connection: its address, and the pod that has it, where it is one of the cluster. */
export interface End {
  readonly address: string;
  readonly pod: Pod | undefined;
}

/** A connection as one of its ends sees it. */
export interface Connection {
  readonly direction: Direction;
  /** The pod that is judged. */
  readonly pod: Pod;
  readonly peer: End;
  /** The one who is dialled: names of ports are those of its containers. */
  readonly server: Pod | undefined;
  readonly port: number;
  readonly protocol: Protocol;
}

const EVERYTHING = Object.freeze({});

/** Does any policy close the pod in this direction, and none of its rules let the connection through? */
export function isRefused(
  policies: Iterable<NetworkPolicy>,
  connection: Connection,
  namespaceOf: (name: string) => Namespace | undefined,
): boolean {
  let closed = false;
  for (const policy of policies) {
    if (!selects(policy, connection)) continue;
    if (opens(policy, connection, namespaceOf)) return false;
    closed = true;
  }
  return closed;
}

function selects({metadata, spec}: NetworkPolicy, {pod, direction}: Connection): boolean {
  if (metadata.namespace !== pod.metadata.namespace) return false;
  const type = direction === 'ingress' ? 'Ingress' : 'Egress';
  return (spec.policyTypes ?? ['Ingress']).includes(type) && selectorMatcher(spec.podSelector ?? EVERYTHING)(pod.metadata.labels);
}

function opens(
  {metadata, spec}: NetworkPolicy,
  connection: Connection,
  namespaceOf: (name: string) => Namespace | undefined,
): boolean {
  const rules =
    connection.direction === 'ingress'
      ? (spec.ingress ?? []).map(({from, ports}) => ({peers: from, ports}))
      : (spec.egress ?? []).map(({to, ports}) => ({peers: to, ports}));
  const {namespace = ''} = metadata;
  return rules.some(
    ({peers = [], ports = []}) =>
      (ports.length === 0 || ports.some(port => isPort(port, connection))) &&
      (peers.length === 0 || peers.some(peer => isPeer(peer, connection.peer, {namespace, namespaceOf}))),
  );
}

function isPort(wanted: NetworkPolicyPort, {port, protocol, server}: Connection): boolean {
  if ((wanted.protocol ?? 'TCP') !== protocol) return false;
  if (wanted.port === undefined) return true;
  if (typeof wanted.port === 'number') return port >= wanted.port && port <= (wanted.endPort ?? wanted.port);
  const containers = server?.spec.containers ?? [];
  return containers
    .flatMap(({ports = []}) => ports)
    .some(each => each.name === wanted.port && each.containerPort === port && (each.protocol ?? 'TCP') === protocol);
}

function isPeer(
  {ipBlock, podSelector, namespaceSelector}: NetworkPolicyPeer,
  {address, pod}: End,
  place: {readonly namespace: string; readonly namespaceOf: (name: string) => Namespace | undefined},
): boolean {
  if (ipBlock) return isInBlock(ipBlock, address);
  if (!pod) return false;
  const {namespace = '', labels} = pod.metadata;
  const near = namespaceSelector
    ? selectorMatcher(namespaceSelector)(place.namespaceOf(namespace)?.metadata.labels)
    : namespace === place.namespace;
  return near && (podSelector === undefined || selectorMatcher(podSelector)(labels));
}

function isInBlock({cidr, except = []}: IPBlock, address: string): boolean {
  return isWithin(cidr, address) && !except.some(each => isWithin(each, address));
}

function isWithin(range: string, address: string): boolean {
  const cidr = parseCidr(range);
  const ip = parseIp(address);
  return cidr !== undefined && ip !== undefined && holdsIp(cidr, ip);
}
