// The addresses of a Service inside of the cluster, and their families.
import type {ServiceSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, required, root} from '../meta/field-error.ts';
import {oldIpFamily} from '../meta/ip.ts';
import {ipAddress} from './addresses.ts';
import {type Errors, oneOf} from './rules.ts';

/** Has it no address of its own, so that its name leads to the pods themselves? */
export function isHeadless(spec: ServiceSpec): boolean {
  const list = clusterIPs(spec);
  return list.length === 1 && list[0] === 'None';
}

/** Its addresses, from the field that has all of them or from the older one. */
export function clusterIPs(spec: ServiceSpec): readonly string[] {
  return spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
}

/** What is wrong with the addresses alone: the server asks before it hands any out. */
export function addressErrors(spec: ServiceSpec): Errors {
  const errors: Errors = [];
  addresses(spec, root('spec'), errors);
  return errors;
}

/** First the older field and the newer one agree, then each address is looked at, then all together. */
export function addresses(spec: ServiceSpec, path: FieldPath, errors: Errors): void {
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
