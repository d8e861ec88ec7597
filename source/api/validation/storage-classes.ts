// The classes of volumes and of their attributes.
import type {TopologySelectorTerm} from '../kinds/core-v1.ts';
import type {StorageClass, VolumeAttributesClass} from '../kinds/storage-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, forbiddenField, invalid, required, root, tooLong} from '../meta/field-error.ts';
import {compareStrings} from '../meta/go-text.ts';
import {checkQualifiedName} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {byteLength} from './metadata.ts';
import {type Errors, immutable, labelKey, oneOf, sentences} from './rules.ts';

const MOST_PARAMETERS = {count: 512, bytes: 256 * 1024};

/** Who makes the volumes, and what it is told. */
function provisioner(name: string, path: FieldPath, errors: Errors): void {
  const value = name.toLowerCase();
  if (value === '') errors.push(required(path));
  else sentences(checkQualifiedName(value), {path, value}, errors);
}

function parameters(given: Readonly<Record<string, string>> = {}, path: FieldPath, errors: Errors): void {
  const pairs = Object.entries(given);
  const bytes = pairs.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (pairs.length > MOST_PARAMETERS.count) {
    errors.push(tooLong(path, MOST_PARAMETERS.count));
    return;
  }
  if (given[''] !== undefined) errors.push(invalid(path, '', 'field can not be empty.'));
  if (bytes > MOST_PARAMETERS.bytes) errors.push(tooLong(path, MOST_PARAMETERS.bytes));
}

/** A class of attributes: a driver, and what it is told. */
export function validateAttributesClass(attributes: VolumeAttributesClass, errors: Errors): void {
  provisioner(attributes.driverName, root('driverName'), errors);
  parameters(attributes.parameters, root('parameters'), errors);
  if (Object.keys(attributes.parameters ?? {}).length === 0)
    errors.push(required(root('parameters'), 'must contain at least one key/value pair'));
}

/** Neither changes. */
export function validateAttributesClassUpdate(now: VolumeAttributesClass, before: VolumeAttributesClass, errors: Errors): void {
  settled(now, before, {fields: ['driverName', 'parameters'], errors});
  validateAttributesClass(now, errors);
}

function settled<T>(now: T, before: T, {fields, errors}: {fields: readonly (keyof T & string)[]; errors: Errors}): void {
  for (const field of fields)
    if (!sameJson(now[field] ?? null, before[field] ?? null))
      errors.push(forbiddenField(root(field), `updates to ${field} are forbidden.`));
}

/** A StorageClass. */
export function validateStorageClass(storageClass: StorageClass, errors: Errors): void {
  const {reclaimPolicy = ''} = storageClass;
  provisioner(storageClass.provisioner, root('provisioner'), errors);
  parameters(storageClass.parameters, root('parameters'), errors);
  if (reclaimPolicy !== '') oneOf(reclaimPolicy, {path: root('reclaimPolicy'), of: ['Delete', 'Retain']}, errors);
  const modes = ['Immediate', 'WaitForFirstConsumer'];
  if (storageClass.volumeBindingMode === undefined) errors.push(required(root('volumeBindingMode')));
  else oneOf(storageClass.volumeBindingMode, {path: root('volumeBindingMode'), of: modes}, errors);
  topologies(storageClass.allowedTopologies, root('allowedTopologies'), errors);
}

/** Where the volumes may be; the same place twice is a mistake. */
function topologies(terms: readonly TopologySelectorTerm[] = [], path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  terms.forEach((term, i) => {
    const at = path.index(i).child('matchLabelExpressions');
    topology(term, at, errors);
    const sets = (term.matchLabelExpressions ?? []).map(
      ({key, values}) => [key, [...new Set(values)].sort(compareStrings)] as const,
    );
    const place = JSON.stringify(sets.sort(([a], [b]) => (a < b ? -1 : 1)));
    if (seen.has(place) || sets.length === 0) errors.push(duplicate(at, ''));
    seen.add(place);
  });
}

function topology({matchLabelExpressions = []}: TopologySelectorTerm, path: FieldPath, errors: Errors): void {
  const keys = new Set<string>();
  matchLabelExpressions.forEach(({key, values}, i) => {
    const at = path.index(i);
    if (values.length === 0) errors.push(required(at.child('values')));
    values.forEach((value, n) => {
      if (values.indexOf(value) < n) errors.push(duplicate(at.child('values').index(n), value));
    });
    labelKey(key, at.child('key'), errors);
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
  });
}

/** Much of a class is settled once and for all. */
export function validateStorageClassUpdate(storageClass: StorageClass, before: StorageClass, errors: Errors): void {
  validateStorageClass(storageClass, errors);
  settled(storageClass, before, {fields: ['parameters', 'provisioner', 'reclaimPolicy'], errors});
  immutable(storageClass.volumeBindingMode, before.volumeBindingMode, {path: root('volumeBindingMode'), errors});
}
