// Who owns which fields of an object: what each write tells metadata.managedFields. The owners are those of the object as the client
// wrote it, before admission and the kind's own preparation: what these fill in is nobody's.
//
// A kind that is served in two versions is compared in the version of the request, for all of its owners.
import type {ManagedFieldsEntry} from '../../../api/kinds/meta.ts';
import {shapeOfObjects} from '../../../api/custom/shape.ts';
import type {FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {compileType} from '../../../api/schema/compile.ts';
import {typeOfKind} from '../../../api/schema/index.ts';
import {
  afterWrite,
  ANY,
  fieldElement,
  fieldsAt,
  isTracked,
  NO_FIELDS,
  ownersIn,
  ownersOf,
  ownTheSame,
  shapeOfType,
  type FieldSet,
  type Shape,
  type Writer,
} from '../../../api/schema/ownership/index.ts';
import {ownerErrors} from './manager-names.ts';
import {apiVersionOf, type TypedKind} from './schema.ts';
import type {Write} from './write.ts';

type Entries = readonly ManagedFieldsEntry[];

/** The shape of a kind's objects. */
export function shapeOf(kind: TypedKind): Shape {
  if (kind.custom) return shapeOfObjects(kind.custom.schema);
  const type = typeOfKind(apiVersionOf(kind), kind.kind);
  return type === undefined ? ANY : shapeOfType(type);
}

const EMPTY_OBJECT: Readonly<Record<string, unknown>> = Object.freeze({metadata: Object.freeze({})});

/** An object of which nothing is said yet, as Go makes it: structs that are no pointers are there. */
export function emptyObject(kind: TypedKind): Readonly<Record<string, unknown>> {
  const type = kind.custom ? undefined : typeOfKind(apiVersionOf(kind), kind.kind);
  return type === undefined ? EMPTY_OBJECT : (compileType(type).zero() as Readonly<Record<string, unknown>>);
}

/** Who a write is from. */
export function writerOf(write: Write): Writer {
  return {
    manager: write.manager,
    operation: write.applies ? 'Apply' : 'Update',
    apiVersion: apiVersionOf(write.served.facts),
    subresource: write.trackedAs ?? write.subresource,
  };
}

const STATUS = fieldsAt([fieldElement('status')]);
const ALL_BUT_STATUS = fieldsAt([fieldElement('spec')]);
const METADATA = fieldElement('metadata');
/** By group and resource: a definition may call its own kind as a built-in one is called. */
type OfKinds = Readonly<Record<string, Readonly<Record<string, FieldSet>>>>;

const OF_STATUS: OfKinds = {
  '': {
    pods: fieldsAt(
      [fieldElement('spec')],
      [METADATA, fieldElement('deletionTimestamp')],
      [METADATA, fieldElement('ownerReferences')],
    ),
  },
  apps: {deployments: fieldsAt([fieldElement('spec')], [METADATA, fieldElement('labels')])},
};

/** Of a request for a certificate nothing is a client's own: once made, it stays. */
const OF_OBJECT: OfKinds = {
  'certificates.k8s.io': {certificatesigningrequests: fieldsAt([fieldElement('spec')], [fieldElement('status')])},
};

/** What this way of writing gives back to what it was. */
export function ignoredBy({served, subresource}: Write): FieldSet {
  const {group, resource} = served.facts;
  if (subresource === 'status' || subresource === 'approval') return OF_STATUS[group]?.[resource] ?? ALL_BUT_STATUS;
  return OF_OBJECT[group]?.[resource] ?? (served.hasStatus ? STATUS : NO_FIELDS);
}

/** The owners of a new object. */
export function ownedWhenCreated(write: Write, object: AnyObject): Entries | undefined {
  const given = object.metadata.managedFields;
  if (write.applies) return given;
  const entries = given && asGiven(given) ? given : undefined;
  // Where nothing is said there is nothing to own, and nobody begins to keep count later.
  if (!entries && isBare(object)) return undefined;
  const {facts, conversion} = write.served;
  return afterWrite(entries, {
    writer: writerOf(write),
    time: write.core.daemon.now(),
    shape: shapeOf(facts),
    before: emptyObject(facts),
    after: conversion ? conversion.read(object) : object,
    ignored: ignoredBy(write),
  });
}

const NAMED: ReadonlySet<string> = new Set(['name', 'namespace', 'creationTimestamp']);

/** Does an object say nothing but its name? */
function isBare({apiVersion: _version, kind: _kind, metadata, ...rest}: AnyObject): boolean {
  for (const key in rest) if (rest[key] !== undefined && rest[key] !== null) return false;
  for (const key in metadata) if (!NAMED.has(key) && metadata[key as keyof typeof metadata] !== undefined) return false;
  return true;
}

/** The owners after a change. A client may say who they are; most send back what they got, or nothing. */
export function ownedWhenChanged(write: Write, object: AnyObject, old: AnyObject): Entries | undefined {
  const given = object.metadata.managedFields;
  const present = old.metadata.managedFields;
  if (write.applies) return given;
  const entries = given === undefined || given === present || write.subresource !== '' ? present : saidBy(given, present);
  // Whose owners are unknown stays so: nobody owned the fields that are there.
  if (entries === undefined) return undefined;
  const {facts, conversion} = write.served;
  return afterWrite(entries, {
    writer: writerOf(write),
    time: write.core.daemon.now(),
    shape: shapeOf(facts),
    before: conversion ? conversion.read(old) : old,
    after: conversion ? conversion.read(object) : object,
    ignored: ignoredBy(write),
  });
}

/** What is wrong with the owners that a client sent along; what the server made itself is right. */
export function sentOwnersErrors(write: Write, object: AnyObject, old?: AnyObject): readonly FieldError[] {
  const given = object.metadata.managedFields;
  if (given === undefined || given === old?.metadata.managedFields || write.subresource !== '' || isTracked(given)) return [];
  return asGiven(given) ? ownerErrors(given) : [];
}

/** One empty entry means that nobody is to own anything; what cannot be read means nothing. */
function saidBy(given: Entries, present: Entries | undefined): Entries | undefined {
  const [first] = given;
  if (first && given.length === 1 && Object.keys(first).length === 0) return undefined;
  return asGiven(given) ? given : present;
}

function asGiven(given: Entries): boolean {
  return given.length > 0 && (isTracked(given) || ownersOf(given) !== undefined);
}

/**
 * Do the same owners own the same fields? Times never count. A write whose change the kind takes back may still move owners: they
 * are those of the object as the client wrote it.
 */
export function sameOwners(next: AnyObject, old: AnyObject): boolean {
  const before = old.metadata.managedFields;
  const after = next.metadata.managedFields;
  return after === before || ownTheSame(ownersIn(after), ownersIn(before));
}
