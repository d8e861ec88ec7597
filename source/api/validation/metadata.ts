// What every object's metadata must be, when it is made and when it is changed.
import type {ObjectMeta, OwnerReference} from '../kinds/meta.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {forbiddenField, invalid, required, tooLong} from '../meta/field-error.ts';
import {compareStrings, sortStrings, goStrings} from '../meta/go-text.ts';
import {checkLabel, checkQualifiedName} from '../meta/names.ts';
import {splitApiVersion} from '../meta/object.ts';
import {type Errors, immutable, inOrder, labels, notNegative, sentences} from './rules.ts';

/** What a kind allows as a name. */
export type NameRule = (name: string) => readonly string[];

const MOST_ANNOTATION_BYTES = 256 * 1024;
const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);
const OWNER_KEYS = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion'];

/** The metadata of a new object. */
export function objectMeta(meta: ObjectMeta, at: {path: FieldPath; namespaced: boolean; name: NameRule}, errors: Errors): void {
  const {path} = at;
  if (meta.generateName)
    sentences(at.name(maskDash(meta.generateName)), {path: path.child('generateName'), value: meta.generateName}, errors);
  if (!meta.name) errors.push(required(path.child('name'), 'name or generateName is required'));
  else sentences(at.name(meta.name), {path: path.child('name'), value: meta.name}, errors);
  if (at.namespaced) {
    if (!meta.namespace) errors.push(required(path.child('namespace')));
    else sentences(checkLabel(meta.namespace), {path: path.child('namespace'), value: meta.namespace}, errors);
  } else if (meta.namespace) errors.push(forbiddenField(path.child('namespace'), 'not allowed on this type'));
  notNegative(meta.generation, path.child('generation'), errors);
  common(meta, path, errors);
  finalizers(meta.finalizers, path, errors);
}

/** A generated name may end in a dash, as letters will follow. */
function maskDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -1)}a` : name;
}

/** The metadata of a changed object. */
export function objectMetaUpdate(meta: ObjectMeta, before: ObjectMeta, at: {path: FieldPath; errors: Errors}): void {
  const {path, errors} = at;
  if (before.deletionTimestamp !== undefined) noNewFinalizers(meta, before, at);
  if (!meta.resourceVersion)
    errors.push(invalid(path.child('resourceVersion'), meta.resourceVersion ?? '', 'must be specified for an update'));
  if ((meta.generation ?? 0) < (before.generation ?? 0))
    errors.push(invalid(path.child('generation'), meta.generation ?? 0, 'must not be decremented'));
  for (const field of FIXED) immutable(meta[field], before[field], {path: path.child(field), errors});
  common(meta, path, errors);
  finalizers(meta.finalizers, path, errors);
}

const FIXED = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const;

function noNewFinalizers(meta: ObjectMeta, before: ObjectMeta, {path, errors}: {path: FieldPath; errors: Errors}): void {
  const added = (meta.finalizers ?? []).filter(name => !before.finalizers?.includes(name)).sort(compareStrings);
  if (added.length === 0) return;
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`;
  errors.push(forbiddenField(path.child('finalizers'), text));
}

function common(meta: ObjectMeta, path: FieldPath, errors: Errors): void {
  labels(meta.labels, path.child('labels'), errors);
  annotations(meta.annotations, path.child('annotations'), errors);
  ownerReferences(meta.ownerReferences, path.child('ownerReferences'), errors);
}

/** Annotations: keys, and the size of all together. */
export function annotations(map: Readonly<Record<string, string>> | undefined, path: FieldPath, errors: Errors): void {
  if (!map) return;
  let bytes = 0;
  for (const key of sortStrings(Object.keys(map))) {
    sentences(checkQualifiedName(key.toLowerCase()), {path, value: key}, errors);
    bytes += byteLength(key) + byteLength(map[key] ?? '');
  }
  if (bytes > MOST_ANNOTATION_BYTES) errors.push(tooLong(path, MOST_ANNOTATION_BYTES));
}

/** The bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A pair of surrogates is two units and four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function ownerReferences(owners: readonly OwnerReference[] | undefined, path: FieldPath, errors: Errors): void {
  if (!owners) return;
  let first: OwnerReference | undefined;
  for (const owner of owners) {
    ownerReference(owner, path, errors);
    if (owner.controller !== true) continue;
    if (first) {
      const which = `${first.kind}/${first.name} and ${owner.kind}/${owner.name}`;
      const text = `Only one reference can have Controller set to true. Found "true" in references for ${which}`;
      errors.push(
        invalid(
          path,
          owners.map(one => inOrder(one, OWNER_KEYS)),
          text,
        ),
      );
    } else first = owner;
  }
}

function ownerReference(owner: OwnerReference, path: FieldPath, errors: Errors): void {
  const {group, version} = splitApiVersion(owner.apiVersion);
  if (version === '') errors.push(invalid(path.child('apiVersion'), owner.apiVersion, 'version must not be empty'));
  for (const field of ['kind', 'name', 'uid'] as const) {
    if (!owner[field]) errors.push(invalid(path.child(field), owner[field], 'must not be empty'));
  }
  if (group === '' && version === 'v1' && owner.kind === 'Event') {
    errors.push(invalid(path, inOrder(owner, OWNER_KEYS), '/v1, Kind=Event is disallowed from being an owner'));
  }
}

function finalizers(names: readonly string[] | undefined, path: FieldPath, errors: Errors): void {
  if (!names) return;
  const at = path.child('finalizers');
  for (const name of names) sentences(checkQualifiedName(name), {path: at, value: name}, errors);
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(invalid(at, names, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  names.forEach((name, i) => standardFinalizer(name, at.index(i), errors));
}

function standardFinalizer(name: string, path: FieldPath, errors: Errors): void {
  if (name.includes('/') || STANDARD_FINALIZERS.has(name)) return;
  errors.push(invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified'));
}

/** The name of what holds something until it is done. */
export function finalizerName(name: string, path: FieldPath, errors: Errors): void {
  sentences(checkQualifiedName(name), {path, value: name}, errors);
  standardFinalizer(name, path, errors);
}
