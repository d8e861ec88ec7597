// A small API server for tests: objects in a map, watches, and as much of the server's manners as controllers rely on:
// conflicts, generated names, generations, statuses apart from specs, finalizers, grace periods. No defaults, no validation, no
// admission, no access control.
import type {Pod, PodStatus} from '../../api/kinds/core-v1.ts';
import {keyOf, pathOf, splitKey, type AnyObject, type KubeObject} from '../../api/meta/object.ts';
import {builtin, type ResourceFacts} from '../../api/meta/resources.ts';
import {alreadyExists, conflict, forbidden, noSuchResource, notFound} from '../../api/meta/status.ts';
import type {Answer, Request} from '../../api/wire/http.ts';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import type {Receiver} from '../../sim/network.ts';
import {Trace} from '../../sim/trace.ts';
import {factsNamed, factsOf, Objects, patchedBy, placeOf, type Place} from './objects.ts';

type Body = Record<string, unknown>;

const LATENCY_MS = 0.2;
const START = Date.UTC(2026, 10, 30, 4, 0, 0);
const NAMESPACES = builtin('namespaces');

/** The server and a process that can dial it. */
export class FakeApi {
  readonly clock = new Clock();
  readonly trace = new Trace(this.clock);
  readonly dice = new Dice(7);
  readonly daemon: Daemon;
  /** Every write that was asked for: `create pods default/web-x`. */
  readonly writes: string[] = [];
  /** Answers a request instead of the server, where it gives something. */
  intercept: ((request: Request) => Answer | undefined) | undefined;
  readonly #objects = new Objects(1);
  readonly #luck = this.dice.of('server');

  /** The process is called `program`; the clock of its machine says `start` at first. */
  constructor(program: string, start = START) {
    this.daemon = new Daemon(program, 1, {
      clock: this.clock,
      trace: this.trace,
      dice: this.dice,
      host: 'cp-1',
      wall: () => start + this.clock.now,
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
    const {metadata} = object as AnyObject;
    return this.send({method: 'POST', path: pathOf(factsOf(object as AnyObject), metadata.namespace), body: object});
  }

  /** All objects of a resource, by key. */
  all<T = AnyObject>(resource: string): readonly T[] {
    return this.#objects.of(factsNamed(resource)).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) as unknown as readonly T[];
  }

  /** One object. */
  get<T = AnyObject>(resource: string, key: string): T | undefined {
    return this.#objects.get(factsNamed(resource), key) as T | undefined;
  }

  /** Stores an object as it is, behind all rules, as kubelets do. */
  put(object: KubeObject): void {
    this.#store(factsOf(object), object as AnyObject);
  }

  /** Changes an object behind all rules. */
  patch(resource: string, key: string, change: (object: AnyObject) => AnyObject): void {
    const facts = factsNamed(resource);
    this.#store(facts, change(this.#known(facts, key)));
  }

  /** Takes an object away at once. */
  drop(resource: string, key: string): void {
    const facts = factsNamed(resource);
    this.#objects.drop(facts, this.#known(facts, key));
  }

  /** Deletes an object as a user would. */
  remove(resource: string, key: string, options: Body = {}): void {
    const {namespace, name} = splitKey(key);
    this.send({method: 'DELETE', path: pathOf(factsNamed(resource), namespace, name), body: options});
  }

  #known(facts: ResourceFacts, key: string): AnyObject {
    const known = this.#objects.get(facts, key);
    if (!known) throw new Error(`no ${facts.resource} ${key}`);
    return known;
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
    const place = placeOf(request.path);
    receiver.answer({status: 200}, true);
    if (!place) return;
    this.#objects.watch(place.facts, event => {
      if (place.namespace && place.namespace !== event.object.metadata.namespace) return;
      this.clock.after(LATENCY_MS, () => receiver.frame?.(event));
    });
  }

  #serve(request: Request): Answer {
    const place = placeOf(request.path);
    if (!place) return refused(noSuchResource());
    const {facts, namespace, name, subresource} = place;
    if (request.method !== 'GET') {
      const object = [namespace, name ?? metadataOf(request.body).name ?? metadataOf(request.body).generateName]
        .filter(Boolean)
        .join('/');
      this.writes.push([request.method, subresource ? `${facts.resource}/${subresource}` : facts.resource, object].join(' '));
    }
    if (request.method === 'POST') return this.#create(place, request.body as AnyObject);
    if (name === undefined) return request.method === 'DELETE' ? this.#removeAll(place) : this.#list(place);
    const old = this.#objects.get(facts, namespace ? `${namespace}/${name}` : name);
    if (!old) return refused(notFound(facts, name));
    if (request.method === 'GET') return {status: 200, body: old};
    if (request.method === 'DELETE') return this.#remove(facts, old, (request.body ?? {}) as Body);
    const next = request.method === 'PUT' ? (request.body as AnyObject) : patched(old, request);
    if (next.metadata.resourceVersion !== old.metadata.resourceVersion) return refused(conflict(facts, name));
    return {status: 200, body: this.#store(facts, combine(old, next, subresource))};
  }

  #create({facts, namespace, name: given = '', subresource}: Place, body: AnyObject): Answer {
    if (subresource === 'token') return {status: 201, body: {...body, status: {token: 'token'}}};
    if (subresource === 'binding') return this.#bind(this.#known(facts, `${namespace}/${given}`), body);
    const name = body.metadata.name ?? `${body.metadata.generateName}${this.#luck.suffix()}`;
    const home = namespace === undefined ? undefined : this.#objects.get(NAMESPACES, namespace);
    if (home?.metadata.deletionTimestamp) return refused(ending(facts, name));
    if (this.#objects.get(facts, namespace ? `${namespace}/${name}` : name)) return refused(alreadyExists(facts, name));
    const metadata = {...body.metadata, name, uid: this.#luck.uuid(), creationTimestamp: this.daemon.now(), generation: 1};
    const status = facts === NAMESPACES ? {status: {phase: 'Active'}, spec: {finalizers: ['kubernetes']}} : {};
    const pending = facts.resource === 'pods' ? {status: {phase: 'Pending', ...(body.status as object)}} : {};
    return {status: 201, body: this.#store(facts, {...status, ...body, ...pending, metadata})};
  }

  #bind(pod: AnyObject, binding: AnyObject): Answer {
    const {nominatedNodeName: _, ...status} = (pod.status ?? {}) as PodStatus;
    const {name} = binding['target'] as {readonly name: string};
    const conditions = [{type: 'PodScheduled', status: 'True'}];
    this.put({...pod, spec: {...(pod.spec as object), nodeName: name}, status: {...status, conditions}} as AnyObject);
    return {status: 201, body: {kind: 'Status', status: 'Success'}};
  }

  #list({facts, namespace}: Place): Answer {
    const items = this.#objects.of(facts).filter(each => !namespace || each.metadata.namespace === namespace);
    return {status: 200, body: {metadata: {resourceVersion: String(this.#objects.revision)}, items}};
  }

  #removeAll({facts, namespace}: Place): Answer {
    for (const object of this.#objects.of(facts)) {
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
    const isNamespace = facts === NAMESPACES;
    if (asked.size > 0 || graceful || isNamespace) {
      const status = isNamespace ? {status: {phase: 'Terminating'}} : {};
      return {status: 200, body: this.#store(facts, {...old, ...status, metadata})};
    }
    this.#objects.drop(facts, {...old, metadata});
    return {status: 200, body: old};
  }

  /** Stores an object; one that is to go and that nobody holds any more goes. */
  #store(facts: ResourceFacts, object: AnyObject): AnyObject {
    const spec = object.spec as {readonly finalizers?: readonly unknown[]; readonly nodeName?: string} | undefined;
    const placed = facts.resource === 'pods' && spec?.nodeName;
    const holding = facts === NAMESPACES ? (spec?.finalizers ?? []) : placed ? [1] : (object.metadata.finalizers ?? []);
    if (object.metadata.deletionTimestamp && holding.length === 0) {
      this.#objects.drop(facts, object);
      return object;
    }
    return this.#objects.put(facts, object);
  }
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

function patched(old: AnyObject, request: Request): AnyObject {
  const result = patchedBy(old, request);
  if ('error' in result) throw new Error(`a patch that does not fit: ${result.error}`);
  return result.value as AnyObject;
}
