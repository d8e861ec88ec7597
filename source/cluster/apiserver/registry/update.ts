// Changing an object, by PUT, patch or a subresource: a function makes the next state out of the present one, the gates judge it,
// and a transaction stores it if nobody was faster. Who lost a race begins again with the newer state, unless the client named
// the resourceVersion that it meant. The present state is taken from the cache first; whatever is refused or changes nothing on
// that ground is looked at once more with etcd's own state, as the cache may be a moment behind.
import type {ManagedFieldsEntry, ObjectMeta} from '../../../api/kinds/meta.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, conflict, failure, invalidObject, notFound, qualifiedResource} from '../../../api/meta/status.ts';
import {invalid} from '../../../api/meta/field-error.ts';
import type {Task} from '../../../sim/task.ts';
import {admitMutating, admitValidating} from '../admission/chain.ts';
import {endPiece} from '../http/large.ts';
import {refuse, Refused} from '../http/refused.ts';
import {changeWarnings} from '../strategy/warnings.ts';
import {commit, currentState, erase, freshState, type Committed, type State} from './commit.ts';
import {sameStored, sameValue} from './equal.ts';
import {ownedWhenChanged, sameOwners, sentOwnersErrors} from './ownership.ts';
import {AFTER_ADMISSION, withEachOwnerOnce} from './owner-references.ts';
import {validateChange} from './rules.ts';
import {meantVersion} from './version.ts';
import {warn, type Write} from './write.ts';

/** Makes the next state; it is called again when somebody else was faster. */
export type Change = (old: AnyObject) => AnyObject | Refused | Task<AnyObject | Refused>;

/** One that is made at once. */
export type QuickChange = (old: AnyObject) => AnyObject | Refused;

/** What an update came to. */
export interface Updated {
  readonly object: AnyObject;
  /** Nothing differed, so nothing was written. */
  readonly unchanged: boolean;
  /** It was the last finalizer: the object is gone. */
  readonly deleted: boolean;
}

export interface UpdateOptions {
  readonly name: string;
  readonly namespace: string;
  readonly change: Change;
}

const TRIES = 100;

/** Carries a change out. */
export function* updateObject(write: Write, options: UpdateOptions): Task<Updated | Refused> {
  const {name, namespace} = options;
  let state = yield* currentState(write, namespace, name);
  for (let tries = 0; tries < TRIES; tries++) {
    if (state instanceof Refused) return state;
    if (!state.object) return refuse(notFound(write.served.facts, name));
    const {converter} = write.served;
    const old: AnyObject | Refused = converter ? yield* converter.view(state.object) : state.object;
    if (old instanceof Refused) return old;
    const next = yield* judge(write, old, options);
    if (write.isLarge) yield* endPiece(write.core.daemon);
    const unchanged = !(next instanceof Refused) && sameStored(next, old) && sameOwners(next, old);
    if (!state.fresh && (next instanceof Refused || unchanged)) {
      const fresh: State | Refused = yield* freshState(write, namespace, name);
      if (fresh instanceof Refused) return fresh;
      if (fresh.revision !== state.revision) {
        state = fresh;
        continue;
      }
    }
    if (next instanceof Refused) return next;
    if (unchanged) {
      write.note(name);
      return {object: state.object, unchanged: true, deleted: false};
    }
    const committed: Committed | Refused = yield* put(write, {next, old, revision: state.revision});
    if (committed instanceof Refused) return committed;
    if ('done' in committed) return {object: committed.done, unchanged: false, deleted: isFinished(write, next)};
    if ('lost' in committed) state = committed.lost;
  }
  return refuse(conflict(write.served.facts, name));
}

function* put(write: Write, step: {next: AnyObject; old: AnyObject; revision: number}): Task<Committed | Refused> {
  const {next, old, revision} = step;
  const {strategy} = write.served;
  if (isFinished(write, next)) return yield* erase(write, next, {revision, also: strategy.also?.(undefined, old, write) ?? []});
  return yield* commit(write, next, {revision, also: strategy.also?.(next, old, write) ?? []});
}

/** The last that held a deleted object is gone. */
function isFinished(write: Write, object: AnyObject): boolean {
  const {deletionTimestamp, deletionGracePeriodSeconds, finalizers} = object.metadata;
  if (deletionTimestamp === undefined || (deletionGracePeriodSeconds ?? 0) > 0) return false;
  return (finalizers?.length ?? 0) === 0 && !(write.served.strategy.isHeld?.(object) ?? false);
}

function* judge(write: Write, old: AnyObject, options: UpdateOptions): Task<AnyObject | Refused> {
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const made = options.change(old);
  const changed = Symbol.iterator in made ? yield* made : made;
  if (write.isLarge) yield* endPiece(write.core.daemon);
  if (changed instanceof Refused) return changed;
  const meant = checkIdentity(write, changed, old);
  if (meant instanceof Refused) return meant;
  const checked = withEachOwnerOnce(meant, write.warnings, write.info.verb === 'patch' ? AFTER_ADMISSION : '');
  const admitted = yield* admitMutating({operation: 'UPDATE', write, object: checked, old});
  if (admitted instanceof Refused) return admitted;
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const prepared = prepare(write, admitted, {old, owned: ownedWhenChanged(write, narrowed(write, checked, old), old)});
  if (prepared instanceof Refused) return prepared;
  const {strategy} = write.served;
  const next = strategy.allocate && write.subresource === '' ? strategy.allocate(prepared, old, write) : prepared;
  if (next instanceof Refused) return next;
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const errors = [
    ...validateChange(write.served, {object: next, old, subresource: write.subresource}),
    ...sentOwnersErrors(write, checked, old),
  ];
  if (write.isLarge) yield* endPiece(write.core.daemon);
  if (errors.length > 0) return refuse(invalidObject(write.served.facts, next.metadata.name, errors));
  warnAbout(write, next, old);
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const refused = yield* admitValidating({operation: 'UPDATE', write, object: next, old});
  return refused ?? next;
}

/** Who looks into a pod owns no more than what that changes; a resize, as recorded, makes an owner of all that it names. */
function narrowed(write: Write, object: AnyObject, old: AnyObject): AnyObject {
  const next = write.subresource === 'ephemeralcontainers' ? write.served.strategy.update?.(object, old, write) : undefined;
  return next === undefined || next instanceof Refused ? object : next;
}

function warnAbout(write: Write, next: AnyObject, old: AnyObject): void {
  if (write.subresource !== '') return;
  const resource = qualifiedResource(write.served.facts);
  warn(write, changeWarnings(resource, next, {old, changed: !sameSpec(next, old)}));
}

/** The client means this object: name, namespace, uid and, where one is meant, resourceVersion. */
function checkIdentity(write: Write, object: AnyObject, old: AnyObject): AnyObject | Refused {
  const {facts, strategy} = write.served;
  const {name, namespace, uid} = object.metadata;
  const resourceVersion = meantVersion(object.metadata.resourceVersion);
  if (resourceVersion instanceof Refused) return resourceVersion;
  if (name !== old.metadata.name)
    return refuse(badRequest(`the name of the object (${name ?? ''}) does not match the name on the URL (${old.metadata.name})`));
  if (namespace && namespace !== old.metadata.namespace) {
    return refuse(badRequest('the namespace of the provided object does not match the namespace sent on the request'));
  }
  // A patch that changes the uid is an invalid object; an update with another uid means another object.
  if (uid && uid !== old.metadata.uid && write.info.verb === 'update') return refuse(foreignUid(write, uid, old));
  if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) return refuse(conflict(facts, old.metadata.name));
  if (!resourceVersion && strategy.conditional) {
    const errors = [invalid('metadata.resourceVersion', 0, 'must be specified for an update')];
    return refuse(invalidObject({group: facts.group, kind: facts.resource}, old.metadata.name, errors));
  }
  return object;
}

function foreignUid(write: Write, uid: string, old: AnyObject) {
  const {facts, prefix} = write.served;
  const key = `${prefix}${old.metadata.namespace === undefined ? '' : `${old.metadata.namespace}/`}${old.metadata.name}`;
  const what = `${facts.resource}${facts.group === '' ? '' : `.${facts.group}`}`;
  const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`;
  return failure(409, 'Conflict', {
    message: `Operation cannot be fulfilled on ${what} ${JSON.stringify(old.metadata.name)}: ${why}`,
    details: {name: old.metadata.name, ...(facts.group === '' ? {} : {group: facts.group}), kind: facts.resource},
  });
}

/** What clients cannot change stays; the kind's own rules follow; a new spec is a new generation. */
function prepare(
  write: Write,
  object: AnyObject,
  {old, owned}: {old: AnyObject; owned: readonly ManagedFieldsEntry[] | undefined},
): AnyObject | Refused {
  const {strategy, hasStatus} = write.served;
  const metadata = object.metadata === old.metadata ? object.metadata : fixedMetadata(object.metadata, old.metadata);
  const fixed = {...object, metadata: withOwners(metadata, owned)};
  if (write.subresource === 'status' || write.subresource === 'approval') {
    return strategy.updateStatus ? strategy.updateStatus(fixed, old, write) : statusOnly(fixed, old);
  }
  const kept = hasStatus && write.subresource === '' ? withStatusOf(fixed, old) : fixed;
  const next = strategy.update ? strategy.update(kept, old, write) : kept;
  if (next instanceof Refused || !strategy.generation) return next;
  return sameSpec(next, old) || next.metadata.generation !== old.metadata.generation
    ? next
    : {...next, metadata: {...next.metadata, generation: (old.metadata.generation ?? 0) + 1}};
}

function fixedMetadata(metadata: ObjectMeta, old: ObjectMeta): ObjectMeta {
  const {generation: _generation, selfLink: _link, managedFields: _fields, ...rest} = metadata;
  return {
    ...rest,
    uid: metadata.uid || old.uid,
    resourceVersion: old.resourceVersion,
    creationTimestamp: old.creationTimestamp,
    ...(old.namespace === undefined ? {} : {namespace: old.namespace}),
    ...(old.generateName === undefined || rest.generateName !== undefined ? {} : {generateName: old.generateName}),
    ...(old.generation === undefined ? {} : {generation: old.generation}),
    ...(old.deletionTimestamp === undefined ? {} : {deletionTimestamp: old.deletionTimestamp}),
    ...(rest.deletionGracePeriodSeconds === undefined && old.deletionGracePeriodSeconds !== undefined
      ? {deletionGracePeriodSeconds: old.deletionGracePeriodSeconds}
      : {}),
  };
}

function withOwners(metadata: ObjectMeta, owned: readonly ManagedFieldsEntry[] | undefined): ObjectMeta {
  if (metadata.managedFields === owned) return metadata;
  const {managedFields: _before, ...rest} = metadata;
  return owned ? {...rest, managedFields: owned} : rest;
}

/** By default a status update changes status and metadata. */
function statusOnly(object: AnyObject, old: AnyObject): AnyObject {
  const {status: _status, ...rest} = old;
  return {...rest, metadata: object.metadata, ...(object.status === undefined ? {} : {status: object.status})};
}

function withStatusOf(object: AnyObject, old: AnyObject): AnyObject {
  if (object.status === old.status) return object;
  const {status: _status, ...rest} = object;
  return old.status === undefined ? rest : {...rest, status: old.status};
}

/** Is everything but metadata and status as it was? */
export function sameSpec(object: AnyObject, old: AnyObject): boolean {
  for (const key of Object.keys(object)) if (!APART.has(key) && !sameValue(object[key], old[key])) return false;
  for (const key of Object.keys(old)) if (!APART.has(key) && old[key] !== undefined && object[key] === undefined) return false;
  return true;
}

const APART = new Set(['metadata', 'status']);
