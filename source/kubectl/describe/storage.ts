// The pages of persistent volumes, of the claims on them, and of storage classes.
import type {PersistentVolume, PersistentVolumeClaim, Pod, VolumeNodeAffinity} from '../../api/kinds/core-v1.ts';
import type {CSINode, StorageClass, VolumeAttributesClass} from '../../api/kinds/storage-v1.ts';
import type {ObjectMeta} from '../../api/kinds/meta.ts';
import {SELECTOR_OPERATORS} from '../../api/meta/node-selector.ts';
import {canonicalQuantity} from '../../api/meta/quantity.ts';
import {labelsText} from '../../api/meta/selector.ts';
import {humanDuration, parseTime} from '../../api/meta/time.ts';
import {Failure} from '../failure.ts';
import {podsOf} from '../resources/pods.ts';
import {accessModesText} from './claims.ts';
import {timeText, type Describer, type Surroundings} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';
import {addSource} from './volumes.ts';

const BETA_CLASS = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_CLASSES = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];

/** The phase, or since when it is going. */
function phaseText({deletionTimestamp}: ObjectMeta, phase: string | undefined, now: number): string {
  if (!deletionTimestamp) return phase ?? '';
  return `Terminating (lasts ${humanDuration(now - (parseTime(deletionTimestamp) ?? now))})`;
}

function finalizersText({finalizers}: ObjectMeta): string {
  return `[${(finalizers ?? []).join(' ')}]`;
}

function quantityText(value: string | number | undefined): string {
  return value === undefined ? '0' : canonicalQuantity(value);
}

export const describePersistentVolume: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as PersistentVolume;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Finalizers', finalizersText(metadata));
  lines.field(0, 'StorageClass', metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? '');
  lines.field(0, 'Status', phaseText(metadata, status?.phase, around.session.now));
  const claim = spec?.claimRef;
  lines.field(0, 'Claim', claim ? `${claim.namespace ?? ''}/${claim.name ?? ''}` : '');
  lines.field(0, 'Reclaim Policy', spec?.persistentVolumeReclaimPolicy ?? '');
  lines.field(0, 'Access Modes', accessModesText(spec?.accessModes));
  if (spec?.volumeMode) lines.field(0, 'VolumeMode', spec.volumeMode);
  lines.field(0, 'Capacity', quantityText(spec?.capacity?.['storage']));
  addNodeAffinity(lines, spec?.nodeAffinity);
  lines.field(0, 'Message', status?.message ?? '');
  lines.add(0, 'Source:');
  addSource(lines, spec ?? {});
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addNodeAffinity(lines: Lines, affinity: VolumeNodeAffinity | undefined): void {
  if (!affinity?.required) {
    lines.field(0, 'Node Affinity', '<none>');
    return;
  }
  lines.field(0, 'Node Affinity', '');
  const terms = affinity.required.nodeSelectorTerms;
  lines.field(1, 'Required Terms', terms.length === 0 ? '<none>' : '');
  for (const [index, {matchExpressions = []}] of terms.entries()) {
    const texts = matchExpressions.map(
      ({key, operator, values = []}) =>
        `${key} ${SELECTOR_OPERATORS[operator]}${values.length > 0 ? ` [${values.join(', ')}]` : ''}`,
    );
    addTerm(lines, index, texts);
  }
}

/** The conditions of a term, each on a line of its own. */
function addTerm(lines: Lines, index: number, texts: readonly string[]): void {
  lines.raw(`    Term ${index}:\t${texts.length === 0 ? '<none>\n' : ''}`);
  for (const [row, text] of texts.entries()) lines.raw(`${row === 0 ? '' : '    \t'}${text}\n`);
}

export const describeClaim: Describer = async (object, around) => {
  const claim = object as unknown as PersistentVolumeClaim;
  const {metadata, spec, status} = claim;
  const isBound = (spec?.volumeName ?? '') !== '';
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(0, 'StorageClass', metadata.annotations?.[BETA_CLASS] ?? spec?.storageClassName ?? '');
  lines.field(0, 'Status', phaseText(metadata, status?.phase, around.session.now));
  lines.field(0, 'Volume', spec?.volumeName ?? '');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Finalizers', finalizersText(metadata));
  lines.field(0, 'Capacity', isBound ? quantityText(status?.capacity?.['storage']) : '');
  lines.field(0, 'Access Modes', isBound ? accessModesText(status?.accessModes) : '');
  if (spec?.volumeMode) lines.field(0, 'VolumeMode', spec.volumeMode);
  if (spec?.dataSource) {
    lines.add(0, 'DataSource:');
    if (spec.dataSource.apiGroup !== undefined) lines.field(1, 'APIGroup', spec.dataSource.apiGroup);
    lines.field(1, 'Kind', spec.dataSource.kind);
    lines.field(1, 'Name', spec.dataSource.name);
  }
  await addUsers(lines, claim, around);
  addClaimConditions(lines, claim);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

async function addUsers(lines: Lines, {metadata}: PersistentVolumeClaim, {session}: Surroundings): Promise<void> {
  const pods = await podsOf(session, metadata.namespace ?? '', '');
  const users = pods instanceof Failure ? [] : pods.filter(pod => uses(pod, metadata.name)).map(pod => pod.metadata.name);
  if (users.length === 0) lines.field(0, 'Used By', '<none>');
  for (const [index, name] of users.entries()) lines.raw(`${index === 0 ? 'Used By:' : ''}\t${name}\n`);
}

function uses({metadata, spec}: Pod, claim: string): boolean {
  return (spec?.volumes ?? []).some(({name, persistentVolumeClaim, ephemeral}) =>
    persistentVolumeClaim
      ? persistentVolumeClaim.claimName === claim
      : ephemeral !== undefined && `${metadata.name}-${name}` === claim,
  );
}

function addClaimConditions(lines: Lines, {status}: PersistentVolumeClaim): void {
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return;
  lines.raw('Conditions:\n  Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage\n');
  lines.raw('  ----\t------\t-----------------\t------------------\t------\t-------\n');
  for (const {type, status: state, lastProbeTime, lastTransitionTime, reason = '', message = ''} of conditions)
    lines.add(1, `${type} \t${state} \t${timeText(lastProbeTime)} \t${timeText(lastTransitionTime)} \t${reason} \t${message}`);
}

export const describeStorageClass: Describer = async (object, around) => {
  const storage = object as unknown as StorageClass;
  const {metadata, allowVolumeExpansion: grows, mountOptions = []} = storage;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'IsDefaultClass', DEFAULT_CLASSES.some(key => metadata.annotations?.[key] === 'true') ? 'Yes' : 'No');
  lines.field(0, 'Annotations', labelsText(metadata.annotations));
  lines.field(0, 'Provisioner', storage.provisioner);
  lines.field(0, 'Parameters', labelsText(storage.parameters));
  lines.field(0, 'AllowVolumeExpansion', grows === undefined ? '<unset>' : grows ? 'True' : 'False');
  if (mountOptions.length === 0) lines.field(0, 'MountOptions', '<none>');
  else lines.raw(`MountOptions:\n${mountOptions.map(option => `  ${option}\n`).join('')}`);
  if (storage.reclaimPolicy) lines.field(0, 'ReclaimPolicy', storage.reclaimPolicy);
  if (storage.volumeBindingMode) lines.field(0, 'VolumeBindingMode', storage.volumeBindingMode);
  addTopologies(lines, storage);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeVolumeAttributesClass: Describer = async (object, around) => {
  const {metadata, driverName, parameters} = object as unknown as VolumeAttributesClass;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Annotations', labelsText(metadata.annotations));
  lines.field(0, 'DriverName', driverName);
  lines.field(0, 'Parameters', labelsText(parameters));
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addTopologies(lines: Lines, {allowedTopologies}: StorageClass): void {
  if (!allowedTopologies) return;
  lines.field(0, 'AllowedTopologies', allowedTopologies.length === 0 ? '<none>' : '');
  for (const [index, {matchLabelExpressions = []}] of allowedTopologies.entries()) {
    const texts = matchLabelExpressions.map(({key, values}) => `${key} in [${values.join(', ')}]`);
    lines.raw(`  Term ${index}:\t${texts.length === 0 ? '<none>\n' : ''}`);
    for (const [row, text] of texts.entries()) lines.raw(`${row === 0 ? '' : '  \t'}${text}\n`);
  }
}

export const describeCsiNode: Describer = async (object, around) => {
  const {metadata, spec} = object as unknown as CSINode;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  lines.add(0, 'Spec:');
  const drivers = spec.drivers;
  if (drivers.length > 0) lines.add(1, 'Drivers:');
  for (const {name, nodeID, allocatable, topologyKeys} of drivers) {
    lines.add(2, `${name}:`);
    lines.field(3, 'Node ID', nodeID);
    if (allocatable?.count !== undefined) {
      lines.add(3, 'Allocatables:');
      lines.field(4, 'Count', String(allocatable.count));
    }
    if (topologyKeys) lines.field(3, 'Topology Keys', `[${topologyKeys.join(' ')}]`);
  }
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
