// Claims of volumes, as objects and as templates.
import type {PersistentVolumeClaim, PersistentVolumeClaimSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkSubdomain} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities} from '../meta/quantity.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {lineDifference} from './difference.ts';
import {type Errors, immutable, labelSelector, oneOf, sentences} from './rules.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const NOT_POSITIVE = 'must be greater than zero';
const FIXED_TEXT = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The modes in which a volume may be used. */
export function accessModes(modes: readonly string[] | undefined, path: FieldPath, errors: Errors): void {
  for (const mode of modes ?? []) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(path, mode, ACCESS_MODES));
  if (modes?.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(forbiddenField(path, 'may not use ReadWriteOncePod with other access modes'));
  }
}

/** An amount of storage: more than nothing. */
export function storageAmount(quantity: string | number, path: FieldPath, errors: Errors): void {
  if (compareQuantities(quantity, '0') <= 0) errors.push(invalid(path, canonicalQuantity(quantity), NOT_POSITIVE));
}

/** The spec of a claim. */
export function claimSpec(spec: PersistentVolumeClaimSpec | undefined, path: FieldPath, errors: Errors): void {
  if ((spec?.accessModes?.length ?? 0) === 0)
    errors.push(required(path.child('accessModes'), 'at least 1 access mode is required'));
  labelSelector(spec?.selector, path.child('selector'), errors);
  accessModes(spec?.accessModes, path.child('accessModes'), errors);
  const storage = spec?.resources?.requests?.['storage'];
  if (storage === undefined) errors.push(required(path.child('resources').key('storage')));
  else storageAmount(storage, path.child('resources').key('storage'), errors);
  for (const field of ['storageClassName', 'volumeAttributesClassName'] as const) {
    const name = spec?.[field];
    if (name) sentences(checkSubdomain(name), {path: path.child(field), value: name}, errors);
  }
  if (spec?.volumeMode !== undefined)
    oneOf(spec.volumeMode, {path: path.child('volumeMode'), of: ['Block', 'Filesystem']}, errors);
}

/** A claim. */
export function validateClaim(claim: PersistentVolumeClaim, errors: Errors): void {
  claimSpec(claim.spec, root('spec'), errors);
}

/** What may change in a claim: its size when it is bound, and upwards alone; and what the binder fills in. */
export function validateClaimUpdate(claim: PersistentVolumeClaim, before: PersistentVolumeClaim, errors: Errors): void {
  const path = root('spec');
  const bound = before.status?.phase === 'Bound';
  const spec = claim.spec ?? {};
  const old = before.spec ?? {};
  const settled = old.volumeName
    ? spec
    : {...spec, ...(old.volumeName === undefined && spec.volumeName ? {volumeName: undefined} : {})};
  const munged = bound
    ? {...settled, resources: withRequests(spec, old), volumeAttributesClassName: old.volumeAttributesClassName}
    : settled;
  // A claim may get its class later when it had none.
  const classed = old.storageClassName === undefined ? {...munged, storageClassName: undefined} : munged;
  if (!sameJson(defined(classed), defined(old))) {
    const picture = lineDifference(goStruct('PersistentVolumeClaimSpec', old), goStruct('PersistentVolumeClaimSpec', classed));
    errors.push(forbiddenField(path, `${FIXED_TEXT}\n${picture}`));
  }
  attributesClass(claim, before, errors);
  immutable(spec.volumeMode, old.volumeMode, {path: root('volumeMode'), errors});
  if (!bound) return;
  const size = spec.resources?.requests?.['storage'];
  const was = old.resources?.requests?.['storage'];
  const has = before.status?.capacity?.['storage'];
  const smaller = size !== undefined && was !== undefined && compareQuantities(size, was) < 0;
  if (smaller && has !== undefined && compareQuantities(size, has) < 0) {
    errors.push(forbiddenField(path.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity'));
  }
}

/** What a claim may use at most stays; what it asks for is looked at apart. */
function withRequests({resources}: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec): object | undefined {
  const {requests: _requests, ...rest} = resources ?? {};
  const asked = old.resources?.requests;
  const kept = {...rest, ...(asked === undefined ? {} : {requests: asked})};
  return Object.keys(kept).length === 0 ? old.resources : kept;
}

function attributesClass(claim: PersistentVolumeClaim, before: PersistentVolumeClaim, errors: Errors): void {
  const path = root('spec', 'volumeAttributesClassName');
  const name = claim.spec?.volumeAttributesClassName;
  const was = before.spec?.volumeAttributesClassName;
  if (before.status?.phase !== 'Bound' || name === was || name) return;
  if (name === undefined && before.status.currentVolumeAttributesClassName !== undefined) {
    const text = 'update to nil is forbidden when status.currentVolumeAttributesClassName is not nil';
    errors.push(forbiddenField(path, text));
  } else if (name === '' && was) errors.push(forbiddenField(path, 'update to empty string is forbidden when it was not empty'));
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
