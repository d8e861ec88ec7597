// Where a Service's traffic may go: slices of endpoints, and the older Endpoints.
import type {EndpointAddress, Endpoints, EndpointPort as OldPort} from '../kinds/core-v1.ts';
import type {Endpoint, EndpointPort, EndpointSlice} from '../kinds/discovery-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, notSupported, required, root, tooMany} from '../meta/field-error.ts';
import {checkLabel, checkLabelValue, checkPortNumber, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipAddress, ordinaryAddress} from './addresses.ts';
import {PROTOCOLS} from './containers.ts';
import {type Errors, immutable, labels, sentences} from './rules.ts';

const TYPES = ['FQDN', 'IPv4', 'IPv6'];
const MOST = {addresses: 100, ports: 20_000, endpoints: 1000, hints: 8, topology: 16};

/** A slice; of a changed one the type alone is fixed, and what is wrong with it in the light of another type is not told. */
export function validateEndpointSlice(slice: EndpointSlice, errors: Errors): void {
  const type = slice.addressType as string | undefined;
  if (!type) errors.push(required(root('addressType')));
  else if (!TYPES.includes(type)) errors.push(notSupported(root('addressType'), type, TYPES));
  const {ports = [], endpoints} = slice;
  if (ports.length > MOST.ports) errors.push(tooMany(root('ports'), ports.length, MOST.ports));
  else slicePorts(ports, root('ports'), errors);
  if ((endpoints?.length ?? 0) > MOST.endpoints) errors.push(tooMany(root('endpoints'), endpoints.length, MOST.endpoints));
  else endpoints?.forEach((endpoint, i) => endpointOf(endpoint, {path: root('endpoints').index(i), type: type ?? ''}, errors));
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, before: EndpointSlice, errors: Errors): void {
  validateEndpointSlice({...slice, addressType: before.addressType}, errors);
  immutable(slice.addressType, before.addressType, {path: root('addressType'), errors});
}

// Endpoints in which nothing was wrong, by the type of their addresses: a slice of a hundred is written anew for one that changed.
const good = new WeakMap<Endpoint, string>();

function endpointOf(endpoint: Endpoint, at: {path: FieldPath; type: string}, errors: Errors): void {
  if (good.get(endpoint) === at.type) return;
  const before = errors.length;
  judgeEndpoint(endpoint, at, errors);
  if (errors.length === before && Object.isFrozen(endpoint)) good.set(endpoint, at.type);
}

function judgeEndpoint(endpoint: Endpoint, at: {path: FieldPath; type: string}, errors: Errors): void {
  const addresses = endpoint.addresses ?? [];
  const list = at.path.child('addresses');
  if (addresses.length === 0) errors.push(required(list, 'must contain at least 1 address'));
  if (addresses.length > MOST.addresses) errors.push(tooMany(list, addresses.length, MOST.addresses));
  else
    addresses.forEach((address, i) => {
      if (at.type === 'FQDN') domain(address, list.index(i), errors);
      else if (at.type === 'IPv4' || at.type === 'IPv6') {
        if (!ipAddress(address, list.index(i), errors)) return;
        if (`IPv${oldIpFamily(address)}` !== at.type) errors.push(invalid(list, address, `must be an ${at.type} address`));
        ordinaryAddress(address, list.index(i), errors);
      }
    });
  if (endpoint.nodeName !== undefined)
    sentences(checkSubdomain(endpoint.nodeName), {path: at.path.child('nodeName'), value: endpoint.nodeName}, errors);
  const topology = at.path.child('deprecatedTopology');
  const count = Object.keys(endpoint.deprecatedTopology ?? {}).length;
  if (count > MOST.topology) errors.push(tooMany(topology, count, MOST.topology));
  labels(endpoint.deprecatedTopology, topology, errors);
  if (endpoint.hostname !== undefined)
    sentences(checkLabel(endpoint.hostname), {path: at.path.child('hostname'), value: endpoint.hostname}, errors);
  for (const list of ['forZones', 'forNodes'] as const) hints(endpoint.hints?.[list], at.path.child('hints', list), errors);
}

/** A whole domain name; a dot may end it. */
function domain(address: string, path: FieldPath, errors: Errors): void {
  const name = address.replace(/\.$/, '');
  const texts = checkSubdomain(name);
  if (address === '') errors.push(required(path));
  else if (texts.length > 0) errors.push(invalid(path, name, texts.join(',')));
  else if (!name.includes('.'))
    errors.push(invalid(path, name, 'should be a domain with at least two segments separated by dots'));
}

/** For whom an endpoint is meant: each zone or node once. */
function hints(list: readonly {readonly name: string}[] | undefined, path: FieldPath, errors: Errors): void {
  const names = new Set<string>();
  if (list && list.length > MOST.hints) {
    errors.push(tooMany(path, list.length, MOST.hints));
    return;
  }
  list?.forEach(({name}, i) => {
    const at = path.index(i).child('name');
    if (names.has(name)) errors.push(duplicate(at, name));
    names.add(name);
    sentences(checkLabelValue(name), {path: at, value: name}, errors);
  });
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

const goodAddresses = new WeakSet<EndpointAddress>();

function addressOf(address: EndpointAddress, path: FieldPath, errors: Errors): void {
  if (goodAddresses.has(address)) return;
  const before = errors.length;
  judgeAddress(address, path, errors);
  if (errors.length === before && Object.isFrozen(address)) goodAddresses.add(address);
}

function judgeAddress({ip, hostname, nodeName}: EndpointAddress, path: FieldPath, errors: Errors): void {
  const at = path.child('ip');
  const good = ipAddress(ip, at, errors);
  if (hostname) sentences(checkLabel(hostname), {path: path.child('hostname'), value: hostname}, errors);
  if (nodeName !== undefined) sentences(checkSubdomain(nodeName), {path: path.child('nodeName'), value: nodeName}, errors);
  // What is no address is told once more, where it is asked what kind of address it is.
  if (good) ordinaryAddress(ip, at, errors);
  else errors.push(invalid(at, ip, 'must be a valid IP address'));
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
