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
import type {Index, Informer} from '../../../client/informer.ts';
import {get, patch, remove} from '../../../client/verbs.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {sendAll} from '../send-all.ts';
import {Graph, ownersOf, type Item, type OwnerChange} from './graph.ts';
import {blocks, FOREGROUND, isOrphaning, isWaiting, ORPHAN, planObject, type References} from './plan.ts';

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

const NO_INDEX: Index<KubeObject> = {of: () => new Map()};

class Collector {
  readonly #context: Context;
  readonly #graph = new Graph();
  readonly #items = new Map<string, Item>();
  readonly #absent = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #uids = new Map<string, Index<KubeObject>>();
  readonly #stores = new Map<string, Informer<KubeObject>>();
  #listening = false;

  constructor(context: Context) {
    this.#context = context;
    this.#queue = context.queue({reconcile: uid => this.#look(uid), workers: 20});
  }

  /** Begins when every informer has its first list, or most after half a minute. */
  start(): void {
    const {informers, daemon, kinds} = this.#context;
    for (const resource of kinds.all)
      if (isWatched(resource)) this.#stores.set(nameOf(resource), informers.of<KubeObject>(resource));
    let left = this.#stores.size;
    const timer = daemon.scope.after(SYNC_WITHIN_MS, () => this.#listen());
    for (const informer of this.#stores.values()) {
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
    const {kinds, informers} = this.#context;
    for (const resource of kinds.all) if (this.#stores.has(nameOf(resource))) this.#hear(resource);
    // A kind that is defined later joins the graph.
    kinds.onChange(() => {
      for (const resource of kinds.custom) {
        if (this.#stores.has(nameOf(resource))) continue;
        this.#stores.set(nameOf(resource), informers.of<KubeObject>(resource));
        this.#hear(resource);
      }
    });
  }

  #hear(resource: ResourceFacts): void {
    this.#stores
      .get(nameOf(resource))
      ?.on({
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
      const owner = this.#ownerOf(item, reference);
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
    const object = item && this.#objectOf(item);
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

  #objectOf({uid, resource, key}: Item): KubeObject | undefined {
    const object = this.#stores.get(nameOf(resource))?.get(key);
    return object?.metadata.uid === uid ? object : undefined;
  }

  /** The object in the owner's place: in the dependent's namespace, or in none. */
  #ownerOf(item: Item, reference: OwnerReference): KubeObject | undefined {
    const resource = this.#context.kinds.ofKind(reference.apiVersion, reference.kind);
    if (!resource) return undefined;
    const store = this.#stores.get(nameOf(resource));
    return store?.get(ownerKey(item, resource, reference));
  }

  #reportMisplaced(item: Item, reference: OwnerReference): void {
    const resource = this.#context.kinds.ofKind(reference.apiVersion, reference.kind);
    const object = this.#objectOf(item);
    const {namespace} = splitKey(item.key);
    if (!resource?.namespaced || !object || namespace === undefined) return;
    if (!this.#uidsOf(nameOf(resource)).of(reference.uid).size) return;
    const text = `[${reference.apiVersion}/${reference.kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${reference.uid}]`;
    const message = `ownerRef ${text} does not exist in namespace "${namespace}"`;
    this.#context.recorder.record(object, {type: 'Warning', reason: 'OwnerRefInvalidNamespace', message});
  }

  /** A kind's objects by uid; kept from the first time on that somebody names an owner in the wrong place. */
  #uidsOf(name: string): Index<KubeObject> {
    const known = this.#uids.get(name) ?? this.#stores.get(name)?.index(object => [object.metadata.uid]) ?? NO_INDEX;
    this.#uids.set(name, known);
    return known;
  }

  *#look(uid: string): Task<Outcome> {
    const item = this.#items.get(uid);
    const object = item && this.#objectOf(item);
    if (!item || !object) return undefined;
    if (isOrphaning(object)) return yield* this.#setFree(item, object);
    if (isWaiting(object)) return yield* this.#release(item, object);
    if (object.metadata.deletionTimestamp !== undefined || ownersOf(object).length === 0) return undefined;
    const references = yield* this.#classify(item, object);
    if (!references) return 'again';
    const dependents = this.#graph.dependents(uid).flatMap(each => this.#objectOf(each) ?? []);
    const action = planObject(object, references, dependents);
    if (action.what === 'keep') return undefined;
    if (action.what === 'detach') return yield* this.#detach(item, object, action.uids);
    if (action.unblock) yield* this.#unblock(item, object);
    const {resourceVersion} = object.metadata;
    const options = {propagationPolicy: action.policy, preconditions: {uid, resourceVersion}};
    const result = yield* this.#context.client.ask(remove(item.resource, splitKey(item.key), options));
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
    const known = this.#ownerOf(item, reference);
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
    const result = yield* this.#context.client.ask(this.#withoutOwners(item, object, uids));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }

  /** Custom resources take no strategic patch: theirs names the owners that stay. */
  #withoutOwners(item: Item, object: KubeObject | undefined, uids: readonly string[]): Request {
    if (object && this.#context.kinds.isCustom(item.resource))
      return this.#ownersOfCustom(
        item,
        object,
        ownersOf(object).filter(each => !uids.includes(each.uid)),
      );
    const body = {metadata: {uid: item.uid, ownerReferences: uids.map(uid => ({$patch: 'delete', uid}))}};
    return patch(item.resource, splitKey(item.key), 'strategic', body);
  }

  #ownersOfCustom(item: Item, {metadata}: KubeObject, ownerReferences: readonly OwnerReference[]): Request {
    const body = {metadata: {uid: item.uid, resourceVersion: metadata.resourceVersion, ownerReferences}};
    return patch(item.resource, splitKey(item.key), 'merge', body);
  }

  /** Lets an object no longer hold up its owners. */
  *#unblock(item: Item, object: KubeObject): Task {
    const free = ownersOf(object).filter(each => each.blockOwnerDeletion);
    const ownerReferences = free.map(({uid}) => ({uid, blockOwnerDeletion: false}));
    const body = {metadata: {uid: object.metadata.uid, ownerReferences}};
    const request = this.#context.kinds.isCustom(item.resource)
      ? this.#ownersOfCustom(
          item,
          object,
          ownersOf(object).map(each => (each.blockOwnerDeletion ? {...each, blockOwnerDeletion: false} : each)),
        )
      : patch(item.resource, splitKey(item.key), 'strategic', body);
    yield* this.#context.client.ask(request);
  }

  /** An owner that waits goes when no dependent holds it up any more. */
  *#release(item: Item, object: KubeObject): Task<Outcome> {
    const blocking = this.#graph.dependents(item.uid).filter(each => {
      const dependent = this.#objectOf(each);
      return dependent !== undefined && blocks(dependent, item.uid);
    });
    if (blocking.length === 0) return yield* this.#removeFinalizer(item, object, FOREGROUND);
    for (const each of blocking) {
      const dependent = this.#objectOf(each);
      if (dependent?.metadata.deletionTimestamp === undefined) this.#queue.add(each.uid);
    }
    return undefined;
  }

  /** Takes the owner's reference off all its dependents, then lets it go. */
  *#setFree(item: Item, object: KubeObject): Task<Outcome> {
    const requests = this.#graph.dependents(item.uid).map(each => this.#withoutOwners(each, this.#objectOf(each), [item.uid]));
    const results = yield* sendAll<KubeObject>(this.#context.client, requests);
    if (results.some(result => !result.ok && result.status.code !== 404 && result.status.code !== 422)) return 'again';
    return yield* this.#removeFinalizer(item, object, ORPHAN);
  }

  *#removeFinalizer(item: Item, object: KubeObject, name: string): Task<Outcome> {
    const {uid, resourceVersion, finalizers = []} = object.metadata;
    const rest = finalizers.filter(each => each !== name);
    const body = {metadata: {uid, resourceVersion, finalizers: rest}};
    const result = yield* this.#context.client.ask(patch(item.resource, splitKey(item.key), 'merge', body));
    return result.ok || result.status.code === 404 ? undefined : 'again';
  }
}

function nameOf({group, resource}: ResourceFacts): string {
  return `${group}/${resource}`;
}

function ownerKey(item: Item, resource: ResourceFacts, {name}: OwnerReference): string {
  const {namespace} = splitKey(item.key);
  return resource.namespaced && namespace !== undefined ? `${namespace}/${name}` : name;
}
