// The last step of each write: one transaction that holds only if the object is as it was read. The failure branch brings
// the newest state along, so a lost race costs one round and not two.
import type {AnyObject} from '../../../api/meta/object.ts';
import type {KeyValue, Operation, RangeAnswer} from '../../../api/wire/etcd.ts';
import type {Task} from '../../../sim/task.ts';
import {plainError} from '../../../api/meta/status.ts';
import {refuse, Refused} from '../http/refused.ts';
import {EtcdFailure} from '../store/connection.ts';
import {readRefused, writeRefused} from '../store/failures.ts';
import {stamped, unstamped} from '../store/stamp.ts';
import {cacheKey, keyFor, type Served} from './served.ts';
import type {Write} from './write.ts';

/** An object and the revision of its last change; no object when the key is free. */
export interface State {
  readonly object: AnyObject | undefined;
  readonly revision: number;
  /** It came from etcd just now, not from the cache. */
  readonly fresh: boolean;
}

/** What a transaction came to: done, lost to the state that is there now, or another key that it claimed is taken. */
export type Committed = {readonly done: AnyObject} | {readonly lost: State} | {readonly taken: string};

/** Another key that goes along in the same transaction: an address that a Service takes or gives back. */
export type Also =
  | {readonly kind: 'claim'; readonly key: string; readonly value: AnyObject}
  | {readonly kind: 'free'; readonly key: string};

/** An object as the cache has it, or from etcd when the cache has none. */
export function* currentState(write: Write, namespace: string, name: string): Task<State | Refused> {
  const cached = write.served.cache.get(cacheKey(write.served, namespace, name));
  if (cached) return {object: cached, revision: Number(cached.metadata.resourceVersion), fresh: false};
  return yield* freshState(write, namespace, name);
}

/** An object as etcd has it. */
export function* freshState(write: Pick<Write, 'core' | 'served'>, namespace: string, name: string): Task<State | Refused> {
  const key = keyFor(write.served, namespace, name);
  const answer = yield* write.core.etcd.range({kind: 'range', key});
  if (answer instanceof EtcdFailure) return readRefused(answer);
  return stateOf(write.served, answer.kvs[0]);
}

function stateOf(served: Served, kv: KeyValue | undefined): State {
  return kv
    ? {object: objectOf(served, kv), revision: kv.modRevision, fresh: true}
    : {object: undefined, revision: 0, fresh: true};
}

/** The object of a key, the cache's own where that is as new. */
export function objectOf(served: Served, kv: KeyValue): AnyObject {
  const cached = served.cache.get(kv.key.slice(served.prefix.length));
  if (cached && cached.metadata.resourceVersion === String(kv.modRevision)) return cached;
  return stamped(kv.value as AnyObject, kv.modRevision);
}

/** Stores an object if its key is still at `revision` (0: free). */
export function* commit(
  write: Write,
  object: AnyObject,
  options: {revision: number; also?: readonly Also[]},
): Task<Committed | Refused> {
  const {converter} = write.served;
  const kept = converter ? yield* converter.store(object) : object;
  if (kept instanceof Refused) return kept;
  const value = unstamped(kept);
  const {name, namespace = ''} = value.metadata;
  write.note(name);
  const {revision, also = NOTHING} = options;
  if (write.dryRun) return {done: revision === 0 ? value : stamped(value, revision)};
  if (write.served.facts.custom && weight(value) > MOST_REQUEST) return refuse(plainError('etcdserver: request is too large'));
  const key = keyFor(write.served, namespace, name);
  // Events go by themselves; each write gives one its hour again.
  const lease = write.served.prefix === EVENTS ? yield* write.core.eventLeases.current() : 0;
  if (lease instanceof EtcdFailure) return writeRefused(lease);
  const put = lease === 0 ? {kind: 'put' as const, key, value} : {kind: 'put' as const, key, value, lease};
  const answer = yield* transact(write, {key, revision, then: put, also});
  if (answer instanceof Refused || !('revision' in answer)) return answer;
  return {done: stamped(value, answer.revision)};
}

/** What etcd takes in one request. Built-in kinds that may be large have limits of their own below it, so only custom ones are weighed. */
const MOST_REQUEST = 1.5 * 1024 * 1024;

function weight({metadata, ...rest}: AnyObject): number {
  const {managedFields: _owners, ...own} = metadata;
  return JSON.stringify({...rest, metadata: own}).length;
}

const NOTHING: readonly Also[] = [];
const EVENTS = '/registry/events/';

/** Deletes an object if its key is still at `revision`. */
export function* erase(
  write: Write,
  object: AnyObject,
  options: {revision: number; also?: readonly Also[]},
): Task<Committed | Refused> {
  const {name, namespace = ''} = object.metadata;
  write.note(name);
  if (write.dryRun) return {done: object};
  const key = keyFor(write.served, namespace, name);
  const answer = yield* transact(write, {
    key,
    revision: options.revision,
    then: {kind: 'delete', key},
    also: options.also ?? NOTHING,
  });
  if (answer instanceof Refused || !('revision' in answer)) return answer;
  return {done: object};
}

interface Plan {
  readonly key: string;
  readonly revision: number;
  readonly then: Operation;
  readonly also: readonly Also[];
}

function* transact(write: Write, plan: Plan): Task<{revision: number} | {lost: State} | {taken: string} | Refused> {
  const {key, revision, then, also} = plan;
  const claims = also.filter(each => each.kind === 'claim');
  const answer = yield* write.core.etcd.transact({
    kind: 'txn',
    compare: [
      {key, target: 'mod', is: '=', value: revision},
      ...claims.map(each => ({key: each.key, target: 'mod' as const, is: '=' as const, value: 0})),
    ],
    success: [
      then,
      ...also.map((each): Operation =>
        each.kind === 'claim' ? {kind: 'put', key: each.key, value: each.value} : {kind: 'delete', key: each.key},
      ),
    ],
    failure: [{kind: 'range', key}],
  });
  if (answer instanceof EtcdFailure) return writeRefused(answer);
  if (answer.succeeded) return {revision: answer.header.revision};
  const state = stateOf(write.served, (answer.answers[0] as RangeAnswer | undefined)?.kvs[0]);
  const [claim] = claims;
  // The object is as it was read, so it was the claim that failed.
  if (claim && state.revision === revision) return {taken: claim.key};
  return {lost: state};
}
