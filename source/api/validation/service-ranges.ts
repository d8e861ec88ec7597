// The ranges from which Services get their addresses.
import type {IPAddress, ServiceCIDR} from '../kinds/networking-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, required, root} from '../meta/field-error.ts';
import {ipFamily, ipText, maskedCidr, oldIpFamily, parseCidr, parseIp} from '../meta/ip.ts';
import {checkPathSegment, checkSubdomain} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {ipRange} from './addresses.ts';
import {type Errors, sentences} from './rules.ts';

const BITS_BEYOND = 'must not have bits set beyond the prefix length';

/** One range, or one of each family. */
export function validateServiceRange(range: ServiceCIDR, errors: Errors): void {
  const path = root('spec', 'cidrs');
  const list = range.spec?.cidrs ?? [];
  if (list.length === 0) errors.push(required(path, 'at least one CIDR required'));
  if (list.length > 2) errors.push(invalid(path, list, 'may only hold up to 2 values'));
  const count = errors.length;
  list.forEach((text, i) => canonical(text, path.index(i), errors));
  if (errors.length > count) return;
  const families = list.map(text => oldIpFamily(text.split('/')[0] ?? ''));
  if (list.length === 2 && families[0] !== undefined && families[0] === families[1])
    errors.push(invalid(path, list, 'may specify no more than one IP for each IP family'));
}

/** A range's ranges stay. */
export function validateServiceRangeUpdate(range: ServiceCIDR, before: ServiceCIDR, errors: Errors): void {
  const path = root('spec', 'cidrs');
  const list = range.spec?.cidrs ?? [];
  const was = before.spec?.cidrs ?? [];
  if (was.length === 2 && list.length !== 2) errors.push(invalid(path, list, 'no removing of CIDRs is allowed'));
  list.forEach((text, i) => {
    if (i < was.length && text !== was[i]) errors.push(invalid(path.index(i), text, 'field is immutable'));
  });
}

function canonical(text: string, path: FieldPath, errors: Errors): void {
  const count = errors.length;
  ipRange(text, path, errors);
  const [address = '', bits = ''] = text.split('/');
  if (errors.length > count) return;
  if (ipFamily(address) === undefined || /^0\d/.test(bits)) {
    errors.push(invalid(path, text, 'must not have leading 0s in IP or prefix length'));
    return;
  }
  const range = parseCidr(text);
  if (!range) return;
  if (maskedCidr(range).ip.bits !== range.ip.bits) errors.push(invalid(path, text, BITS_BEYOND));
}

/** An address that belongs to somebody. */
export function validateIPAddress({metadata, spec}: IPAddress, errors: Errors): void {
  const {name} = metadata;
  const ip = parseIp(name);
  if (!ip && oldIpFamily(name) !== undefined) errors.push(invalid('metadata.name', name, 'must not have leading 0s'));
  else if (!ip) errors.push(invalid('metadata.name', name, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
  else if (ipText(ip) !== name)
    errors.push(invalid('metadata.name', name, `must be in canonical form (${JSON.stringify(ipText(ip))})`));
  const path = root('spec', 'parentRef');
  const parent: Partial<IPAddress['spec']['parentRef']> | undefined = spec.parentRef;
  if (!parent) {
    errors.push(required(path));
    return;
  }
  const {group = '', resource = '', name: parentName = '', namespace = ''} = parent;
  if (group !== '') sentences(checkSubdomain(group), {path: path.child('group'), value: group}, errors);
  segment(resource, path.child('resource'), errors);
  segment(parentName, path.child('name'), errors);
  if (namespace !== '') segment(namespace, path.child('namespace'), errors);
}

function segment(name: string, path: FieldPath, errors: Errors): void {
  if (name === '') errors.push(required(path));
  else sentences(checkPathSegment(name), {path, value: name}, errors);
}

export function validateIPAddressUpdate(address: IPAddress, before: IPAddress, errors: Errors): void {
  if (!sameJson(address.spec.parentRef, before.spec.parentRef))
    errors.push(invalid(root('spec', 'parentRef'), address.spec.parentRef, 'field is immutable'));
}
