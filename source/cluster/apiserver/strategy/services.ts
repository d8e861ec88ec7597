// Services: cluster addresses and node ports. What a client leaves out of an update that the server once gave stays; what a
// changed type has no use for goes.
import type {Service, ServicePort, ServiceSpec} from '../../../api/kinds/core-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {invalid, type FieldError} from '../../../api/meta/field-error.ts';
import {addressErrors} from '../../../api/validation/service-addresses.ts';
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {internalError, invalidObject} from '../../../api/meta/status.ts';
import {refuse, Refused} from '../http/refused.ts';
import type {Also} from '../registry/commit.ts';
import type {Write} from '../registry/write.ts';
import type {Strategy} from './strategy.ts';

const KIND = {group: '', kind: 'Service'};
const NONE = 'None';
const IP_PREFIX = '/registry/ipaddresses/';

type Draft = {-readonly [K in keyof ServiceSpec]: ServiceSpec[K]};

export const services: Strategy = {
  returnsDeleted: true,
  fields: {'spec.clusterIP': object => specOf(object).clusterIP ?? '', 'spec.type': object => specOf(object).type ?? ''},
  create: object => ({...withSpec(object, normal(specOf(object))), status: {loadBalancer: {}}}),
  update: (object, old) => withSpec(object, normal(kept(specOf(object), specOf(old)))),
  allocate(object, old, write) {
    const errors = [...addressErrors(specOf(object)), ...familyErrors(specOf(object))];
    if (errors.length > 0) return wrong(object, errors);
    const addressed = withAddress(object, old, write);
    return addressed instanceof Refused ? addressed : withPorts(addressed, old, write);
  },
  also(object, old, write) {
    const now = addressOf(object);
    const before = addressOf(old);
    if (now === before) return [];
    const also: Also[] = [];
    if (before) also.push({kind: 'free', key: IP_PREFIX + before});
    if (now && object) also.push({kind: 'claim', key: IP_PREFIX + now, value: addressObject(now, object, write)});
    return also;
  },
};

/** This cluster has IPv4 alone. A headless Service without a selector gets its addresses by hand, so it may name both. */
function familyErrors(spec: ServiceSpec): readonly FieldError[] {
  if (spec.type === 'ExternalName' || (spec.clusterIP === NONE && Object.keys(spec.selector ?? {}).length === 0)) return [];
  const families = (spec.ipFamilies ?? []).flatMap((family, index) =>
    family === 'IPv6' ? [invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')] : [],
  );
  if (spec.ipFamilyPolicy !== 'RequireDualStack') return families;
  return [
    ...families,
    invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services'),
  ];
}

function specOf(object: AnyObject | undefined): ServiceSpec {
  return (object as unknown as Service | undefined)?.spec ?? {};
}

function withSpec(object: AnyObject, spec: ServiceSpec): AnyObject {
  return spec === object.spec ? object : {...object, spec};
}

/** `clusterIP` and `clusterIPs` say the same. */
function normal(spec: ServiceSpec): ServiceSpec {
  if (spec.type === 'ExternalName') return spec;
  if (spec.clusterIP && !spec.clusterIPs?.length) return {...spec, clusterIPs: [spec.clusterIP]};
  const [first] = spec.clusterIPs ?? [];
  return first !== undefined && !spec.clusterIP ? {...spec, clusterIP: first} : spec;
}

/** An update that does not mention what the server gave keeps it; what the new type cannot have is dropped. */
function kept(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const next: Draft = {...spec};
  const hadAddress = old.type !== 'ExternalName' && spec.type !== 'ExternalName';
  if (hadAddress && !next.clusterIP && !next.clusterIPs?.length) {
    if (old.clusterIP !== undefined) next.clusterIP = old.clusterIP;
    if (old.clusterIPs !== undefined) next.clusterIPs = old.clusterIPs;
  } else if (hadAddress && spec.clusterIP !== old.clusterIP && spec.clusterIPs?.[0] === old.clusterIP && spec.clusterIP) {
    next.clusterIPs = [spec.clusterIP];
  } else if (hadAddress && !spec.clusterIP && spec.clusterIPs?.[0] === old.clusterIP && old.clusterIP) {
    next.clusterIP = old.clusterIP;
  }
  if (needsPorts(next) && needsPorts(old)) keepPorts(next, old);
  if (needsHealthPort(next) && needsHealthPort(old) && !next.healthCheckNodePort && old.healthCheckNodePort)
    next.healthCheckNodePort = old.healthCheckNodePort;
  return dropped(next, old);
}

/** Ports that are written without a node port keep theirs, found by port and protocol. */
function keepPorts(next: Draft, old: ServiceSpec): void {
  const used = new Set(next.ports?.map(port => port.nodePort ?? 0));
  const before = new Map(old.ports?.map(port => [`${port.protocol} ${port.port}`, port.nodePort ?? 0]));
  next.ports = (next.ports ?? []).map(port => {
    const own = before.get(`${port.protocol} ${port.port}`) ?? 0;
    return port.nodePort || own === 0 || used.has(own) ? port : {...port, nodePort: own};
  });
}

function dropped(next: Draft, old: ServiceSpec): ServiceSpec {
  if (next.type === 'ExternalName' && old.type !== 'ExternalName') {
    if (next.clusterIP === old.clusterIP) delete next.clusterIP;
    if (next.clusterIPs?.[0] === old.clusterIPs?.[0]) delete next.clusterIPs;
    delete next.ipFamilies;
    delete next.ipFamilyPolicy;
    delete next.internalTrafficPolicy;
  }
  if (needsPorts(old) && !needsPorts(next)) {
    const same = (port: ServicePort): boolean =>
      old.ports?.some(each => each.port === port.port && each.nodePort === port.nodePort) ?? false;
    next.ports = (next.ports ?? []).map(port => (port.nodePort && same(port) ? withoutNodePort(port) : port));
  }
  if (needsHealthPort(old) && !needsHealthPort(next) && next.healthCheckNodePort === old.healthCheckNodePort)
    delete next.healthCheckNodePort;
  if (isExternal(old) && !isExternal(next) && next.externalTrafficPolicy === old.externalTrafficPolicy)
    delete next.externalTrafficPolicy;
  if (old.type === 'LoadBalancer' && next.type !== 'LoadBalancer') {
    if (next.allocateLoadBalancerNodePorts === old.allocateLoadBalancerNodePorts) delete next.allocateLoadBalancerNodePorts;
    if (next.loadBalancerClass === old.loadBalancerClass) delete next.loadBalancerClass;
  }
  return next;
}

function withoutNodePort(port: ServicePort): ServicePort {
  const {nodePort: _port, ...rest} = port;
  return rest;
}

function isExternal(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || spec.type === 'LoadBalancer' || (spec.externalIPs?.length ?? 0) > 0;
}

function needsPorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

function needsHealthPort(spec: ServiceSpec): boolean {
  return spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** The address that a Service holds. */
function addressOf(object: AnyObject | undefined): string {
  const {clusterIP, type} = specOf(object);
  return clusterIP && clusterIP !== NONE && type !== 'ExternalName' ? clusterIP : '';
}

function withAddress(object: AnyObject, old: AnyObject | undefined, write: Write): AnyObject | Refused {
  const spec = specOf(object);
  const {addresses, settings} = write.core;
  if (spec.type === 'ExternalName' || spec.clusterIP === NONE) return object;
  const own = addressOf(old);
  if (spec.clusterIP) {
    // Another address than before is refused by validation.
    if (own !== '') return object;
    const problem = addresses.isServed(spec.clusterIP)
      ? addresses.isTaken(spec.clusterIP)
        ? 'provided IP is already allocated'
        : ''
      : 'the provided network does not match the current range';
    return problem === ''
      ? object
      : wrong(object, [invalid('spec.clusterIPs', spec.clusterIPs, `failed to allocate IP ${spec.clusterIP}: ${problem}`)]);
  }
  // A dry run takes nothing, and says so with the first address of the range.
  const chosen = write.dryRun ? settings.serviceRange.split('/')[0] : addresses.choose();
  if (!chosen) return refuse(internalError('failed to allocate a serviceIP: range is full'));
  return withSpec(object, {...spec, clusterIP: chosen, clusterIPs: [chosen]});
}

function withPorts(object: AnyObject, old: AnyObject | undefined, write: Write): AnyObject | Refused {
  const spec = specOf(object);
  const next: Draft = {...spec};
  const given = new Set<number>((spec.ports ?? []).map(port => port.nodePort ?? 0).filter(port => port !== 0));
  if (needsPorts(spec)) {
    const problems = (spec.ports ?? []).flatMap((port, index) =>
      portProblem(port, index, {object, write, ports: spec.ports ?? []}),
    );
    if (problems.length > 0) return wrong(object, problems);
    const byNumber = new Map<number, number>();
    next.ports = (spec.ports ?? []).map(port => {
      const nodePort = port.nodePort || byNumber.get(port.port) || (write.core.addresses.choosePort(given) ?? 0);
      given.add(nodePort);
      // One number with two protocols gets one node port.
      byNumber.set(port.port, nodePort);
      return port.nodePort ? port : {...port, nodePort};
    });
  }
  if (needsHealthPort(spec)) {
    const asked = spec.healthCheckNodePort ?? 0;
    const owner = asked === 0 ? undefined : write.core.addresses.ownerOf(asked);
    if (owner !== undefined && owner !== ownKey(object)) {
      return refuse(
        internalError(`failed to allocate requested HealthCheck NodePort ${asked}: provided port is already allocated`),
      );
    }
    next.healthCheckNodePort = asked || (write.core.addresses.choosePort(given) ?? 0);
  }
  const changed = next.ports !== spec.ports || next.healthCheckNodePort !== spec.healthCheckNodePort;
  return changed || old === undefined ? withSpec(object, changed ? next : spec) : object;
}

function portProblem(
  port: ServicePort,
  index: number,
  context: {object: AnyObject; write: Write; ports: readonly ServicePort[]},
): FieldError[] {
  const {object, write, ports} = context;
  const {addresses} = write.core;
  const {nodePort} = port;
  if (!nodePort) return [];
  const {first, last} = addresses.ports;
  const field = `spec.ports[${index}].nodePort`;
  if (nodePort < first || nodePort > last) {
    return [invalid(field, nodePort, `provided port is not in the valid range. The range of valid ports is ${first}-${last}`)];
  }
  const owner = addresses.ownerOf(nodePort);
  const twice = ports.slice(0, index).some(each => each.nodePort === nodePort && each.protocol === port.protocol);
  return twice || (owner !== undefined && owner !== ownKey(object))
    ? [invalid(field, nodePort, 'provided port is already allocated')]
    : [];
}

function ownKey(object: AnyObject): string {
  return `${object.metadata.namespace}/${object.metadata.name}`;
}

function wrong(object: AnyObject, errors: readonly FieldError[]): Refused {
  return refuse(invalidObject(KIND, object.metadata.name, errors));
}

function addressObject(address: string, service: AnyObject, write: Write): AnyObject {
  const {daemon} = write.core;
  const {namespace, name} = service.metadata;
  const metadata = {
    name: address,
    uid: daemon.dice.uuid(),
    creationTimestamp: daemon.now(),
    labels: {'ipaddress.kubernetes.io/ip-family': 'IPv4', 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io'},
  } as unknown as ObjectMeta;
  const spec = {parentRef: {resource: 'services', namespace, name}};
  return deepFreeze({apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress', metadata, spec});
}
