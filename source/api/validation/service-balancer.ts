// The balancer in front of a Service: who may come, which class it is of, and where it says that it listens.
import type {Service, ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, root} from '../meta/field-error.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {ipAddress, ipRange} from './addresses.ts';
import {type Errors, oneOf, sentences} from './rules.ts';

const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";
const RANGES = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** All of it in a new Service. */
export function balancer({metadata, spec}: Service, path: FieldPath, errors: Errors): void {
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

/** A class is for balancers alone. */
export function balancerClass(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
  const name = spec.loadBalancerClass;
  if (name === undefined) return;
  if (spec.type === 'LoadBalancer') sentences(checkQualifiedName(name), {path, value: name}, errors);
  else errors.push(forbiddenField(path, BALANCER_ONLY));
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
