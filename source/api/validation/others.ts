// Nodes, namespaces, leases, slices of endpoints, events, runtime classes.
import type {Lease} from '../kinds/coordination-v1.ts';
import type {Event, Node, Taint} from '../kinds/core-v1.ts';
import type {Endpoint, EndpointPort, EndpointSlice} from '../kinds/discovery-v1.ts';
import type {RuntimeClass} from '../kinds/node-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkLabelValue, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {familyOf, ipAddress, ordinaryAddress} from './addresses.ts';
import {PROTOCOLS} from './containers.ts';
import {type Errors, immutable, labelKey, notNegative, sentences} from './rules.ts';

export function validateLease(lease: Lease, errors: Errors): void {
  const path = root('spec');
  const seconds = lease.spec?.leaseDurationSeconds;
  if (seconds !== undefined && seconds <= 0)
    errors.push(invalid(path.child('leaseDurationSeconds'), seconds, 'must be greater than 0'));
  notNegative(lease.spec?.leaseTransitions, path.child('leaseTransitions'), errors);
}

export function validateNode(node: Node, errors: Errors): void {
  taints(node.spec?.taints, root('spec', 'taints'), errors);
}

/** What a node's own part may change in: where it is reached is settled once. */
export function validateNodeUpdate(node: Node, before: Node, errors: Errors): void {
  validateNode(node, errors);
  const path = root('spec');
  if (before.spec?.podCIDR && node.spec?.podCIDR !== before.spec.podCIDR) {
    errors.push(forbiddenField(path.child('podCIDRs'), 'node updates may not change podCIDR except from "" to valid'));
  }
  if (before.spec?.providerID && node.spec?.providerID !== before.spec.providerID) {
    errors.push(forbiddenField(path.child('providerID'), 'node updates may not change providerID except from "" to valid'));
  }
}

function taints(list: readonly Taint[] | undefined, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  list?.forEach((taint, i) => {
    const at = path.index(i);
    labelKey(taint.key, at.child('key'), errors);
    const texts = checkLabelValue(taint.value ?? '');
    if (texts.length > 0) errors.push(invalid(at.child('value'), taint.value ?? '', texts.join(';')));
    const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
    if (!taint.effect) errors.push(required(at.child('effect')));
    else if (!effects.includes(taint.effect)) errors.push(notSupported(at.child('effect'), taint.effect, effects));
    const key = `${taint.effect}/${taint.key}`;
    if (seen.has(key)) {
      const duplicated = duplicate(at, {key: taint.key, ...(taint.value ? {value: taint.value} : {}), effect: taint.effect});
      errors.push({...duplicated, detail: 'taints must be unique by key and effect pair'});
    }
    seen.add(key);
  });
}

const TYPES = ['FQDN', 'IPv4', 'IPv6'];

export function validateEndpointSlice(slice: EndpointSlice, errors: Errors): void {
  const type = slice.addressType as string | undefined;
  if (!type) errors.push(required(root('addressType')));
  else if (!TYPES.includes(type)) errors.push(notSupported(root('addressType'), type, TYPES));
  slice.endpoints?.forEach((endpoint, i) => endpointOf(endpoint, {path: root('endpoints').index(i), type: type ?? ''}, errors));
  slicePorts(slice.ports ?? [], root('ports'), errors);
}

function endpointOf(endpoint: Endpoint, at: {path: FieldPath; type: string}, errors: Errors): void {
  const addresses = endpoint.addresses ?? [];
  const list = at.path.child('addresses');
  if (addresses.length === 0) errors.push(required(list, 'must contain at least 1 address'));
  if (addresses.length > 100) errors.push(invalid(list, addresses, 'must contain at most 100 addresses'));
  addresses.forEach((address, i) => {
    if (at.type === 'FQDN') sentences(checkSubdomain(address), {path: list.index(i), value: address}, errors);
    else if (at.type === 'IPv4' || at.type === 'IPv6') {
      if (!ipAddress(address, list.index(i), errors)) return;
      if (`IPv${familyOf(address, true)}` !== at.type) errors.push(invalid(list, address, `must be an ${at.type} address`));
      ordinaryAddress(address, list.index(i), errors);
    }
  });
  if (endpoint.nodeName !== undefined)
    sentences(checkSubdomain(endpoint.nodeName), {path: at.path.child('nodeName'), value: endpoint.nodeName}, errors);
  if (endpoint.hostname !== undefined)
    sentences(checkLabel(endpoint.hostname), {path: at.path.child('hostname'), value: endpoint.hostname}, errors);
}

function slicePorts(list: readonly EndpointPort[], path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  list.forEach((port, i) => {
    const at = path.index(i);
    const name = port.name ?? '';
    if (name !== '') sentences(checkLabel(name), {path: at.child('name'), value: name}, errors);
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    const protocol = port.protocol as string | undefined;
    if (!protocol) errors.push(required(at.child('protocol')));
    else if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(at.child('protocol'), protocol, PROTOCOLS));
    if (port.appProtocol !== undefined) {
      sentences(checkQualifiedName(port.appProtocol), {path: at.child('appProtocol'), value: port.appProtocol}, errors);
    }
  });
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, before: EndpointSlice, errors: Errors): void {
  validateEndpointSlice(slice, errors);
  immutable(slice.addressType, before.addressType, {path: root('addressType'), errors});
}

export function validateEvent(event: Event, errors: Errors): void {
  const namespace = event.involvedObject?.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const good = namespace === own || (namespace === '' && (own === 'default' || own === 'kube-system'));
  if (!good) errors.push(invalid(root('involvedObject', 'namespace'), namespace, 'does not match event.namespace'));
}

export function validateRuntimeClass(runtimeClass: RuntimeClass, errors: Errors): void {
  sentences(checkLabel(runtimeClass.handler), {path: root('handler'), value: runtimeClass.handler}, errors);
}

export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, before: RuntimeClass, errors: Errors): void {
  immutable(runtimeClass.handler, before.handler, {path: root('handler'), errors});
}
