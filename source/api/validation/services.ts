// Services: ports, addresses, policies. What depends on what is taken already (addresses, node ports) is the API server's.
import type {Service, ServicePort, ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkPortNumber, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipAddress, ipRange, ordinaryAddress} from './addresses.ts';
import {PROTOCOLS} from './containers.ts';
import {type Errors, labels, oneOf, portNumberOrName, requiredOneOf, sentences} from './rules.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";
const POLICIES = ['Cluster', 'Local'];

/** A new Service. */
export function validateService(service: Service, errors: Errors): void {
  const path = root('spec');
  const spec = service.spec ?? {};
  const headless = isHeadless(spec);
  annotated(service, errors);
  if ((spec.ports?.length ?? 0) === 0 && !headless && spec.type !== 'ExternalName') errors.push(required(path.child('ports')));
  byType(spec, headless, {path, errors});
  ports(spec.ports ?? [], path.child('ports'), errors);
  labels(spec.selector, path.child('selector'), errors);
  affinity(spec, path, errors);
  addresses(spec, path, errors);
  spec.externalIPs?.forEach((address, i) => {
    const at = path.child('externalIPs').index(i);
    if (ipAddress(address, at, errors)) ordinaryAddress(address, at, errors);
  });
  requiredOneOf(spec.type, {path: path.child('type'), of: TYPES}, errors);
  nodePorts(spec, path.child('ports'), errors);
  duplicatePorts(spec.ports ?? [], path.child('ports'), errors);
  balancer(service, path, errors);
  traffic(spec, path, errors);
}

const MODE = 'service.kubernetes.io/topology-mode';
const HINTS = 'service.kubernetes.io/topology-aware-hints';
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** The two names of one annotation say the same. */
function annotated({metadata: {annotations}}: Service, errors: Errors): void {
  const mode = annotations?.[MODE];
  const hints = annotations?.[HINTS];
  if (mode === undefined || hints === undefined || mode === hints) return;
  const text = `must match annotations[${HINTS}] when both are specified`;
  errors.push(invalid(root('metadata', 'annotations').key(MODE), mode, text));
}

/** A changed Service: its first addresses stay, unless it has been or becomes an external name. */
export function validateServiceUpdate(service: Service, before: Service, errors: Errors): void {
  const path = root('spec');
  const {spec} = service;
  const old = before.spec;
  if (spec.type !== 'ExternalName' && old.type !== 'ExternalName') {
    const headless = [isHeadless(spec), isHeadless(old)];
    if (!headless.every(Boolean)) settled({now: clusterIPs(spec), was: clusterIPs(old), spec}, {path, name: 'clusterIP', errors});
    if (!headless.some(Boolean))
      settled({now: spec.ipFamilies ?? [], was: old.ipFamilies ?? [], spec}, {path, name: 'ipFamily', errors});
  }
  const balanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  const {loadBalancerClass} = spec;
  if (balanced && loadBalancerClass !== old.loadBalancerClass)
    errors.push(invalid(path.child('loadBalancerClass'), loadBalancerClass ?? null, 'may not change once set'));
  balancerClass(spec, path.child('loadBalancerClass'), errors);
  healthPort(spec, old, {path, errors});
  validateService(service, errors);
}

interface Listed {
  readonly now: readonly string[];
  readonly was: readonly string[];
  readonly spec: ServiceSpec;
}

/** A second address or family may come and go, the first one stays. */
function settled({now, was, spec}: Listed, {path, name, errors}: Place & {name: 'clusterIP' | 'ipFamily'}): void {
  const ofAddresses = name === 'clusterIP';
  const list = path.child(ofAddresses ? 'clusterIPs' : 'ipFamilies');
  const changed = (i: number, shown: unknown) => errors.push(invalid(list.index(i), shown, 'may not change once set'));
  if (now.length === was.length) {
    was.forEach((value, i) => {
      if (value !== now[i]) changed(ofAddresses ? i : 0, now);
    });
    return;
  }
  // The server shows the addresses where it speaks of families.
  const shown = clusterIPs(spec);
  const gone = shown.length === 0;
  if (now.length < was.length && gone)
    errors.push(invalid(list.index(0), gone && ofAddresses ? null : now, `primary ${name} can not be unset`));
  if (was.length > 0 && now.length > 0 && now[0] !== was[0]) changed(0, shown);
  if (now.length !== 1 || was.length < 2 || spec.ipFamilyPolicy === 'SingleStack') return;
  const text = `must be set to 'SingleStack' when releasing the secondary ${name}`;
  errors.push(invalid(path.child('ipFamilyPolicy'), spec.ipFamilyPolicy ?? null, text));
}

/** The port at which a balancer asks for the health stays as long as there is one. */
function healthPort(spec: ServiceSpec, old: ServiceSpec, {path, errors}: Place): void {
  const asked = ({type, externalTrafficPolicy}: ServiceSpec) => type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
  if (asked(spec) && asked(old) && old.healthCheckNodePort && spec.healthCheckNodePort !== old.healthCheckNodePort)
    errors.push(forbiddenField(path.child('healthCheckNodePort'), 'field is immutable'));
}

/** Where a balancer says that it listens. */
export function validateServiceStatus({status, spec}: Service, errors: Errors): void {
  const path = root('status', 'loadBalancer', 'ingress');
  const list = status?.loadBalancer?.ingress ?? [];
  if (spec?.type !== 'LoadBalancer' && list.length > 0) {
    errors.push(forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'"));
    return;
  }
  list.forEach(({ip, hostname, ipMode}, i) => {
    const at = path.index(i);
    if (ip) ipAddress(ip, at.child('ip'), errors);
    if (ipMode !== undefined && !ip) errors.push(forbiddenField(at.child('ipMode'), 'may not be specified when `ip` is not set'));
    else if (ipMode !== undefined) oneOf(ipMode, {path: at.child('ipMode'), of: ['Proxy', 'VIP']}, errors);
    if (!hostname) return;
    sentences(checkSubdomain(hostname), {path: at.child('hostname'), value: hostname}, errors);
    if (oldIpFamily(hostname) !== undefined)
      errors.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
  });
}

function isHeadless(spec: ServiceSpec): boolean {
  const list = clusterIPs(spec);
  return list.length === 1 && list[0] === 'None';
}

function clusterIPs(spec: ServiceSpec): readonly string[] {
  return spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
}

interface Place {
  readonly path: FieldPath;
  readonly errors: Errors;
}

function byType(spec: ServiceSpec, headless: boolean, {path, errors}: Place): void {
  const first = path.child('clusterIPs').index(0);
  if ((spec.type === 'LoadBalancer' || spec.type === 'NodePort') && headless) {
    errors.push(invalid(first, 'None', `may not be set to 'None' for ${spec.type} services`));
  }
  if (spec.type !== 'ExternalName') return;
  const text = 'may not be set for ExternalName services';
  if (clusterIPs(spec).length > 0) errors.push(forbiddenField(path.child('clusterIPs'), text));
  if ((spec.ipFamilies?.length ?? 0) > 0) errors.push(forbiddenField(path.child('ipFamilies'), text));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbiddenField(path.child('ipFamilyPolicy'), text));
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required(path.child('externalName')));
  else sentences(checkSubdomain(name), {path: path.child('externalName'), value: name}, errors);
}

function ports(list: readonly ServicePort[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  list.forEach((port, i) => {
    const at = path.index(i);
    if (port.name) {
      sentences(checkLabel(port.name), {path: at.child('name'), value: port.name}, errors);
      if (names.has(port.name)) errors.push(duplicate(at.child('name'), port.name));
      names.add(port.name);
    } else if (list.length > 1) errors.push(required(at.child('name')));
    sentences(checkPortNumber(port.port), {path: at.child('port'), value: port.port}, errors);
    requiredOneOf(port.protocol, {path: at.child('protocol'), of: PROTOCOLS}, errors);
    portNumberOrName(port.targetPort, at.child('targetPort'), errors);
    if (port.appProtocol !== undefined) {
      sentences(checkQualifiedName(port.appProtocol), {path: at.child('appProtocol'), value: port.appProtocol}, errors);
    }
  });
}

function affinity(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  requiredOneOf(spec.sessionAffinity, {path: path.child('sessionAffinity'), of: ['ClientIP', 'None']}, errors);
  const at = path.child('sessionAffinityConfig');
  const config = spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'None' && config) errors.push(forbiddenField(at, 'must not be set when session affinity is None'));
  if (spec.sessionAffinity !== 'ClientIP') return;
  const wanted = 'when session affinity type is ClientIP';
  const seconds = config?.clientIP?.timeoutSeconds;
  if (!config) errors.push(required(at, wanted));
  else if (!config.clientIP) errors.push(required(at.child('clientIP'), wanted));
  else if (seconds === undefined) errors.push(required(at.child('clientIP', 'timeoutSeconds'), wanted));
  else if (seconds <= 0 || seconds > 86_400)
    errors.push(invalid(at.child('clientIP', 'timeoutSeconds'), seconds, 'must be greater than 0 and less than 86400'));
}

/** What is wrong with the addresses alone: the server asks before it hands any out. */
export function addressErrors(spec: ServiceSpec): Errors {
  const errors: Errors = [];
  addresses(spec, root('spec'), errors);
  return errors;
}

function addresses(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  if (spec.type === 'ExternalName') return;
  const at = path.child('clusterIPs');
  const list = clusterIPs(spec);
  if (spec.clusterIP) {
    if (list.length === 0) errors.push(required(at));
    else if (list[0] !== spec.clusterIP) errors.push(invalid(at, list, 'first value must match `clusterIP`'));
  } else if (list.length > 0) errors.push(invalid(at, list, 'must be empty when `clusterIP` is not specified'));
  families(spec, path, errors);
  let good = true;
  list.forEach((address, i) => {
    if (i === 0 && address === 'None') {
      if (list.length === 1) return;
      good = false;
      errors.push(invalid(at, list, "'None' must be the first and only value"));
    } else good = ipAddress(address, at.index(i), errors) && good;
  });
  if (list.length > 2) errors.push(invalid(at, list, 'may only hold up to 2 values'));
  if (!good) return;
  const kinds = new Set(list.map(address => oldIpFamily(address)));
  if (list.length > 1 && kinds.size !== 2) errors.push(invalid(at, list, 'may specify no more than one IP for each IP family'));
  list.forEach((address, i) => {
    const wanted = spec.ipFamilies?.[i];
    if (address === 'None' || wanted === undefined || `IPv${oldIpFamily(address)}` === wanted) return;
    errors.push(invalid(at.index(i), address, `expected an ${wanted} value as indicated by \`ipFamilies[${i}]\``));
  });
}

function families(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  spec.ipFamilies?.forEach((family, i) => {
    const at = path.child('ipFamilies').index(i);
    oneOf(family, {path: at, of: ['IPv4', 'IPv6']}, errors);
    if (seen.has(family)) errors.push(duplicate(at, family));
    seen.add(family);
  });
  if (spec.ipFamilyPolicy !== undefined) {
    oneOf(
      spec.ipFamilyPolicy,
      {path: path.child('ipFamilyPolicy'), of: ['PreferDualStack', 'RequireDualStack', 'SingleStack']},
      errors,
    );
  }
}

function nodePorts(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const taken = new Set<string>();
  spec.ports?.forEach(({nodePort}, i) => {
    const at = path.index(i).child('nodePort');
    if (nodePort && spec.type === 'ClusterIP') errors.push(forbiddenField(at, "may not be used when `type` is 'ClusterIP'"));
  });
  spec.ports?.forEach(({nodePort, protocol}, i) => {
    if (!nodePort) return;
    const at = path.index(i).child('nodePort');
    if (taken.has(`${protocol}/${nodePort}`)) errors.push(duplicate(at, nodePort));
    taken.add(`${protocol}/${nodePort}`);
  });
}

function duplicatePorts(list: readonly ServicePort[], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  list.forEach(({port, protocol}, i) => {
    const key = `${protocol}/${port}`;
    // The value is the server's own struct with all but these two left empty.
    const value = {Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0};
    if (seen.has(key)) errors.push(duplicate(path.index(i), value));
    seen.add(key);
  });
}

function balancer({metadata, spec}: Service, path: FieldPath, errors: Errors): void {
  const isBalancer = spec.type === 'LoadBalancer';
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const old = metadata.annotations?.[RANGES];
  if (ranges.length > 0) sourceRanges(ranges, {path: i => path.child('LoadBalancerSourceRanges').index(i), isBalancer}, errors);
  else if (old !== undefined) {
    const at = root('metadata', 'annotations').key(RANGES);
    if (!isBalancer) errors.push(forbiddenField(at, BALANCER_ONLY));
    if (old.trim() !== '') for (const range of old.trim().split(',')) ipRange(range.trim(), at, errors);
  }
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isBalancer) {
    errors.push(forbiddenField(path.child('allocateLoadBalancerNodePorts'), BALANCER_ONLY));
  }
  balancerClass(spec, path.child('loadBalancerClass'), errors);
}

function sourceRanges(
  list: readonly string[],
  {path, isBalancer}: {path: (index: number) => FieldPath; isBalancer: boolean},
  errors: Errors,
): void {
  if (!isBalancer) errors.push(forbiddenField(root('spec', 'LoadBalancerSourceRanges'), BALANCER_ONLY));
  list.forEach((range, i) => ipRange(range.trim(), path(i), errors));
}

function balancerClass(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const name = spec.loadBalancerClass;
  if (name === undefined) return;
  if (spec.type === 'LoadBalancer') sentences(checkQualifiedName(name), {path, value: name}, errors);
  else errors.push(forbiddenField(path, BALANCER_ONLY));
}

function traffic(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const outside =
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0);
  const external = path.child('externalTrafficPolicy');
  if (outside) requiredOneOf(spec.externalTrafficPolicy, {path: external, of: POLICIES}, errors);
  else if (spec.externalTrafficPolicy !== undefined) {
    errors.push(invalid(external, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'));
  }
  const checked = spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
  if (!checked && spec.healthCheckNodePort) {
    const text = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(invalid(path.child('healthCheckNodePort'), spec.healthCheckNodePort, text));
  }
  if (checked && spec.healthCheckNodePort)
    sentences(
      checkPortNumber(spec.healthCheckNodePort),
      {path: path.child('healthCheckNodePort'), value: spec.healthCheckNodePort},
      errors,
    );
  const internal = path.child('internalTrafficPolicy');
  if (spec.internalTrafficPolicy !== undefined) oneOf(spec.internalTrafficPolicy, {path: internal, of: POLICIES}, errors);
  else if (['ClusterIP', 'NodePort', 'LoadBalancer'].includes(spec.type ?? '')) errors.push(required(internal));
  const wishes = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  if (spec.trafficDistribution !== undefined && !wishes.includes(spec.trafficDistribution)) {
    errors.push(notSupported(path.child('trafficDistribution'), spec.trafficDistribution, wishes));
  }
}
