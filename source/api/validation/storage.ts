// Volumes and their classes.
import type {PersistentVolume, PersistentVolumeSpec} from '../kinds/core-v1.ts';
import type {StorageClass, VolumeAttributesClass} from '../kinds/storage-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {accessModes, storageAmount} from './claims.ts';
import {lineDifference} from './difference.ts';
import {nodeSelectorTerms} from './placement.ts';
import {type Errors, immutable, oneOf, sentences} from './rules.ts';
import {HOST_PATH_TYPES, noBackSteps} from './volumes.ts';

const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** A PersistentVolume. */
export function validatePersistentVolume(volume: PersistentVolume, errors: Errors): void {
  const spec: PersistentVolumeSpec = volume.spec ?? {};
  const path = root('spec');
  if ((spec.accessModes?.length ?? 0) === 0) errors.push(required(path.child('accessModes')));
  accessModes(spec.accessModes, path.child('accessModes'), errors);
  capacity(spec, path.child('capacity'), errors);
  if (spec.persistentVolumeReclaimPolicy !== undefined) {
    oneOf(
      spec.persistentVolumeReclaimPolicy,
      {path: path.child('persistentVolumeReclaimPolicy'), of: ['Delete', 'Recycle', 'Retain']},
      errors,
    );
  }
  const terms = spec.nodeAffinity?.required;
  if (spec.nodeAffinity) {
    const at = path.child('nodeAffinity', 'required');
    if (terms) nodeSelectorTerms(terms.nodeSelectorTerms, at.child('nodeSelectorTerms'), errors);
    else errors.push(required(at, 'must specify required node constraints'));
  }
  source(spec, path, errors);
  const name = spec.storageClassName;
  if (name) sentences(checkSubdomain(name), {path: path.child('storageClassName'), value: name}, errors);
  if (spec.volumeMode !== undefined)
    oneOf(spec.volumeMode, {path: path.child('volumeMode'), of: ['Block', 'Filesystem']}, errors);
}

function capacity(spec: PersistentVolumeSpec, path: FieldPath, errors: Errors): void {
  const amounts = spec.capacity ?? {};
  if (Object.keys(amounts).length === 0) errors.push(required(path));
  if (amounts['storage'] === undefined || Object.keys(amounts).length > 1) {
    errors.push(notSupported(path, spec.capacity ?? null, ['storage']));
  }
  if (amounts['storage'] !== undefined) storageAmount(amounts['storage'], path.key('storage'), errors);
}

function source(spec: PersistentVolumeSpec, path: FieldPath, errors: Errors): void {
  const [first, ...more] = SOURCES.filter(one => spec[one] !== undefined);
  if (first === undefined) errors.push(required(path, 'must specify a volume type'));
  else oneSource(first, spec, {path, errors});
  for (const other of more) errors.push(forbiddenField(path.child(other), 'may not specify more than 1 volume type'));
  if (spec.hostPath?.path === '/' && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const text = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField(path.child('persistentVolumeReclaimPolicy'), text));
  }
}

function oneSource(
  first: (typeof SOURCES)[number],
  spec: PersistentVolumeSpec,
  {path, errors}: {path: FieldPath; errors: Errors},
): void {
  if (first === 'hostPath') {
    if (!spec.hostPath?.path) errors.push(required(path.child('hostPath', 'path')));
    else noBackSteps(spec.hostPath.path, path.child('hostPath', 'path'), errors);
    const {type} = spec.hostPath ?? {};
    if (type !== undefined) oneOf(type, {path: path.child('hostPath', 'type'), of: HOST_PATH_TYPES}, errors);
  }
  if (first === 'nfs') {
    if (!spec.nfs?.server) errors.push(required(path.child('nfs', 'server')));
    if (!spec.nfs?.path) errors.push(required(path.child('nfs', 'path')));
    if (!spec.nfs?.path.startsWith('/'))
      errors.push(invalid(path.child('nfs', 'path'), spec.nfs?.path ?? '', 'must be an absolute path'));
  }
  if (first === 'local') {
    if (!spec.local?.path) errors.push(required(path.child('local', 'path')));
    else noBackSteps(spec.local.path, path.child('local', 'path'), errors);
    if (!spec.nodeAffinity) errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  }
  if (first === 'csi') {
    if (!spec.csi?.driver) errors.push(required(path.child('csi', 'driver')));
    if (!spec.csi?.volumeHandle) errors.push(required(path.child('csi', 'volumeHandle')));
  }
}

export function validatePersistentVolumeUpdate(volume: PersistentVolume, before: PersistentVolume, errors: Errors): void {
  validatePersistentVolume(volume, errors);
  const sourceOf = ({spec}: PersistentVolume) =>
    Object.fromEntries(SOURCES.filter(one => spec?.[one] !== undefined).map(one => [one, spec?.[one]]));
  const [now, was] = [sourceOf(volume), sourceOf(before)];
  if (!sameJson(now, was)) {
    const text = `spec.persistentvolumesource is immutable after creation\n${lineDifference(goStruct('PersistentVolumeSource', was), goStruct('PersistentVolumeSource', now))}`;
    errors.push(forbiddenField(root('spec', 'persistentvolumesource'), text));
  }
  immutable(volume.spec?.volumeMode, before.spec?.volumeMode, {path: root('volumeMode'), errors});
  const affinity = volume.spec?.nodeAffinity;
  const had = before.spec?.nodeAffinity;
  if (had === undefined || sameJson(affinity ?? null, had)) return;
  const shown = affinity ? {Required: affinity.required ? goStruct('NodeSelector', affinity.required) : null} : null;
  errors.push(invalid(root('nodeAffinity'), shown, 'field is immutable, except for updating from beta label to GA'));
}

/** A class of attributes: a driver, and what it is told. */
export function validateAttributesClass({driverName, parameters}: VolumeAttributesClass, errors: Errors): void {
  if (!driverName) errors.push(required(root('driverName')));
  else sentences(checkQualifiedName(driverName.toLowerCase()), {path: root('driverName'), value: driverName}, errors);
  const keys = Object.keys(parameters ?? {});
  if (keys.length === 0) errors.push(required(root('parameters'), 'must contain at least one key/value pair'));
  for (const key of keys) if (key === '') errors.push(invalid(root('parameters'), key, 'field can not be empty.'));
}

/** Neither changes. */
export function validateAttributesClassUpdate(now: VolumeAttributesClass, before: VolumeAttributesClass, errors: Errors): void {
  if (now.driverName !== before.driverName)
    errors.push(forbiddenField(root('driverName'), 'updates to driverName are forbidden.'));
  if (!sameJson(now.parameters ?? null, before.parameters ?? null))
    errors.push(forbiddenField(root('parameters'), 'updates to parameters are forbidden.'));
}

/** A StorageClass. */
export function validateStorageClass(storageClass: StorageClass, errors: Errors): void {
  const {provisioner} = storageClass;
  if (!provisioner) errors.push(required(root('provisioner')));
  else sentences(checkQualifiedName(provisioner.toLowerCase()), {path: root('provisioner'), value: provisioner}, errors);
  for (const key of Object.keys(storageClass.parameters ?? {})) {
    if (key === '') errors.push(invalid(root('parameters'), key, 'field can not be empty.'));
  }
  if (storageClass.reclaimPolicy !== undefined)
    oneOf(storageClass.reclaimPolicy, {path: root('reclaimPolicy'), of: ['Delete', 'Retain']}, errors);
  if (storageClass.volumeBindingMode !== undefined) {
    oneOf(storageClass.volumeBindingMode, {path: root('volumeBindingMode'), of: ['Immediate', 'WaitForFirstConsumer']}, errors);
  }
}

export function validateStorageClassUpdate(storageClass: StorageClass, before: StorageClass, errors: Errors): void {
  for (const field of ['parameters', 'provisioner', 'reclaimPolicy'] as const) {
    if (!sameJson(storageClass[field] ?? null, before[field] ?? null))
      errors.push(forbiddenField(root(field), `updates to ${field} are forbidden.`));
  }
  immutable(storageClass.volumeBindingMode, before.volumeBindingMode, {path: root('volumeBindingMode'), errors});
}
