// Where a Service's traffic may go: slices of endpoints, and the older Endpoints.
import type {EndpointAddress, Endpoints, EndpointPort as OldPort} from '../kinds/core-v1.ts';
import type {Endpoint, EndpointPort, EndpointSlice} from '../kinds/discovery-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkPortNumber, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {familyOf, ipAddress, ordinaryAddress} from './addresses.ts';
import {PROTOCOLS} from './containers.ts';
import {type Errors, immutable, sentences} from './rules.ts';

const TYPES = ['FQDN', 'IPv4', 'IPv6'];

/** A slice; of a changed one the type alone is fixed, and what is wrong with it in the light of another type is not told. */
export function validateEndpointSlice(slice: EndpointSlice, errors: Errors): void {
  const type = slice.addressType as string | undefined;
  if (!type) errors.push(required(root('addressType')));
  else if (!TYPES.includes(type)) errors.push(notSupported(root('addressType'), type, TYPES));
  slicePorts(slice.ports ?? [], root('ports'), errors);
  slice.endpoints?.forEach((endpoint, i) => endpointOf(endpoint, {path: root('endpoints').index(i), type: type ?? ''}, errors));
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, before: EndpointSlice, errors: Errors): void {
  validateEndpointSlice({...slice, addressType: before.addressType}, errors);
  immutable(slice.addressType, before.addressType, {path: root('addressType'), errors});
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

/** Endpoints: every subset has addresses, and ports with names where there are several. */
export function validateEndpoints(endpoints: Endpoints, errors: Errors): void {
  const path = root('subsets');
  endpoints.subsets?.forEach((subset, i) => {
    const at = path.index(i);
    const {addresses = [], notReadyAddresses = [], ports = []} = subset;
    if (addresses.length + notReadyAddresses.length === 0)
      errors.push(required(at, 'must specify `addresses` or `notReadyAddresses`'));
    addresses.forEach((address, n) => addressOf(address, at.child('addresses').index(n), errors));
    notReadyAddresses.forEach((address, n) => addressOf(address, at.child('notReadyAddresses').index(n), errors));
    ports.forEach((port, n) => portOf(port, {path: at.child('ports').index(n), named: ports.length > 1}, errors));
  });
}

/** Changed Endpoints; what stays as it was is not judged again. */
export function validateEndpointsUpdate(endpoints: Endpoints, before: Endpoints, errors: Errors): void {
  if (!sameJson(endpoints.subsets ?? null, before.subsets ?? null)) validateEndpoints(endpoints, errors);
}

function addressOf({ip, hostname, nodeName}: EndpointAddress, path: FieldPath, errors: Errors): void {
  const at = path.child('ip');
  if (!ipAddress(ip, at, errors)) errors.push(invalid(at, ip, 'must be a valid IP address'));
  if (hostname) sentences(checkLabel(hostname), {path: path.child('hostname'), value: hostname}, errors);
  if (nodeName !== undefined) sentences(checkSubdomain(nodeName), {path: path.child('nodeName'), value: nodeName}, errors);
  ordinaryAddress(ip, at, errors);
}

function portOf(port: OldPort, {path, named}: {path: FieldPath; named: boolean}, errors: Errors): void {
  if (!port.name) {
    if (named) errors.push(required(path.child('name')));
  } else sentences(checkLabel(port.name), {path: path.child('name'), value: port.name}, errors);
  sentences(checkPortNumber(port.port), {path: path.child('port'), value: port.port}, errors);
  const protocol = port.protocol as string | undefined;
  if (!protocol) errors.push(required(path.child('protocol')));
  else if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(path.child('protocol'), protocol, PROTOCOLS));
  if (port.appProtocol !== undefined) {
    sentences(checkQualifiedName(port.appProtocol), {path: path.child('appProtocol'), value: port.appProtocol}, errors);
  }
}
