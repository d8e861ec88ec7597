// As much of an API server as the scheduler meets: lists and watches, bindings, statuses of pods, events, leases, deletes. And the
// hands of a user and of kubelets, who change objects behind it.
import type {Node, Pod, PodCondition} from '../../../api/kinds/core-v1.ts';
import type {Event} from '../../../api/kinds/events-v1.ts';
import {deepFreeze, keyOf, type KubeObject} from '../../../api/meta/object.ts';
import {RESOURCES} from '../../../api/meta/resources.ts';
import {notFound} from '../../../api/meta/status.ts';
import type {Answer, Request, WatchEvent} from '../../../api/wire/http.ts';
import {Client} from '../../../client/client.ts';
import {Clock} from '../../../sim/clock.ts';
import {Daemon} from '../../../sim/daemon.ts';
import {Dice} from '../../../sim/dice.ts';
import type {Receiver} from '../../../sim/network.ts';
import {Trace} from '../../../sim/trace.ts';
import type {SchedulerConfig} from '../profile.ts';
import {startScheduler} from '../start.ts';
import type {NodeBuilder, PodBuilder} from './builders.ts';

const LATENCY_MS = 0.2;
const START = Date.UTC(2026, 10, 30, 4, 20, 20);

/** A cluster of nodes and a scheduler, and nothing else. */
export class FakeApi {
  readonly clock = new Clock();
  readonly trace = new Trace(this.clock);
  readonly daemon: Daemon;
  /** Answers a request in place of the server, where it gives something. */
  intercept: ((request: Request) => Answer | undefined) | undefined;
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  readonly #watchers: {readonly resource: string; readonly receiver: Receiver}[] = [];
  #revision = 100;

  constructor() {
    this.daemon = new Daemon('kube-scheduler', 1, {
      clock: this.clock,
      trace: this.trace,
      dice: new Dice(7),
      host: 'cp-1',
      wall: () => START + this.clock.now,
      dial: (_host, _port, request, receiver) => this.#dial(request as Request, receiver),
      listen: () => undefined,
    });
  }

  /** Starts the scheduler and waits until it leads. */
  start(config?: SchedulerConfig): this {
    const client = new Client({daemon: this.daemon, host: 'cp-1', port: 6443, credentials: {}, userAgent: 'kube-scheduler'});
    startScheduler({daemon: this.daemon, client, identity: 'cp-1_1', ...(config ? {config} : {})});
    return this.pass(1000);
  }

  /** Lets time pass. */
  pass(ms: number): this {
    const until = this.clock.now + ms;
    while (this.clock.next <= until) this.clock.step();
    this.clock.settle(until);
    return this;
  }

  /** Creates pods or nodes, or replaces them. */
  apply(...builders: readonly (PodBuilder | NodeBuilder)[]): this {
    for (const builder of builders) this.put('pod' in builder ? builder.pod : builder.node);
    return this;
  }

  /** Stores an object as it is, with a new revision. */
  put(object: KubeObject): void {
    const resource = resourceOfKind(object.kind);
    const objects = this.#of(resource);
    const old = objects.get(keyOf(object));
    const stored = deepFreeze({...object, metadata: {...object.metadata, resourceVersion: String(++this.#revision)}});
    objects.set(keyOf(stored), stored);
    this.#tell(resource, {type: old ? 'MODIFIED' : 'ADDED', object: stored});
  }

  change<T extends KubeObject>(resource: string, name: string, change: (object: T) => T): this {
    this.put(change(this.get<T>(resource, name)));
    return this;
  }

  /** Takes an object away at once. */
  drop(resource: string, name: string): this {
    const object = this.get(resource, name);
    this.#of(resource).delete(keyOf(object));
    this.#tell(resource, {
      type: 'DELETED',
      object: {...object, metadata: {...object.metadata, resourceVersion: String(++this.#revision)}},
    });
    return this;
  }

  get<T extends KubeObject>(resource: string, name: string): T {
    const objects = this.#of(resource);
    const object = objects.get(`default/${name}`) ?? objects.get(`kube-system/${name}`) ?? objects.get(name);
    if (!object) throw new Error(`there is no ${resource}/${name}`);
    return object as T;
  }

  /** Where a pod is, or what its condition says. */
  whereIs(name: string): string {
    const pod = this.get<Pod>('pods', name);
    return (
      pod.spec.nodeName ?? pod.status?.conditions?.find(condition => condition.type === 'PodScheduled')?.message ?? 'waiting'
    );
  }

  /** The events about an object, as `REASON note` with the count of a series. */
  events(name: string): readonly string[] {
    return this.eventObjects(name).map(({reason, note, series}) => `${reason}${series ? ` x${series.count}` : ''} ${note}`);
  }

  eventObjects(name: string): readonly Event[] {
    return [...this.#of('events').values()].map(event => event as Event).filter(event => event.regarding?.name === name);
  }

  /** When the pod was tried, in seconds since `since`. */
  attempts(name: string, since = 0): readonly number[] {
    const entries = [...this.trace.since()].filter(entry => entry.verb === 'schedule' && entry.object === `pods/default/${name}`);
    return entries.map(entry => Math.round((entry.at - since) / 1000));
  }

  #of(resource: string): Map<string, KubeObject> {
    const objects = this.#objects.get(resource) ?? new Map<string, KubeObject>();
    this.#objects.set(resource, objects);
    return objects;
  }

  #tell(resource: string, event: WatchEvent): void {
    for (const watcher of this.#watchers) {
      if (watcher.resource === resource) this.clock.after(LATENCY_MS, () => watcher.receiver.frame?.(event));
    }
  }

  #dial(request: Request, receiver: Receiver) {
    const resource = partsOf(request.path).resource;
    this.clock.after(LATENCY_MS, () => {
      if (request.query?.['watch']) {
        receiver.answer({status: 200}, true);
        this.#watchers.push({resource, receiver});
        return;
      }
      const answer = this.intercept?.(request) ?? this.#serve(request);
      this.clock.after(LATENCY_MS, () => receiver.answer(answer, false));
    });
    return {send: () => undefined, cancel: () => undefined};
  }

  #serve({method, path, body}: Request): Answer {
    const {resource, key, subresource} = partsOf(path);
    const objects = this.#of(resource);
    const missing = key !== undefined && !objects.has(key) && subresource !== undefined;
    if (missing || (method === 'GET' && key !== undefined && !objects.has(key)))
      return {status: 404, body: notFound({group: '', resource}, key)};
    if (method === 'GET') {
      const items = [...objects.values()];
      return {
        status: 200,
        body: key === undefined ? {metadata: {resourceVersion: String(this.#revision)}, items} : objects.get(key),
      };
    }
    if (subresource === 'binding') return this.#bind(key ?? '', body as {target: {name: string}});
    if (method === 'DELETE') return this.#delete(key ?? '');
    if (method === 'PATCH') return this.#patch(resource, key ?? '', body as Patch);
    const object = body as KubeObject;
    this.put({
      ...object,
      metadata: {...object.metadata, uid: object.metadata.uid ?? `uid-${this.#revision}`, creationTimestamp: this.daemon.now()},
    });
    return {status: 201, body: objects.get(keyOf(object))};
  }

  #bind(key: string, {target}: {target: {name: string}}): Answer {
    const pod = this.#of('pods').get(key) as Pod;
    const {nominatedNodeName: _, ...status} = pod.status ?? {};
    this.put({
      ...pod,
      spec: {...pod.spec, nodeName: target.name},
      status: {...status, conditions: [{type: 'PodScheduled', status: 'True'}]},
    } as Pod);
    return {status: 201, body: {kind: 'Status', status: 'Success'}};
  }

  #delete(key: string): Answer {
    const pod = this.#of('pods').get(key) as Pod;
    this.put({...pod, metadata: {...pod.metadata, deletionTimestamp: this.daemon.now()}} as Pod);
    return {status: 200, body: pod};
  }

  #patch(resource: string, key: string, body: Patch): Answer {
    const object = this.#of(resource).get(key) as KubeObject & {readonly status?: Pod['status']; readonly series?: unknown};
    const {conditions = [], ...rest} = body.status ?? {};
    const kept = (object.status?.conditions ?? []).filter(old => !conditions.some(each => each.type === old.type));
    const merged = Object.entries({...object.status, ...rest}).filter(([, value]) => value !== null);
    const status = body.status ? {status: {...Object.fromEntries(merged), conditions: [...kept, ...conditions]}} : {};
    this.put({...object, ...status, ...(body.series ? {series: body.series} : {})});
    return {status: 200, body: this.#of(resource).get(key)};
  }
}

interface Patch {
  readonly status?: {readonly conditions?: readonly PodCondition[]; readonly nominatedNodeName?: string | null};
  readonly series?: unknown;
}

function partsOf(path: string): {resource: string; key: string | undefined; subresource: string | undefined} {
  const [, namespace, resource = '', name, subresource] =
    /^\/apis?(?:\/[^/]+){1,2}?(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
  return {resource, subresource, key: name === undefined ? undefined : namespace ? `${namespace}/${name}` : name};
}

function resourceOfKind(kind: string): string {
  const found = RESOURCES.find(resource => resource.kind === kind);
  if (!found) throw new Error(`there is no kind ${kind}`);
  return found.resource;
}

/** A change of a node's labels. */
export function labelled(labels: Readonly<Record<string, string>>): (node: Node) => Node {
  return node => ({...node, metadata: {...node.metadata, labels: {...node.metadata.labels, ...labels}}});
}
