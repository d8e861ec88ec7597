// A small API server for tests: objects in a map, watches, and as much of the server's manners as controllers rely on:
// conflicts, generated names, generations, statuses apart from specs, finalizers, grace periods. No defaults, no validation, no
// admission, no access control.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {keyOf, type AnyObject} from '../../../api/meta/object.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import {RESOURCES, type ResourceFacts} from '../../../api/meta/resources.ts';
import {alreadyExists, conflict, forbidden, notFound, noSuchResource} from '../../../api/meta/status.ts';
import type {Answer, Request, WatchEvent} from '../../../api/wire/http.ts';
import {Clock} from '../../../sim/clock.ts';
import {Daemon} from '../../../sim/daemon.ts';
import {Dice} from '../../../sim/dice.ts';
import type {Receiver} from '../../../sim/network.ts';
import {Trace} from '../../../sim/trace.ts';

interface Target {
  readonly facts: ResourceFacts;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

interface Watcher {
  readonly facts: ResourceFacts;
  readonly namespace: string | undefined;
  readonly receiver: Receiver;
}

type Body = Record<string, unknown>;

const LATENCY_MS = 0.2;
const START = Date.UTC(2026, 10, 30, 4, 0, 0);

/** The server and a process that can dial it. */
export class FakeApi {
  readonly clock = new Clock();
  readonly dice = new Dice(7);
  readonly daemon: Daemon;
  /** Every write that was asked for: `create pods default/web-x`. */
  readonly writes: string[] = [];
  /** Answers a request instead of the server, where it gives something. */
  intercept: ((request: Request) => Answer | undefined) | undefined;
  readonly #objects = new Map<string, Map<string, AnyObject>>();
  readonly #watchers = new Set<Watcher>();
  #revision = 1;

  constructor() {
    const trace = new Trace(this.clock, 1000);
    this.daemon = new Daemon('kube-controller-manager', 1, {
      clock: this.clock,
      trace,
      dice: this.dice,
      host: 'cp-1',
      wall: () => START + this.clock.now,
      dial: (_host, _port, request, receiver) => this.#dial(request as Request, receiver),
      listen: () => undefined,
    });
  }

  /** Lets virtual time pass. */
  run(ms: number): void {
    const until = this.clock.now + ms;
    while (this.clock.next <= until) this.clock.step();
    this.clock.settle(until);
  }

  /** Sends a request as a user would; throws where it is refused. */
  send(request: Request): AnyObject {
    const answer = this.#serve(request);
    if (answer.status >= 400) throw new Error(JSON.stringify(answer.body));
    return answer.body as AnyObject;
  }

  /** Creates an object as a user would. */
  create(object: unknown): AnyObject {
    const {kind, apiVersion, metadata} = object as AnyObject;
    const facts = RESOURCES.find(
      each => each.kind === kind && (each.group ? `${each.group}/` : '') + each.version === apiVersion,
    );
    if (!facts) throw new Error(`no kind ${kind}`);
    return this.send({method: 'POST', path: path(facts, metadata.namespace), body: object});
  }

  /** All objects of a resource, by key. */
  all<T = AnyObject>(resource: string): readonly T[] {
    return [...this.#of(facts(resource)).values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) as T[];
  }

  /** One object. */
  get<T = AnyObject>(resource: string, key: string): T | undefined {
    return this.#of(facts(resource)).get(key) as T | undefined;
  }

  /** Changes an object behind all rules, as kubelets and users do. */
  patch(resource: string, key: string, change: (object: AnyObject) => AnyObject): void {
    const old = this.#of(facts(resource)).get(key);
    if (!old) throw new Error(`no ${resource} ${key}`);
    this.#store(facts(resource), change(old));
  }

  /** Deletes an object as a user would. */
  remove(resource: string, key: string, options: Body = {}): void {
    const [namespace, name] = key.includes('/') ? key.split('/') : [undefined, key];
    this.send({method: 'DELETE', path: path(facts(resource), namespace, name), body: options});
  }

  #dial(request: Request, receiver: Receiver) {
    let open = true;
    this.clock.after(LATENCY_MS, () => {
      if (!open) return;
      if (request.query?.['watch']) {
        this.#watch(request, receiver);
        return;
      }
      const answer = this.intercept?.(request) ?? this.#serve(request);
      this.clock.after(LATENCY_MS, () => open && receiver.answer(answer, false));
    });
    return {send: () => undefined, cancel: () => void (open = false)};
  }

  #watch(request: Request, receiver: Receiver): void {
    const target = this.#target(request.path);
    receiver.answer({status: 200}, true);
    if (target) this.#watchers.add({facts: target.facts, namespace: target.namespace, receiver});
  }

  #serve(request: Request): Answer {
    const target = this.#target(request.path);
    if (!target) return refused(noSuchResource());
    const {facts, namespace, name, subresource} = target;
    if (request.method !== 'GET') {
      const object = [namespace, name ?? metadataOf(request.body).name ?? metadataOf(request.body).generateName]
        .filter(Boolean)
        .join('/');
      this.writes.push([request.method, subresource ? `${facts.resource}/${subresource}` : facts.resource, object].join(' '));
    }
    if (request.method === 'POST') return this.#create(target, request.body as AnyObject);
    if (name === undefined) return request.method === 'DELETE' ? this.#removeAll(target) : this.#list(target);
    const old = this.#of(facts).get(namespace ? `${namespace}/${name}` : name);
    if (!old) return refused(notFound(facts, name));
    if (request.method === 'GET') return {status: 200, body: old};
    if (request.method === 'DELETE') return this.#remove(facts, old, (request.body ?? {}) as Body);
    const next = request.method === 'PUT' ? (request.body as AnyObject) : (merge(old, request.body) as AnyObject);
    if (next.metadata.resourceVersion !== old.metadata.resourceVersion) return refused(conflict(facts, name));
    return {status: 200, body: this.#store(facts, combine(old, next, subresource))};
  }

  #create({facts, namespace, subresource}: Target, body: AnyObject): Answer {
    if (subresource === 'token') return {status: 201, body: {...body, status: {token: 'token'}}};
    const name = body.metadata.name ?? `${body.metadata.generateName}${this.dice.suffix()}`;
    const key = namespace ? `${namespace}/${name}` : name;
    const home = namespace === undefined ? undefined : RESOURCES.find(each => each.resource === 'namespaces');
    if (home && this.#of(home).get(namespace ?? '')?.metadata.deletionTimestamp) return refused(ending(facts, name));
    if (this.#of(facts).has(key)) return refused(alreadyExists(facts, name));
    const metadata = {...body.metadata, name, uid: this.dice.uuid(), creationTimestamp: this.daemon.now(), generation: 1};
    const status = facts.resource === 'namespaces' ? {status: {phase: 'Active'}, spec: {finalizers: ['kubernetes']}} : {};
    const pending = facts.resource === 'pods' ? {status: {phase: 'Pending', ...(body.status as object)}} : {};
    return {status: 201, body: this.#store(facts, {...status, ...body, ...pending, metadata})};
  }

  #list({facts, namespace}: Target): Answer {
    const items = [...this.#of(facts).values()].filter(each => !namespace || each.metadata.namespace === namespace);
    return {status: 200, body: {metadata: {resourceVersion: String(this.#revision)}, items}};
  }

  #removeAll({facts, namespace}: Target): Answer {
    for (const object of this.#of(facts).values()) {
      if (!namespace || object.metadata.namespace === namespace) this.#remove(facts, object, {});
    }
    return {status: 200, body: {}};
  }

  #remove(facts: ResourceFacts, old: AnyObject, options: Body): Answer {
    const policy = options['propagationPolicy'];
    const extra = policy === 'Foreground' ? ['foregroundDeletion'] : policy === 'Orphan' ? ['orphan'] : [];
    const asked = new Set([
      ...(old.metadata.finalizers ?? []).filter(each => each !== 'orphan' && each !== 'foregroundDeletion'),
      ...extra,
    ]);
    const pod = old as unknown as Pod;
    const graceful =
      facts.resource === 'pods' && pod.spec.nodeName && options['gracePeriodSeconds'] !== 0 && pod.status?.phase !== 'Failed';
    const metadata = {
      ...old.metadata,
      deletionTimestamp: old.metadata.deletionTimestamp ?? this.daemon.now(),
      finalizers: [...asked],
    };
    const isNamespace = facts.resource === 'namespaces';
    if (asked.size > 0 || graceful || isNamespace) {
      const status = isNamespace ? {status: {phase: 'Terminating'}} : {};
      return {status: 200, body: this.#store(facts, {...old, ...status, metadata})};
    }
    this.#drop(facts, {...old, metadata});
    return {status: 200, body: old};
  }

  #store(facts: ResourceFacts, object: AnyObject): AnyObject {
    const key = keyOf(object);
    const old = this.#of(facts).get(key);
    const stamped = deepFreeze({
      ...object,
      metadata: {...object.metadata, resourceVersion: String(++this.#revision)},
    }) as AnyObject;
    const spec = stamped.spec as {finalizers?: unknown[]} | undefined;
    const graceful = facts.resource === 'pods' && (object as unknown as Pod).spec.nodeName;
    const holding =
      facts.resource === 'namespaces' ? (spec?.finalizers ?? []) : graceful ? [1] : (stamped.metadata.finalizers ?? []);
    if (stamped.metadata.deletionTimestamp && holding.length === 0) {
      this.#drop(facts, stamped);
      return stamped;
    }
    this.#of(facts).set(key, stamped);
    this.#tell(facts, {type: old ? 'MODIFIED' : 'ADDED', object: stamped});
    return stamped;
  }

  #drop(facts: ResourceFacts, last: AnyObject): void {
    this.#of(facts).delete(keyOf(last));
    const object = deepFreeze({...last, metadata: {...last.metadata, resourceVersion: String(++this.#revision)}});
    this.#tell(facts, {type: 'DELETED', object});
  }

  #tell(facts: ResourceFacts, event: WatchEvent<AnyObject>): void {
    for (const watcher of this.#watchers) {
      if (watcher.facts !== facts) continue;
      if (watcher.namespace && watcher.namespace !== event.object.metadata.namespace) continue;
      this.clock.after(LATENCY_MS, () => watcher.receiver.frame?.(event));
    }
  }

  #of(facts: ResourceFacts): Map<string, AnyObject> {
    const name = `${facts.group}/${facts.resource}`;
    const known = this.#objects.get(name) ?? new Map<string, AnyObject>();
    this.#objects.set(name, known);
    return known;
  }

  #target(text: string): Target | undefined {
    const parts = text.split('/').slice(1);
    const [group, rest] = parts[0] === 'api' ? ['', parts.slice(2)] : [parts[1], parts.slice(3)];
    const scoped = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize';
    const [resource, name, subresource] = scoped ? rest.slice(2) : rest;
    const facts = RESOURCES.find(each => each.group === group && each.resource === resource);
    return facts && {facts, namespace: scoped ? rest[1] : undefined, name, subresource};
  }
}

function facts(resource: string): ResourceFacts {
  const found = RESOURCES.find(each => each.resource === resource);
  if (!found) throw new Error(`no resource ${resource}`);
  return found;
}

function path(facts: ResourceFacts, namespace?: string, name?: string): string {
  const root = facts.group ? `/apis/${facts.group}/${facts.version}` : `/api/${facts.version}`;
  return [`${root}${namespace ? `/namespaces/${namespace}` : ''}/${facts.resource}`, name].filter(Boolean).join('/');
}

function metadataOf(body: unknown): {name?: string; generateName?: string} {
  return (body as Partial<AnyObject> | undefined)?.metadata ?? {};
}

function ending(facts: ResourceFacts, name: string) {
  const status = forbidden(facts, name, 'the namespace is being terminated');
  return {...status, details: {...status.details, causes: [{reason: 'NamespaceTerminating'}]}};
}

function refused(body: {readonly code: number}): Answer {
  return {status: body.code, body};
}

/** The part of an object that a request may write. */
function combine(old: AnyObject, next: AnyObject, subresource: string | undefined): AnyObject {
  if (subresource === 'status')
    return {...old, metadata: {...old.metadata, annotations: next.metadata.annotations}, status: next.status} as AnyObject;
  const changed = JSON.stringify(old.spec) !== JSON.stringify(next.spec);
  const generation = (old.metadata.generation ?? 1) + (changed ? 1 : 0);
  return {...next, status: old.status, metadata: {...next.metadata, generation}};
}

/** A strategic merge, as far as tests need it: lists of owners merge by uid, of conditions by type, all others are replaced. */
function merge(old: unknown, change: unknown, field = ''): unknown {
  const by = field === 'ownerReferences' ? 'uid' : field === 'conditions' ? 'type' : undefined;
  if (Array.isArray(change)) return by ? mergeList((old ?? []) as Body[], change as Body[], by) : change;
  if (typeof change !== 'object' || change === null) return change;
  const merged: Body = {...(old as Body)};
  for (const [key, value] of Object.entries(change)) {
    if (key.startsWith('$setElementOrder')) continue;
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value, key);
  }
  return merged;
}

function mergeList(old: readonly Body[], change: readonly Body[], by: string): Body[] {
  const merged = [...old];
  for (const each of change) {
    const at = merged.findIndex(known => known[by] === each[by]);
    if (each['$patch'] === 'delete') {
      if (at >= 0) merged.splice(at, 1);
    } else if (at >= 0) merged[at] = {...merged[at], ...each};
    else merged.push(each);
  }
  return merged;
}
