// Creating an object. The gates are in the order of the real server: decoding, mutating admission, the kind's own preparation with
// uid and generated name, validation, validating admission, and only then etcd, which knows whether the name is taken.
import type {ManagedFieldsEntry, ObjectMeta} from '../../../api/kinds/meta.ts';
import type {FieldError} from '../../../api/meta/field-error.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {
  alreadyExists,
  badRequest,
  conflict,
  failure,
  invalidObject,
  plainError,
  qualifiedResource,
} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {admitMutating, admitValidating} from '../admission/chain.ts';
import {endPiece} from '../http/large.ts';
import {refuse, Refused} from '../http/refused.ts';
import {warningsOf} from '../strategy/warnings.ts';
import {commit} from './commit.ts';
import {ownedWhenCreated, sentOwnersErrors} from './ownership.ts';
import {withEachOwnerOnce} from './owner-references.ts';
import {validateNew} from './rules.ts';
import {emptyStatus} from './schema.ts';
import {cacheKey} from './served.ts';
import {meantVersion} from './version.ts';
import {warn, type Write} from './write.ts';

const NAME_TRIES = 8;
const MOST_PREFIX = 58;
const ADDRESS_TRIES = 10;

/** Creates an object that was decoded; the stored object, or why not. */
export function* createObject(write: Write, decoded: AnyObject): Task<AnyObject | Refused> {
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const place = inNamespace(write, decoded);
  if (place instanceof Refused) return place;
  const placed = withEachOwnerOnce(place, write.warnings);
  const admitted = yield* admitMutating({operation: 'CREATE', write, object: placed, old: undefined});
  if (admitted instanceof Refused) return admitted;
  if (write.isLarge) yield* endPiece(write.core.daemon);
  const owned = ownedWhenCreated(write, placed);
  const sent = {version: placed.metadata.resourceVersion, errors: sentOwnersErrors(write, placed)};
  const generated = !admitted.metadata.name && admitted.metadata.generateName !== undefined;
  for (let tries = 1; ; tries++) {
    const result = yield* tryOnce(write, complete(write, admitted, owned), sent);
    const taken = result instanceof Refused && result.status.reason === 'AlreadyExists';
    if (!taken || !generated || tries >= NAME_TRIES) return result;
  }
}

/** What the client sent that is no part of a new object. */
interface Sent {
  readonly version: string | undefined;
  /** What is wrong with the owners of fields. */
  readonly errors: readonly FieldError[];
}

function* tryOnce(write: Write, named: AnyObject, sent: Sent): Task<AnyObject | Refused> {
  const {served} = write;
  const {strategy} = served;
  const prepared = strategy.create ? strategy.create(named, write) : named;
  if (prepared instanceof Refused) return prepared;
  for (let tries = 1; ; tries++) {
    const object = strategy.allocate ? strategy.allocate(prepared, undefined, write) : prepared;
    if (object instanceof Refused) return object;
    if (write.isLarge) yield* endPiece(write.core.daemon);
    const errors = [...validateNew(served, object), ...sent.errors];
    if (write.isLarge) yield* endPiece(write.core.daemon);
    if (errors.length > 0) return refuse(invalidObject(served.facts, object.metadata.name, errors));
    if (tries === 1) warn(write, warningsOf(qualifiedResource(served.facts), object));
    const refused = yield* admitValidating({operation: 'CREATE', write, object, old: undefined});
    if (write.isLarge) yield* endPiece(write.core.daemon);
    const result = refused ?? (yield* store(write, object, sent.version));
    // Another server took an address that this one chose: the next one, then.
    if (result !== 'taken') return result;
    if (tries >= ADDRESS_TRIES) return refuse(conflict(served.facts, object.metadata.name));
  }
}

/** A new object has no version yet; the store says so, where it is asked to store one. */
function* store(write: Write, object: AnyObject, version: string | undefined): Task<AnyObject | Refused | 'taken'> {
  const {served, dryRun} = write;
  if (dryRun) {
    const there = served.cache.get(cacheKey(served, object.metadata.namespace ?? '', object.metadata.name));
    if (there) return nameTaken(write, there);
  } else if (typeof meantVersion(version) === 'string') {
    return refuse(plainError('resourceVersion should not be set on objects to be created'));
  }
  const also = served.strategy.also?.(object, undefined, write) ?? [];
  const committed = yield* commit(write, object, {revision: 0, also});
  if (committed instanceof Refused) return committed;
  if ('done' in committed) return committed.done;
  if ('taken' in committed) return 'taken';
  return committed.lost.object ? nameTaken(write, committed.lost.object) : refuse(conflict(served.facts, object.metadata.name));
}

function nameTaken(write: Write, there: AnyObject): Refused {
  const {facts} = write.served;
  const taken = alreadyExists(facts, there.metadata.name);
  if (there.metadata.deletionTimestamp === undefined) return refuse(taken);
  return refuse(
    failure(409, 'AlreadyExists', {
      message: `object is being deleted: ${taken.message}`,
      ...(taken.details ? {details: taken.details} : {}),
    }),
  );
}

/** Puts an object into the namespace of the path. */
export function inNamespace(write: Write, object: AnyObject): AnyObject | Refused {
  const {namespaced} = write.served.facts;
  const wanted = namespaced ? write.info.namespace : '';
  const {namespace, ...metadata} = object.metadata;
  if ((namespace ?? '') === wanted) return namespace === '' ? {...object, metadata} : object;
  if (namespace !== undefined && namespace !== '') {
    if (!namespaced) return {...object, metadata};
    return refuse(badRequest('the namespace of the provided object does not match the namespace sent on the request'));
  }
  return {...object, metadata: {...object.metadata, namespace: wanted}};
}

/** Gives a new object its name, uid, time of creation and first generation, and takes away what only the server sets. */
function complete(write: Write, object: AnyObject, owned: readonly ManagedFieldsEntry[] | undefined): AnyObject {
  const {daemon, names} = write.core;
  const {strategy, hasStatus, prefix: place} = write.served;
  const {
    generateName,
    managedFields: _fields,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    selfLink: _link,
    generation: _generation,
    resourceVersion: _version,
    creationTimestamp: _created,
    uid: _uid,
    name: given,
    namespace,
    ...rest
  } = object.metadata;
  const name =
    given ||
    (generateName === undefined || generateName === ''
      ? ''
      : names.next(generateName.slice(0, MOST_PREFIX), `${place}${namespace ?? ''}`));
  const metadata = {
    name,
    ...(generateName ? {generateName} : {}),
    ...(namespace === undefined ? {} : {namespace}),
    uid: daemon.dice.uuid(),
    ...(strategy.generation ? {generation: 1} : {}),
    creationTimestamp: daemon.now(),
    ...rest,
    ...(owned ? {managedFields: owned} : {}),
  } as ObjectMeta;
  if (!hasStatus || strategy.keepsStatus) return {...object, metadata};
  const {status: _status, ...bare} = object;
  const status = emptyStatus(write.served.facts);
  return status === undefined ? {...bare, metadata} : {...bare, metadata, status};
}
