// Claims of volumes, as objects and as templates.
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedLocalObjectReference,
  TypedObjectReference,
} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities, unitValue} from '../meta/quantity.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {lineDifference} from './difference.ts';
import {annotations} from './metadata.ts';
import {type Errors, immutable, labels, labelSelector, oneOf, sentences} from './rules.ts';

const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const NOT_POSITIVE = 'must be greater than zero';
const FIXED_TEXT = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';

/** The modes in which a volume may be used. */
export function accessModes(modes: readonly string[] | undefined, path: FieldPath, errors: Errors): void {
  for (const mode of modes ?? []) if (!ACCESS_MODES.includes(mode)) errors.push(notSupported(path, mode, ACCESS_MODES));
  const others = modes?.some(mode => mode !== 'ReadWriteOncePod' && ACCESS_MODES.includes(mode));
  if (modes?.includes('ReadWriteOncePod') && others) {
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
  className(spec?.storageClassName, path.child('storageClassName'), errors);
  if (spec?.volumeMode !== undefined)
    oneOf(spec.volumeMode, {path: path.child('volumeMode'), of: ['Block', 'Filesystem']}, errors);
  dataSources(spec ?? {}, path, errors);
  className(spec?.volumeAttributesClassName, path.child('volumeAttributesClassName'), errors);
}

function className(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (name) sentences(checkSubdomain(name), {path, value: name}, errors);
}

/** What a volume is filled with: both fields say the same, unless the longer one names another namespace. */
function dataSources({dataSource, dataSourceRef}: PersistentVolumeClaimSpec, path: FieldPath, errors: Errors): void {
  if (dataSource) reference(dataSource, path.child('dataSource'), errors);
  if (dataSourceRef) reference(dataSourceRef, path.child('dataSourceRef'), errors);
  if (!dataSource || !dataSourceRef) return;
  // The value is a path, which Go prints as an empty struct.
  if (dataSourceRef.namespace) errors.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  else if ((['apiGroup', 'kind', 'name'] as const).some(field => dataSource[field] !== dataSourceRef[field]))
    errors.push(invalid(path, {}, 'must match dataSourceRef'));
}

function reference(source: TypedLocalObjectReference | TypedObjectReference, path: FieldPath, errors: Errors): void {
  const {apiGroup, kind, name} = source;
  if (!name) errors.push(required(path.child('name')));
  if (!kind) errors.push(required(path.child('kind')));
  if (!apiGroup && kind !== 'PersistentVolumeClaim')
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (apiGroup) sentences(checkSubdomain(apiGroup), {path: path.child('apiGroup'), value: apiGroup}, errors);
  const namespace = 'namespace' in source ? source.namespace : undefined;
  if (namespace) sentences(checkLabel(namespace), {path: path.child('namespace'), value: namespace}, errors);
}

/** The claim that a pod's volume makes: of its metadata only labels and annotations are the user's. */
export function claimTemplate({metadata, spec}: PersistentVolumeClaimTemplate, path: FieldPath, errors: Errors): void {
  const at = path.child('metadata');
  annotations(metadata?.annotations, at.child('annotations'), errors);
  labels(metadata?.labels, at.child('labels'), errors);
  for (const [field, value] of Object.entries(metadata ?? {})) {
    if (field === 'labels' || field === 'annotations' || value === undefined || value === null || value === '') continue;
    errors.push(forbiddenField(at.child(lowered(field)), 'cannot be set'));
  }
  claimSpec(spec, path.child('spec'), errors);
}

/** The name of Go's field with a small first letter. */
function lowered(field: string): string {
  return field === 'uid' ? 'uID' : field;
}

/** A claim. */
export function validateClaim(claim: PersistentVolumeClaim, errors: Errors): void {
  claimSpec(claim.spec, root('spec'), errors);
}

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** What may change in a claim: its size when it is bound, and upwards alone; and what the binder fills in. */
export function validateClaimUpdate(claim: PersistentVolumeClaim, before: PersistentVolumeClaim, errors: Errors): void {
  const path = root('spec');
  const {spec} = claim;
  annotatedClass(claim, before, errors);
  // The binder names the volume once.
  const old = {...before.spec, ...(before.spec?.volumeName || !spec.volumeName ? {} : {volumeName: spec.volumeName})};
  const settled = settledSpec(spec, before);
  if (!sameJson(defined(settled), defined(old))) {
    const picture = lineDifference(goStruct('PersistentVolumeClaimSpec', old), goStruct('PersistentVolumeClaimSpec', settled));
    errors.push(forbiddenField(path, `${FIXED_TEXT}\n${picture}`));
  }
  size(claim, before, {path: path.child('resources', 'requests', 'storage'), errors});
  immutable(spec.volumeMode, old.volumeMode, {path: root('volumeMode'), errors});
  attributesClass(claim, before, errors);
}

/** The old way to name a class does not change. */
function annotatedClass({metadata, spec}: PersistentVolumeClaim, before: PersistentVolumeClaim, errors: Errors): void {
  const now = metadata.annotations?.[BETA_CLASS];
  const was = before.metadata.annotations?.[BETA_CLASS];
  const upgraded = was !== undefined && before.spec?.storageClassName === undefined && spec?.storageClassName === was;
  if (upgraded && (now === undefined || now === was)) return;
  immutable(now ?? '', was ?? '', {path: root('metadata', 'annotations', BETA_CLASS), errors});
}

/** The new spec with all that may differ as it was. */
function settledSpec(spec: PersistentVolumeClaimSpec, {spec: old, status, metadata}: PersistentVolumeClaim): object {
  const bound = status?.phase === 'Bound';
  const annotated = metadata.annotations?.[BETA_CLASS];
  // A claim may get its class later when it had none.
  const later = old.storageClassName === undefined && (annotated === undefined || annotated === spec.storageClassName);
  return {
    ...spec,
    ...(later ? {storageClassName: undefined} : {}),
    ...(bound ? {resources: withOldSize(spec, old), volumeAttributesClassName: old.volumeAttributesClassName} : {}),
  };
}

function withOldSize({resources}: PersistentVolumeClaimSpec, old: PersistentVolumeClaimSpec): object | undefined {
  const storage = old.resources?.requests?.['storage'];
  if (!resources?.requests || storage === undefined) return resources;
  return {...resources, requests: {...resources.requests, storage}};
}

/** A claim shrinks only while it is still larger than what it has. */
function size(
  claim: PersistentVolumeClaim,
  before: PersistentVolumeClaim,
  {path, errors}: {path: FieldPath; errors: Errors},
): void {
  const now = claim.spec?.resources?.requests?.['storage'] ?? '0';
  const was = before.spec?.resources?.requests?.['storage'] ?? '0';
  const has = before.status?.capacity?.['storage'] ?? '0';
  if (compareQuantities(now, was) < 0 && compareQuantities(now, has) <= 0)
    errors.push(forbiddenField(path, 'field can not be less than status.capacity'));
}

function attributesClass(claim: PersistentVolumeClaim, before: PersistentVolumeClaim, errors: Errors): void {
  const path = root('spec', 'volumeAttributesClassName');
  const name = claim.spec?.volumeAttributesClassName;
  if (name || name === before.spec?.volumeAttributesClassName) return;
  if (before.status?.currentVolumeAttributesClassName === undefined) return;
  const what = name === undefined ? 'nil' : 'empty string';
  const text = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
  errors.push(forbiddenField(path, text));
}

function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}

const RESIZING = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** What is written about a claim: how much it has, and how far it has grown. */
export function validateClaimStatus({spec, status = {}}: PersistentVolumeClaim, _before: unknown, errors: Errors): void {
  if ((spec.accessModes?.length ?? 0) === 0) errors.push(required(root('Spec', 'accessModes')));
  const path = root('status');
  for (const [name, amount] of Object.entries(status.capacity ?? {}))
    notBelowNothing(amount, path.child('capacity').key(name), errors);
  const statuses = path.child('allocatedResourceStatuses');
  for (const [name, word] of Object.entries(status.allocatedResourceStatuses ?? {})) {
    growing(name, statuses, errors);
    if (!RESIZING.includes(word)) errors.push(notSupported(statuses, name, RESIZING));
  }
  const amounts = path.child('allocatedResources');
  for (const [name, amount] of Object.entries(status.allocatedResources ?? {}))
    if (growing(name, amounts, errors)) notBelowNothing(amount, amounts.key(name), errors);
}

function notBelowNothing(amount: string | number, path: FieldPath, errors: Errors): void {
  const units = unitValue(amount);
  if (units < 0) errors.push(invalid(path, units, 'must be a valid resource quantity'));
}

/** Of the server's own words only `storage` grows. */
function growing(name: string, path: FieldPath, errors: Errors): boolean {
  const count = errors.length;
  sentences(checkQualifiedName(name), {path, value: name}, errors);
  const native = !name.includes('/') || name.includes('kubernetes.io/');
  if (errors.length === count && native && name !== 'storage') errors.push(notSupported(path, name, ['storage']));
  return errors.length === count;
}
