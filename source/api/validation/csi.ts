// What the storage room keeps about drivers: drivers, drivers on nodes, capacities, attachments.
import type {CSIDriver, CSINode, CSINodeDriver, CSIStorageCapacity, TokenRequest, VolumeAttachment} from '../kinds/storage-v1.ts';
import {duplicate, type FieldPath, forbiddenField, invalid, notSupported, required, root} from '../meta/field-error.ts';
import {checkQualifiedName, checkSubdomain} from '../meta/names.ts';
import {compareQuantities} from '../meta/quantity.ts';
import {sameJson} from '../schema/merge/index.ts';
import {driverName} from './csi-driver-name.ts';
import {type Errors, immutable, labelSelector, NOT_NEGATIVE, notNegative, sentences} from './rules.ts';

const LONGEST_NODE_ID = 192;

/** A driver. */
export function validateCSIDriver({metadata, spec}: CSIDriver, errors: Errors): void {
  driverName(metadata.name, root('name'), errors);
  const path = root('spec');
  if (spec.attachRequired === undefined) errors.push(required(path.child('attachedRequired')));
  if (spec.podInfoOnMount === undefined) errors.push(required(path.child('podInfoOnMount')));
  if (spec.storageCapacity === undefined) errors.push(required(path.child('storageCapacity')));
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (spec.fsGroupPolicy === undefined) errors.push(required(path.child('fsGroupPolicy')));
  else if (!policies.includes(spec.fsGroupPolicy))
    errors.push(notSupported(path.child('fsGroupPolicy'), spec.fsGroupPolicy, policies));
  tokenRequests(spec.tokenRequests ?? [], path.child('tokenRequests'), errors);
  const modes = ['Ephemeral', 'Persistent'];
  spec.volumeLifecycleModes?.forEach(mode => {
    if (!modes.includes(mode)) errors.push(notSupported(path.child('volumeLifecycleModes'), mode, modes));
  });
  if (spec.seLinuxMount === undefined) errors.push(required(path.child('seLinuxMount')));
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10)
    errors.push(invalid(path.child('nodeAllocatableUpdatePeriodSeconds'), period, 'must be greater than or equal to 10 seconds'));
}

export function validateCSIDriverUpdate(driver: CSIDriver, before: CSIDriver, errors: Errors): void {
  validateCSIDriver(driver, errors);
  const path = root('spec');
  immutable(driver.spec.attachRequired, before.spec.attachRequired, {path: path.child('attachedRequired'), errors});
  immutable(driver.spec.volumeLifecycleModes, before.spec.volumeLifecycleModes, {
    path: path.child('volumeLifecycleModes'),
    errors,
  });
}

const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;

function tokenRequests(requests: readonly TokenRequest[], path: FieldPath, errors: Errors): void {
  const audiences = new Set<string>();
  requests.forEach(({audience, expirationSeconds: seconds}, i) => {
    const at = path.index(i);
    if (audiences.has(audience)) {
      errors.push(duplicate(at.child('audience'), audience));
      return;
    }
    audiences.add(audience);
    if (seconds === undefined) return;
    if (seconds < LEAST_SECONDS)
      errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration less than 10 minutes'));
    if (seconds > MOST_SECONDS)
      errors.push(invalid(at.child('expirationSeconds'), seconds, 'may not specify a duration larger than 2^32 seconds'));
  });
}

/** The drivers of a node. */
export function validateCSINode({spec}: CSINode, errors: Errors): void {
  const names = new Set<string>();
  spec.drivers.forEach((driver, i) => {
    const at = root('spec', 'drivers').index(i);
    driverName(driver.name, at.child('name'), errors);
    if (!driver.nodeID) errors.push(required(at.child('nodeID')));
    else if (driver.nodeID.length > LONGEST_NODE_ID)
      errors.push(invalid(at.child('nodeID'), driver.nodeID, `must be ${LONGEST_NODE_ID} characters or less`));
    notNegative(driver.allocatable?.count, at.child('allocatable').child('count'), errors);
    if (names.has(driver.name)) errors.push(duplicate(at.child('name'), driver.name));
    names.add(driver.name);
    topologyKeys(driver, at.child('topologyKeys'), errors);
  });
}

function topologyKeys({topologyKeys: keys = []}: CSINodeDriver, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') errors.push(required(path));
    if (seen.has(key)) errors.push(duplicate(path, key));
    seen.add(key);
    for (const text of checkQualifiedName(key)) errors.push(invalid(path, keys, text));
  }
}

export function validateCSINodeUpdate(node: CSINode, before: CSINode, errors: Errors): void {
  node.spec.drivers.forEach((driver, i) => {
    const old = before.spec.drivers.find(each => each.name === driver.name);
    const bare = (each: CSINodeDriver): CSINodeDriver => ({...each, allocatable: {}});
    if (old && !sameJson(bare(old), bare(driver)))
      errors.push(invalid(root('spec', 'drivers').index(i), driver, 'field is immutable'));
  });
  validateCSINode(node, errors);
}

/** How much room a class has somewhere. */
export function validateCSIStorageCapacity(capacity: CSIStorageCapacity, errors: Errors): void {
  labelSelector(capacity.nodeTopology, root('nodeTopology'), errors);
  sentences(
    checkSubdomain(capacity.storageClassName),
    {path: root('storageClassName'), value: capacity.storageClassName},
    errors,
  );
  for (const name of ['capacity', 'maximumVolumeSize'] as const) {
    const size = capacity[name];
    if (size !== undefined && compareQuantities(size, '0') < 0) errors.push(invalid(root(name), size, NOT_NEGATIVE));
  }
}

export function validateCSIStorageCapacityUpdate(capacity: CSIStorageCapacity, before: CSIStorageCapacity, errors: Errors): void {
  validateCSIStorageCapacity(capacity, errors);
  immutable(capacity.nodeTopology, before.nodeTopology, {path: root('nodeTopology'), errors});
  immutable(capacity.storageClassName, before.storageClassName, {path: root('storageClassName'), errors});
}

const EITHER = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** A volume that is to be attached to a node. */
export function validateVolumeAttachment({spec}: VolumeAttachment, errors: Errors): void {
  const path = root('spec');
  driverName(spec.attacher, path.child('attacher'), errors);
  const {inlineVolumeSpec, persistentVolumeName} = spec.source;
  const at = path.child('source');
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) errors.push(required(at, EITHER));
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) errors.push(forbiddenField(at, EITHER));
  else if (persistentVolumeName === '')
    errors.push(required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName'));
  else if (persistentVolumeName !== undefined)
    sentences(
      checkSubdomain(persistentVolumeName),
      {path: at.child('persistentVolumeName'), value: persistentVolumeName},
      errors,
    );
  sentences(checkSubdomain(spec.nodeName), {path: path.child('nodeName'), value: spec.nodeName}, errors);
}

/** An attachment is made anew and not changed. */
export function validateVolumeAttachmentUpdate(attachment: VolumeAttachment, before: VolumeAttachment, errors: Errors): void {
  if (!sameJson(attachment.spec, before.spec)) errors.push(invalid(root('spec'), attachment.spec, 'field is immutable'));
}
