// The garbage collector. It hears of every object of every kind that can be deleted, keeps the graph of owners, and looks at an
// object when one of its owners went, waits, or cannot be found.
//
// It uses the informers that the other controllers use; for all other kinds it has its own, which cost nothing while nothing of
// that kind changes. What an informer knows is believed; an owner that none knows is asked for, once: that it is absent is
// remembered. Events are left out, as they own nothing and are too many.
//
// Kinds that are defined later join the graph. Not modelled: that a kind leaves it when its definition goes.
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import {keyOf, splitKey, type KubeObject} from '../../../api/meta/object.ts';
import type {ResourceFacts} from '../../../api/meta/resources.ts';
import type {Informer} from '../../../client/informer.ts';
import {get, remove} from '../../../client/verbs.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {sendAll} from '../send-all.ts';
import {Graph, ownersOf, type Item, type OwnerChange} from './graph.ts';
import {blocks, FOREGROUND, isOrphaning, isWaiting, ORPHAN, planObject, type References} from './plan.ts';
import {unblocking, withoutFinalizer, withoutOwners} from './requests.ts';
import {ownerKey, Stores} from './stores.ts';

/** Collects what nobody owns any more. */
export const garbageCollector: Controller = {
  name: 'garbage-collector-controller',
  account: 'generic-garbage-collector',
  start: context => {
    const collector = new Collector(context);
    context.whenSynced(() => collector.start());
  },
};

/** Is a resource part of the graph? */
function isWatched({resource, verbs}: ResourceFacts): boolean {
  return resource !== 'events' && ['list', 'watch', 'delete'].every(verb => verbs.includes(verb));
}

const SYNC_WITHIN_MS = 30_000;
const ABSENT_KNOWN = 2000;

class Collector {
  readonly #context: Context;
  readonly #graph = new Graph();
  readonly #items = new Map<string, Item>();
  readonly #absent = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #stores: Stores;
  #listening = false;

  constructor(context: Context) {
    this.#context = context;
    this.#stores = new Stores(context);
    this.#queue = context.queue({reconcile: uid => this.#look(uid), workers: 20});
  }

  /** Begins when every informer has its first list, or most after half a minute. */
  start(): void {
    const {daemon, kinds} = this.#context;
    for (const resource of kinds.all) if (isWatched(resource)) this.#stores.add(resource);
    let left = this.#stores.all.length;
    const timer = daemon.scope.after(SYNC_WITHIN_MS, () => this.#listen());
    for (const informer of this.#stores.all) {
      informer.onSynced(() => {
        if (--left > 0) return;
        if (timer.run) this.#listen();
        daemon.clock.cancel(timer);
      });
    }
  }

  #listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    const {kinds} = this.#context;
    for (const resource of kinds.all) this.#hear(resource, this.#stores.get(resource));
    // A kind that is defined later joins the graph.
    kinds.onChange(() => {
      for (const resource of kinds.custom) if (!this.#stores.get(resource)) this.#hear(resource, this.#stores.add(resource));
    });
  }

  #hear(resource: ResourceFacts, informer: Informer<KubeObject> | undefined): void {
    informer?.on({
      added: object => this.#put(resource, object, undefined),
      updated: (object, old) => this.#put(resource, object, old),
      deleted: object => this.#gone(resource, object),
    });
  }

  #put(resource: ResourceFacts, object: KubeObject, old: KubeObject | undefined): void {
    const same = old?.metadata.uid === object.metadata.uid ? old : undefined;
    if (old && !same) this.#gone(resource, old);
    const {metadata} = object;
    const plain = same && metadata.ownerReferences === same.metadata.ownerReferences;
    if (
      plain &&
      metadata.deletionTimestamp === same.metadata.deletionTimestamp &&
      metadata.finalizers === same.metadata.finalizers
    )
      return;
    const item: Item = {uid: metadata.uid, resource, key: keyOf(object)};
    const change = this.#graph.put(item, object, same);
    if (change.added.length > 0) this.#added(item, change);
    for (const {uid} of change.unblocked) this.#wakeWaiting(uid);
    if (metadata.deletionTimestamp !== undefined) this.#ending(item, object, same);
  }

  /** References to owners that are not where they are said to be are looked into. */
  #added(item: Item, {added}: OwnerChange): void {
    this.#items.set(item.uid, item);
    for (const reference of added) {
      const owner = this.#stores.ownerOf(item, reference);
      if (owner?.metadata.uid === reference.uid) continue;
      this.#reportMisplaced(item, reference);
      this.#queue.add(item.uid);
    }
  }

  #ending(item: Item, object: KubeObject, old: KubeObject | undefined): void {
    const orphaning = isOrphaning(object) && !(old && isOrphaning(old));
    const waiting = isWaiting(object) && !(old && isWaiting(old));
    if (!orphaning && !waiting) return;
    this.#items.set(item.uid, item);
    if (waiting) for (const dependent of this.#graph.dependents(item.uid)) this.#queue.add(dependent.uid);
    this.#queue.add(item.uid);
  }

  #gone(resource: ResourceFacts, object: KubeObject): void {
    const {uid} = object.metadata;
    const item: Item = {uid, resource, key: keyOf(object)};
    this.#graph.drop(item, object);
    this.#items.delete(uid);
    for (const owner of ownersOf(object)) this.#wakeWaiting(owner.uid);
    if (!this.#graph.hasDependents(uid)) return;
    this.#remember(uid);
    for (const dependent of this.#graph.dependents(uid)) this.#queue.add(dependent.uid);
  }

  /** An owner that waits for its dependents may have waited for this. */
  #wakeWaiting(uid: string): void {
    const item = this.#items.get(uid);
    const object = item && this.#stores.objectOf(item);
    if (object && isWaiting(object)) this.#queue.add(uid);
  }

  #remember(uid: string): void {
    this.#absent.add(uid);
    if (this.#absent.size <= ABSENT_KNOWN) return;
    for (const oldest of this.#absent) {
      this.#absent.delete(oldest);
      return;
    }
  }

  #reportMisplaced(item: Item, reference: OwnerReference): void {
    const resource = this.#context.kinds.ofKind(reference.apiVersion, reference.kind);
    const object = this.#stores.objectOf(item);
    const {namespace} = splitKey(item.key);
    if (!resource?.namespaced || !object || namespace === undefined) return;
    if (!this.#stores.isAnywhere(resource, reference.uid)) return;
    const text = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
    const message = `ownerRef ${text} does not exist in namespace "${namespace}"`;
    this.#context.recorder.record(object, {type: 'Warning', reason: 'OwnerRefInvalidNamespace', message});
  }

  *#look(uid: string): Task<Outcome> {
    const item = this.#items.get(uid);
    const object = item && this.#stores.objectOf(item);
    if (!item || !object) return undefined;
    if (isOrphaning(object)) return yield* this.#setFree(item, object);
    if (isWaiting(object)) return yield* this.#release(item, object);
    if (object.metadata.deletionTimestamp !== undefined || ownersOf(object).length === 0) return undefined;
    const references = yield* this.#classify(item, object);
    if (!references) return 'again';
    const dependents = this.#graph.dependents(uid).flatMap(each => this.#stores.objectOf(each) ?? []);
    const action = planObject(object, references, dependents);
    if (action.what === 'keep') return undefined;
    if (action.what === 'detach') return yield* this.#detach(item, object, action.uids);
    const isCustom = this.#context.kinds.isCustom(item.resource);
    if (action.unblock) yield* this.#context.client.ask(unblocking(item, object, isCustom));
    const {resourceVersion} = object.metadata;
    const options = {propagationPolicy: action.policy, preconditions: {uid, resourceVersion}};
    return yield* this.#ask(remove(item.resource, splitKey(item.key), options));
  }

  /** What is not there any more needs nothing. */
  *#ask(request: Request): Task<Outcome> {
    const result = yield* this.#context.client.ask(request);
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** What became of each owner; undefined when one could not be asked for. */
  *#classify(item: Item, object: KubeObject): Task<References | undefined> {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of ownersOf(object)) {
      const owner = yield* this.#find(item, reference);
      if (owner === 'unknown') return undefined;
      if (owner === 'absent') dangling.push(reference);
      else if (isWaiting(owner)) waiting.push(reference);
      else solid.push(reference);
    }
    return {solid, dangling, waiting};
  }

  *#find(item: Item, reference: OwnerReference): Task<KubeObject | 'absent' | 'unknown'> {
    const resource = this.#context.kinds.ofKind(reference.apiVersion, reference.kind);
    if (!resource) return 'unknown';
    const missing = `${splitKey(item.key).namespace}/${reference.uid}`;
    if (this.#absent.has(reference.uid) || this.#absent.has(missing)) return 'absent';
    const known = this.#stores.ownerOf(item, reference);
    if (known?.metadata.uid === reference.uid) return known;
    const result = yield* this.#context.client.ask<KubeObject>(get(resource, splitKey(ownerKey(item, resource, reference))));
    if (result.ok && result.value.metadata.uid === reference.uid) return result.value;
    if (!result.ok && result.status.code !== 404) return 'unknown';
    // In another namespace it may well be there.
    this.#remember(missing);
    return 'absent';
  }

  /** Takes references off an object. */
  *#detach(item: Item, object: KubeObject, uids: readonly string[]): Task<Outcome> {
    return yield* this.#ask(this.#withoutOwners(item, object, uids));
  }

  #withoutOwners(item: Item, object: KubeObject | undefined, uids: readonly string[]): Request {
    return withoutOwners(item, this.#context.kinds.isCustom(item.resource) ? object : undefined, uids);
  }

  /** An owner that waits goes when no dependent holds it up any more. */
  *#release(item: Item, object: KubeObject): Task<Outcome> {
    const blocking = this.#graph.dependents(item.uid).filter(each => {
      const dependent = this.#stores.objectOf(each);
      return dependent !== undefined && blocks(dependent, item.uid);
    });
    if (blocking.length === 0) return yield* this.#ask(withoutFinalizer(item, object, FOREGROUND));
    for (const each of blocking) {
      const dependent = this.#stores.objectOf(each);
      if (dependent?.metadata.deletionTimestamp === undefined) this.#queue.add(each.uid);
    }
    return undefined;
  }

  /** Takes the owner's reference off all its dependents, then lets it go. */
  *#setFree(item: Item, object: KubeObject): Task<Outcome> {
    const requests = this.#graph
      .dependents(item.uid)
      .map(each => this.#withoutOwners(each, this.#stores.objectOf(each), [item.uid]));
    const results = yield* sendAll<KubeObject>(this.#context.client, requests);
    if (results.some(result => !result.ok && result.status.code !== 404 && result.status.code !== 422)) return 'again';
    return yield* this.#ask(withoutFinalizer(item, object, ORPHAN));
  }
}
