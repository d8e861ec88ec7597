// NetworkPolicies.
import type {IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort} from '../kinds/networking-v1.ts';
import {type FieldPath, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {holdsIp, parseCidr} from '../meta/ip.ts';
import {checkPortName, checkPortNumber} from '../meta/names.ts';
import {ipRange} from './addresses.ts';
import {type Errors, labelSelector, sentences} from './rules.ts';

const TYPES = ['Egress', 'Ingress'];

/** Whom a policy is about, and who may speak to them. */
export function validateNetworkPolicy({spec}: NetworkPolicy, errors: Errors): void {
  const path = root('spec');
  labelSelector(spec?.podSelector, path.child('podSelector'), errors);
  spec?.ingress?.forEach(({ports, from}, i) => {
    const at = path.child('ingress').index(i);
    ports?.forEach((port, n) => onePort(port, at.child('ports').index(n), errors));
    from?.forEach((peer, n) => onePeer(peer, at.child('from').index(n), errors));
  });
  spec?.egress?.forEach(({ports, to}, i) => {
    const at = path.child('egress').index(i);
    ports?.forEach((port, n) => onePort(port, at.child('ports').index(n), errors));
    to?.forEach((peer, n) => onePeer(peer, at.child('to').index(n), errors));
  });
  const types: readonly string[] = spec?.policyTypes ?? [];
  const at = path.child('policyTypes');
  if (types.length > TYPES.length) errors.push(invalid(at, types, 'may not specify more than two policyTypes'));
  else
    types.forEach((type, i) => {
      if (!TYPES.includes(type)) errors.push(notSupported(at.index(i), type, TYPES));
    });
}

function onePort({protocol, port, endPort}: NetworkPolicyPort, path: FieldPath, errors: Errors): void {
  const protocols = ['TCP', 'UDP', 'SCTP'];
  if (protocol !== undefined && !protocols.includes(protocol))
    errors.push(notSupported(path.child('protocol'), protocol, protocols));
  const end = path.child('endPort');
  if (port === undefined) {
    if (endPort !== undefined) errors.push(invalid(end, endPort, 'may not be specified when `port` is not specified'));
  } else if (typeof port === 'number') {
    sentences(checkPortNumber(port), {path: path.child('port'), value: port}, errors);
    if (endPort === undefined) return;
    if (endPort < port) errors.push(invalid(end, port, 'must be greater than or equal to `port`'));
    sentences(checkPortNumber(endPort), {path: end, value: endPort}, errors);
  } else {
    if (endPort !== undefined) errors.push(invalid(end, endPort, 'may not be specified when `port` is non-numeric'));
    sentences(checkPortName(port), {path: path.child('port'), value: port}, errors);
  }
}

function onePeer({podSelector, namespaceSelector, ipBlock}: NetworkPolicyPeer, path: FieldPath, errors: Errors): void {
  labelSelector(podSelector, path.child('podSelector'), errors);
  labelSelector(namespaceSelector, path.child('namespaceSelector'), errors);
  if (ipBlock) oneBlock(ipBlock, path.child('ipBlock'), errors);
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(required(path, 'must specify a peer'));
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
}

function oneBlock({cidr, except}: IPBlock, path: FieldPath, errors: Errors): void {
  if (!cidr) {
    errors.push(required(path.child('cidr')));
    return;
  }
  if (!readable(cidr, path.child('cidr'), errors)) return;
  const whole = parseCidr(cidr);
  // After the first range that cannot be read the others are not looked at.
  except?.every((text, i) => {
    const at = path.child('except').index(i);
    if (!readable(text, at, errors)) return false;
    const part = parseCidr(text);
    if (whole && part && (!holdsIp(whole, part.ip) || whole.length >= part.length))
      errors.push(invalid(at, text, 'must be a strict subset of `cidr`'));
    return true;
  });
}

function readable(text: string, path: FieldPath, errors: Errors): boolean {
  const count = errors.length;
  ipRange(text, path, errors);
  return errors.length === count;
}
