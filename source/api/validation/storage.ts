// Volumes.
import type {PersistentVolume, PersistentVolumeSpec} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkLabel, checkSubdomain} from '../meta/names.ts';
import {unitValue} from '../meta/quantity.ts';
import {goStruct} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {accessModes, storageAmount} from './claims.ts';
import {driverName} from './csi-driver-name.ts';
import {lineDifference} from './difference.ts';
import {nodeSelectorTerms} from './placement.ts';
import {type Errors, immutable, oneOf, sentences} from './rules.ts';
import {sharedSource, sourceField, surplusField} from './volume-sources.ts';

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
  source(volume, path, errors);
  const name = spec.storageClassName;
  if (name) sentences(checkSubdomain(name), {path: path.child('storageClassName'), value: name}, errors);
  if (spec.volumeMode !== undefined)
    oneOf(spec.volumeMode, {path: path.child('volumeMode'), of: ['Block', 'Filesystem']}, errors);
  attributes(spec, path, errors);
}

function attributes(spec: PersistentVolumeSpec, path: FieldPath, errors: Errors): void {
  const name = spec.volumeAttributesClassName;
  if (name === undefined) return;
  const at = path.child('volumeAttributesClassName');
  if (name === '') errors.push(required(at, 'an empty string is disallowed'));
  else sentences(checkSubdomain(name), {path: at, value: name}, errors);
  if (!spec.csi) errors.push(required(path.child('csi'), 'has to be specified when using volumeAttributesClassName'));
}

function capacity(spec: PersistentVolumeSpec, path: FieldPath, errors: Errors): void {
  const amounts = spec.capacity ?? {};
  if (Object.keys(amounts).length === 0) errors.push(required(path));
  if (amounts['storage'] === undefined || Object.keys(amounts).length > 1) {
    errors.push(notSupported(path, spec.capacity ?? null, ['storage']));
  }
  for (const [name, amount] of Object.entries(amounts)) {
    const units = unitValue(amount);
    if (units < 0) errors.push(invalid(path.key(name), units, 'must be a valid resource quantity'));
    storageAmount(amount, path.key(name), errors);
  }
}

function source(volume: PersistentVolume, path: FieldPath, errors: Errors): void {
  const spec: PersistentVolumeSpec = volume.spec ?? {};
  const [first, ...more] = SOURCES.filter(one => spec[one] !== undefined);
  const named = {path: path.child('name'), name: volume.metadata.name};
  if (first === undefined) errors.push(required(path, 'must specify a volume type'));
  else if (first === 'csi') csiSource(spec.csi, path.child('csi'), errors);
  else sharedSource(first, spec[first] ?? {}, {path: path.child(sourceField(first)), named, persistent: true}, errors);
  if (first === 'local' && !spec.nodeAffinity)
    errors.push(required(path.child('nodeAffinity'), 'Local volume requires node affinity'));
  for (const other of more)
    errors.push(forbiddenField(path.child(surplusField(other)), 'may not specify more than 1 volume type'));
  const root = /^\/(\.?\/)*\.?$/.test(spec.hostPath?.path ?? '');
  if (root && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const text = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbiddenField(path.child('persistentVolumeReclaimPolicy'), text));
  }
}

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

function csiSource(csi: PersistentVolumeSpec['csi'], path: FieldPath, errors: Errors): void {
  driverName(csi?.driver, path.child('driver'), errors);
  if (!csi?.volumeHandle) errors.push(required(path.child('volumeHandle')));
  for (const field of CSI_SECRETS) {
    const secret = csi?.[field];
    const at = path.child(field);
    if (!secret) continue;
    if (!secret.name) errors.push(required(at.child('name')));
    else sentences(checkSubdomain(secret.name), {path: at.child('name'), value: secret.name}, errors);
    if (!secret.namespace) errors.push(required(at.child('namespace')));
    else sentences(checkLabel(secret.namespace), {path: at.child('namespace'), value: secret.namespace}, errors);
  }
}

export function validatePersistentVolumeUpdate(volume: PersistentVolume, before: PersistentVolume, errors: Errors): void {
  validatePersistentVolume(volume, errors);
  const sourceOf = ({spec}: PersistentVolume) =>
    Object.fromEntries(SOURCES.filter(one => spec?.[one] !== undefined).map(one => [one, spec?.[one]]));
  const [now, was] = [withoutNewSecret(sourceOf(volume), before), sourceOf(before)];
  if (!sameJson(now, was)) {
    const text = `spec.persistentvolumesource is immutable after creation\n${lineDifference(goStruct('PersistentVolumeSource', was), goStruct('PersistentVolumeSource', now))}`;
    errors.push(forbiddenField(root('spec', 'persistentvolumesource'), text));
  }
  immutable(volume.spec?.volumeMode, before.spec?.volumeMode, {path: root('volumeMode'), errors});
  affinityStays(volume, before, errors);
  if (before.spec?.volumeAttributesClassName !== undefined && volume.spec?.volumeAttributesClassName === undefined) {
    const text = 'update from non-nil value to nil is forbidden';
    errors.push(forbiddenField(root('spec', 'volumeAttributesClassName'), text));
  }
}

/** The secret for growing a volume may be given later. */
function withoutNewSecret(source: Readonly<Record<string, unknown>>, before: PersistentVolume): object {
  const {csi} = source as Pick<PersistentVolumeSpec, 'csi'>;
  if (!csi?.controllerExpandSecretRef || !before.spec?.csi || before.spec.csi.controllerExpandSecretRef) return source;
  const {controllerExpandSecretRef: _new, ...rest} = csi;
  return {...source, csi: rest};
}

/** The labels that a beta knew, and what they are called now. */
const RENAMED: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

function affinityStays(volume: PersistentVolume, before: PersistentVolume, errors: Errors): void {
  const affinity = volume.spec?.nodeAffinity;
  const had = before.spec?.nodeAffinity;
  if (had === undefined) return;
  const renamed = (value: unknown, other: unknown) => JSON.stringify(value ?? null) === JSON.stringify(renewed(other));
  if (sameJson(affinity ?? null, had) || renamed(affinity, had)) return;
  const shown = affinity ? {Required: affinity.required ? goStruct('NodeSelector', affinity.required) : null} : null;
  errors.push(invalid(root('nodeAffinity'), shown, 'field is immutable, except for updating from beta label to GA'));
}

/** The same with all labels by their present names. */
function renewed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === 'key' && typeof part === 'string' ? (RENAMED[part] ?? part) : part,
  ) as unknown;
}
