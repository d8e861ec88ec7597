// Deleting. An object goes at once when nothing holds it. Otherwise it is marked: with a time by which it should be finished (pods,
// whose kubelet ends them and then deletes them for good with a grace of 0), or with finalizers left, each of which somebody
// takes away when his part is done; the update that takes away the last one removes the object.
import type {DeleteOptions, ObjectMeta} from '../../../api/kinds/meta.ts';
import {parseTime, formatTime} from '../../../api/meta/time.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {conflict, failure, notFound} from '../../../api/meta/status.ts';
import type {Task} from '../../../sim/task.ts';
import {admitValidating} from '../admission/chain.ts';
import {refuse, Refused} from '../http/refused.ts';
import {commit, currentState, erase, freshState, type Committed, type State} from './commit.ts';
import type {Write} from './write.ts';

/** What a delete came to. */
export interface Removed {
  readonly object: AnyObject;
  /** False while a grace period or finalizers hold it. */
  readonly gone: boolean;
}

const TRIES = 100;
const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Deletes an object, or marks it. */
export function* removeObject(
  write: Write,
  place: {namespace: string; name: string},
  options: DeleteOptions,
): Task<Removed | Refused> {
  const {namespace, name} = place;
  let state = yield* currentState(write, namespace, name);
  let admitted = false;
  for (let tries = 0; tries < TRIES; tries++) {
    if (state instanceof Refused) return state;
    const {object} = state;
    const problem: Refused | undefined = object
      ? checkPreconditions(write, object, options)
      : refuse(notFound(write.served.facts, name));
    if (problem || !object) {
      const fresh: State | Refused = state.fresh ? state : yield* freshState(write, namespace, name);
      if (fresh instanceof Refused) return fresh;
      if (fresh.revision === state.revision) return problem ?? refuse(notFound(write.served.facts, name));
      state = fresh;
      continue;
    }
    if (!admitted) {
      const refused = yield* admitValidating({operation: 'DELETE', write, object: undefined, old: object});
      if (refused) return refused;
      admitted = true;
    }
    const marked = mark(write, object, options);
    if (marked === object) {
      write.note(name);
      return {object, gone: false};
    }
    const committed: Committed | Refused = marked
      ? yield* commit(write, marked, {revision: state.revision})
      : yield* erase(write, object, {
          revision: state.revision,
          also: write.served.strategy.also?.(undefined, object, write) ?? [],
        });
    if (committed instanceof Refused) return committed;
    if ('done' in committed) {
      return {object: committed.done, gone: !marked};
    }
    if ('lost' in committed) state = committed.lost;
  }
  return refuse(conflict(write.served.facts, name));
}

function checkPreconditions(write: Write, object: AnyObject, options: DeleteOptions): Refused | undefined {
  const {uid, resourceVersion} = options.preconditions ?? {};
  const {facts} = write.served;
  const {name} = object.metadata;
  const fail = (why: string): Refused =>
    refuse(
      failure(409, 'Conflict', {
        message: `Operation cannot be fulfilled on ${facts.kind}${facts.group === '' ? '' : `.${facts.group}`} ${JSON.stringify(name)}: ${why}`,
        details: {name, ...(facts.group === '' ? {} : {group: facts.group}), kind: facts.kind},
      }),
    );
  if (uid !== undefined && uid !== object.metadata.uid) {
    return fail(
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    return fail(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion}). The object might have been modified`,
    );
  }
  return undefined;
}

/** The marked object; the same one when it is marked already; undefined when it can go at once. */
function mark(write: Write, object: AnyObject, options: DeleteOptions): AnyObject | undefined {
  const {strategy} = write.served;
  const finalizers = finalizersFor(object, options);
  const grace = strategy.grace?.(object, options);
  const held = finalizers.length > 0 || (strategy.isHeld?.(object) ?? false);
  const {metadata} = object;
  const waits = grace !== undefined && grace > 0;
  if (metadata.deletionTimestamp !== undefined) return remark(object, {finalizers, grace: grace ?? 0, held, waits});
  if (!waits && !held) return undefined;
  const seconds = waits ? grace : 0;
  const marked = {
    ...object,
    metadata: {
      ...withFinalizers(metadata, finalizers),
      deletionTimestamp: formatTime(write.core.daemon.wall() + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
      ...(metadata.generation === undefined ? {} : {generation: metadata.generation + 1}),
    },
  };
  return strategy.markDeleted ? strategy.markDeleted(marked) : marked;
}

/** A second delete can only shorten what the first one granted. */
function remark(
  object: AnyObject,
  wish: {finalizers: readonly string[]; grace: number; held: boolean; waits: boolean},
): AnyObject | undefined {
  const {metadata} = object;
  const granted = metadata.deletionGracePeriodSeconds ?? 0;
  if (!wish.held && (!wish.waits || granted === 0)) return undefined;
  const base = withFinalizers(metadata, wish.finalizers);
  if (wish.grace >= granted) return base === metadata ? object : {...object, metadata: base};
  const until = (parseTime(metadata.deletionTimestamp) ?? 0) - (granted - wish.grace) * 1000;
  return {...object, metadata: {...base, deletionTimestamp: formatTime(until), deletionGracePeriodSeconds: wish.grace}};
}

/** How the object's dependents are to be treated is written down as a finalizer, for the garbage collector to carry out. */
function finalizersFor(object: AnyObject, options: DeleteOptions): readonly string[] {
  const present = object.metadata.finalizers ?? [];
  const policy =
    options.propagationPolicy ??
    (options.orphanDependents === undefined ? undefined : options.orphanDependents ? 'Orphan' : 'Background');
  if (policy === undefined) return present;
  const others = present.filter(each => each !== ORPHAN && each !== FOREGROUND);
  const wanted = policy === 'Orphan' ? [...others, ORPHAN] : policy === 'Foreground' ? [...others, FOREGROUND] : others;
  return wanted.length === present.length && wanted.every((each, index) => each === present[index]) ? present : wanted;
}

function withFinalizers(metadata: ObjectMeta, finalizers: readonly string[]): ObjectMeta {
  if (finalizers === metadata.finalizers || (finalizers.length === 0 && metadata.finalizers === undefined)) return metadata;
  const {finalizers: _old, ...rest} = metadata;
  return finalizers.length === 0 ? rest : {...rest, finalizers};
}
