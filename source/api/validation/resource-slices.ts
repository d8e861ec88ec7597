// ResourceSlices: what devices a driver has, on which nodes.
import type {ResourcePool, ResourceSlice, ResourceSliceSpec} from '../kinds/resource-v1.ts';
import {duplicate, type FieldPath, invalid, required, root, tooMany} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {nodeSelectorTerms} from './placement.ts';
import {type Errors, immutable, sentences} from './rules.ts';

const MOST_DEVICES = 128;
const LONGEST_POOL = 253;
const PLACES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;
const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** A slice. */
export function validateResourceSlice({spec}: ResourceSlice, errors: Errors): void {
  const path = root('spec');
  if (!spec.driver) errors.push(required(path.child('driver')));
  else sentences(checkSubdomain(spec.driver.toLowerCase()), {path: path.child('driver'), value: spec.driver}, errors);
  pool(spec.pool, path.child('pool'), errors);
  place(spec, path, errors);
  const devices = spec.devices ?? [];
  const at = path.child('devices');
  if (devices.length > MOST_DEVICES) errors.push(tooMany(at, devices.length, MOST_DEVICES));
  const names = new Set<string>();
  devices.forEach(({name}, i) => {
    const own = at.index(i).child('name');
    if (!name) errors.push(required(own));
    else sentences(checkLabel(name), {path: own, value: name}, errors);
    if (names.has(name)) errors.push(duplicate(own, name));
    names.add(name);
  });
}

function pool({name, generation, resourceSliceCount}: ResourcePool, path: FieldPath, errors: Errors): void {
  const at = path.child('name');
  if (!name) errors.push(required(at));
  else if (name.length > LONGEST_POOL)
    errors.push({kind: 'TooLong', field: String(at), value: '', detail: `may not be more than ${LONGEST_POOL} bytes`});
  else for (const part of name.split('/')) sentences(checkSubdomain(part), {path: at, value: part}, errors);
  if (resourceSliceCount <= 0)
    errors.push(invalid(path.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero'));
  if (generation < 0) errors.push(invalid(path.child('generation'), generation, 'must be greater than or equal to zero'));
}

function place(spec: ResourceSliceSpec, path: FieldPath, errors: Errors): void {
  const said = PLACES.filter(name => spec[name] !== undefined && spec[name] !== false);
  if (spec.nodeName === '') errors.push(invalid(path.child('nodeName'), '', 'must be either unset or set to a non-empty string'));
  else if (spec.nodeName) sentences(checkSubdomain(spec.nodeName), {path: path.child('nodeName'), value: spec.nodeName}, errors);
  if (spec.nodeSelector) {
    const terms = spec.nodeSelector.nodeSelectorTerms;
    const at = path.child('nodeSelector').child('nodeSelectorTerms');
    if (terms.length === 1) nodeSelectorTerms(terms, at, errors);
    else errors.push(invalid(at, terms, 'must have exactly one node selector term'));
  }
  if (said.length === 0) errors.push(required(path, ONE_OF));
  else if (said.length > 1)
    errors.push(invalid(path, `{${said.map(name => `\`${name}\``).join(', ')}}`, `${ONE_OF}, but multiple fields are set`));
}

/** Where a slice is, and of what, stays. */
export function validateResourceSliceUpdate(slice: ResourceSlice, before: ResourceSlice, errors: Errors): void {
  const path = root('spec');
  validateResourceSlice(slice, errors);
  immutable(slice.spec.driver, before.spec.driver, {path: path.child('driver'), errors});
  immutable(slice.spec.pool.name, before.spec.pool.name, {path: path.child('pool', 'name'), errors});
  for (const name of ['nodeName', 'allNodes'] as const)
    if (!sameJson(slice.spec[name] ?? null, before.spec[name] ?? null))
      errors.push(invalid(path.child(name), slice.spec[name] ?? null, 'field is immutable'));
}
