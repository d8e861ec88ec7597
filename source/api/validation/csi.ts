// What the storage room keeps about drivers: drivers, drivers on nodes, capacities, attachments.
import type {CSIDriver, CSINode, CSINodeDriver, CSIStorageCapacity, TokenRequest, VolumeAttachment} from '../kinds/storage-v1.ts';
import {duplicate, type FieldPath, forbiddenField, invalid, notSupported, required, root, tooLong} from '../meta/field-error.ts';
import {checkSubdomain} from '../meta/names.ts';
import {canonicalQuantity, compareQuantities} from '../meta/quantity.ts';
import {sameJson} from '../schema/merge/index.ts';
import {driverName} from './csi-driver-name.ts';
import {type Errors, immutable, labelKey, labelSelector, NOT_NEGATIVE, notNegative, sentences} from './rules.ts';

const LONGEST_NODE_ID = 256;

/** A driver. */
export function validateCSIDriver({metadata, spec}: CSIDriver, errors: Errors): void {
  driverName(metadata.name, root('name'), errors);
  const path = root('spec');
  if (spec.attachRequired === undefined) errors.push(required(path.child('attachedRequired')));
  if (spec.podInfoOnMount === undefined) errors.push(required(path.child('podInfoOnMount')));
  if (spec.storageCapacity === undefined) errors.push(required(path.child('storageCapacity')));
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType'];
  if (spec.fsGroupPolicy !== undefined && !policies.includes(spec.fsGroupPolicy))
    errors.push(notSupported(path.child('fsGroupPolicy'), spec.fsGroupPolicy, policies));
  tokenRequests(spec.tokenRequests ?? [], path.child('tokenRequests'), errors);
  const modes = ['Persistent', 'Ephemeral'];
  spec.volumeLifecycleModes?.forEach(mode => {
    if (!modes.includes(mode)) errors.push(notSupported(path.child('volumeLifecycleModes'), mode, modes));
  });
  if (spec.seLinuxMount === undefined) errors.push(required(path.child('seLinuxMount')));
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < 10)
    errors.push(invalid(path.child('nodeAllocatableUpdatePeriodSeconds'), period, 'must be greater than or equal to 10 seconds'));
  const {serviceAccountTokenInSecrets: inSecrets, tokenRequests: requests = []} = spec;
  if (inSecrets === undefined || requests.length > 0) return;
  const text = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
  errors.push(invalid(path.child('serviceAccountTokenInSecrets'), inSecrets, text));
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
    topologyKeys(driver, at, errors);
  });
}

function topologyKeys({topologyKeys: keys = []}: CSINodeDriver, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const key of keys) {
    if (key === '') errors.push(required(path));
    if (seen.has(key)) errors.push(duplicate(path, key));
    seen.add(key);
    labelKey(key, path, errors);
  }
}

/** Of a driver that stays, only how many volumes it takes may change. */
export function validateCSINodeUpdate(node: CSINode, before: CSINode, errors: Errors): void {
  validateCSINode(node, errors);
  const shown = ({name, nodeID, topologyKeys: keys = []}: CSINodeDriver): object => ({
    Name: name,
    NodeID: nodeID,
    TopologyKeys: keys.length > 0 ? keys : null,
    Allocatable: null,
  });
  for (const old of before.spec.drivers)
    for (const driver of node.spec.drivers)
      if (old.name === driver.name) immutable(shown(driver), shown(old), {path: root('spec', 'drivers'), errors});
}

/** How much room a class has somewhere. */
export function validateCSIStorageCapacity(capacity: CSIStorageCapacity, errors: Errors): void {
  labelSelector(capacity.nodeTopology, root('nodeTopology'), errors);
  sentences(
    checkSubdomain(capacity.storageClassName),
    {path: root('storageClassName'), value: capacity.storageClassName},
    errors,
  );
  const size = capacity.capacity;
  if (size !== undefined && compareQuantities(size, '0') < 0)
    errors.push(invalid(root('capacity'), canonicalQuantity(size), NOT_NEGATIVE));
}

export function validateCSIStorageCapacityUpdate(capacity: CSIStorageCapacity, before: CSIStorageCapacity, errors: Errors): void {
  immutable(capacity.nodeTopology, before.nodeTopology, {path: root('nodeTopology'), errors});
  immutable(capacity.storageClassName, before.storageClassName, {path: root('storageClassName'), errors});
}

const EITHER = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** A volume that is to be attached to a node. */
export function validateVolumeAttachment(attachment: VolumeAttachment, errors: Errors): void {
  attachmentSpec(attachment, errors);
  const {attacher, source} = attachment.spec;
  const volume = source.persistentVolumeName;
  driverName(attacher, root('spec', 'attacher'), errors);
  const path = root('spec', 'source', 'persistentVolumeName');
  if (volume !== undefined) sentences(checkSubdomain(volume), {path, value: volume}, errors);
}

function attachmentSpec({spec}: VolumeAttachment, errors: Errors): void {
  const path = root('spec');
  const {inlineVolumeSpec, persistentVolumeName} = spec.source;
  const at = path.child('source');
  if (spec.attacher === '') errors.push(required(path.child('attacher')));
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) errors.push(required(at, EITHER));
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) errors.push(forbiddenField(at, EITHER));
  else if (persistentVolumeName === '')
    errors.push(required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName'));
  sentences(checkSubdomain(spec.nodeName), {path: path.child('nodeName'), value: spec.nodeName}, errors);
}

const LONGEST_MESSAGE = 1024;
/** What the server says of a message that is longer. */
const SAID_LENGTH = 256 * 1024;

/** An attachment is made anew and not changed; how it went is told. */
export function validateVolumeAttachmentUpdate(attachment: VolumeAttachment, before: VolumeAttachment, errors: Errors): void {
  attachmentSpec(attachment, errors);
  for (const field of ['attachError', 'detachError'] as const) {
    const {message = '', errorCode = 0} = attachment.status?.[field] ?? {};
    const path = root('status', field);
    if (message.length > LONGEST_MESSAGE) errors.push(tooLong(path.child('message'), SAID_LENGTH));
    if (errorCode < 0) errors.push(invalid(path.child('errorCode'), errorCode, 'must be between 0 and 2147483647, inclusive'));
  }
  if (!sameJson(attachment.spec, before.spec)) errors.push(invalid(root('spec'), goAttachment(attachment), 'field is immutable'));
}

/** As the server prints a spec. */
function goAttachment({spec}: VolumeAttachment): object {
  const {inlineVolumeSpec, persistentVolumeName} = spec.source;
  return {
    Attacher: spec.attacher,
    Source: {PersistentVolumeName: persistentVolumeName ?? null, InlineVolumeSpec: inlineVolumeSpec ?? null},
    NodeName: spec.nodeName,
  };
}
