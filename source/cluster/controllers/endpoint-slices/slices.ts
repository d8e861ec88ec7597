// The EndpointSlice controller: sees a Service with its pods, plans its slices, writes them. Services without a selector, and
// names for something outside, are left to those who made them.
import type {Node, Pod, Service} from '../../../api/kinds/core-v1.ts';
import type {EndpointPort, Endpoint, EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {create, remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {controllerReference} from '../ownership.ts';
import {OwnWrites} from '../own-writes.ts';
import {podIndexes} from '../pod-index.ts';
import {sendAll} from '../send-all.ts';
import {serviceIndex, type ServiceIndex} from '../service-index.ts';
import {TriggerTimes} from '../trigger-time.ts';
import {shareOut, sharesOf, wantsTopology, withHints} from './hints.ts';
import {aggregate, sliceFailure} from './failures.ts';
import {endpointOf, isEndpoint, portsKey, portsOf, type AddressType} from './endpoints.ts';
import {
  MANAGED_BY,
  MANAGER,
  newSlice,
  planSlices,
  SERVICE_NAME,
  sliceLabels,
  TRIGGER_TIME,
  updatedSlice,
  type Group,
} from './plan.ts';

const slices = builtin('discovery.k8s.io', 'endpointslices');
const nodes = builtin('nodes');
const SERVICE_KIND = Object.freeze({apiVersion: 'v1', kind: 'Service'});
/** Pods become ready one by one, and every proxy hears of every slice: changes are gathered for a while. */
const LIE_MS = 100;
const FIRST_RETRY_MS = 1000;

/** Keeps EndpointSlices. */
export const endpointSliceController: Controller = {
  name: 'endpointslice-controller',
  account: 'endpointslice-controller',
  component: 'endpoint-slice-controller',
  start: context => {
    new SliceLoop(context).start();
  },
};

class SliceLoop {
  readonly #context: Context;
  readonly #index: ServiceIndex;
  readonly #slices: Informer<EndpointSlice>;
  readonly #byService: Index<EndpointSlice>;
  readonly #nodes: Informer<Node>;
  readonly #writes: OwnWrites<EndpointSlice>;
  readonly #times = new TriggerTimes();
  /** Services with pods on nodes that are not there (yet). */
  readonly #missing = new Map<string, Set<string>>();
  /** Services that share endpoints out to zones, by family: could that be done? */
  readonly #sharing = new Map<string, 'on' | 'off'>();
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#writes = new OwnWrites(context.daemon.clock);
    this.#index = serviceIndex(context.informers);
    this.#slices = context.informers.of<EndpointSlice>(slices);
    this.#byService = this.#slices.index(slice => {
      const key = serviceKey(slice);
      return key === undefined ? [] : [key];
    });
    this.#nodes = context.informers.of<Node>(nodes);
    this.#queue = context.queue({
      reconcile: key => this.#reconcile(key),
      workers: 100,
      lieMs: LIE_MS,
      firstRetryMs: FIRST_RETRY_MS,
    });
  }

  /** Begins to listen. */
  start(): void {
    const queue = this.#queue;
    const {pods} = podIndexes(this.#context.informers);
    this.#index.listen(
      pods,
      key => queue.add(key),
      key => queue.addNow(key),
    );
    const wake = (slice: EndpointSlice): void => {
      const key = serviceKey(slice);
      if (key !== undefined) queue.add(key);
    };
    this.#slices.on({
      updated: wake,
      deleted: slice => {
        const key = serviceKey(slice);
        if (key !== undefined) this.#writes.heardEnd(key, slice);
        wake(slice);
      },
    });
    this.#nodes.on({
      added: ({metadata: {name}}) => {
        for (const key of this.#missing.get(name) ?? []) queue.add(key);
        this.#missing.delete(name);
      },
    });
  }

  *#reconcile(key: string): Task<Outcome> {
    const service = this.#index.services.get(key);
    if (!service) {
      // Its slices go with it: the garbage collector sees to that.
      this.#writes.forget(key);
      this.#times.forget(key);
      return undefined;
    }
    if (!service.spec.selector || service.spec.type === 'ExternalName') return undefined;
    const pods = this.#index.podsOf(service);
    const time = this.#times.look(key, service, pods);
    const existing = this.#writes.merge(key, this.#byService.of(key).values());
    const errors: string[] = [];
    for (const type of families(service)) {
      const own = existing.filter(slice => slice.addressType === type);
      const groups = this.#hinted(service, this.#groups(service, {pods, type, errors}), type);
      const error = yield* this.#write(service, own, {type, groups, trigger: time});
      if (error !== undefined) errors.push(error);
    }
    if (errors.length === 0) return undefined;
    const message = `Error updating Endpoint Slices for Service ${key}: ${aggregate(errors)}`;
    this.#context.recorder.record(service, {type: 'Warning', reason: 'FailedToUpdateEndpointSlices', message});
    return 'again';
  }

  #groups(
    service: Service,
    {pods, type, errors}: {readonly pods: readonly Pod[]; readonly type: AddressType; readonly errors: string[]},
  ): readonly Group[] {
    const groups = new Map<string, {ports: readonly EndpointPort[]; endpoints: Endpoint[]}>();
    for (const pod of pods) {
      if (!isEndpoint(pod)) continue;
      const node = this.#nodes.get(pod.spec.nodeName ?? '');
      if (!node && service.spec.publishNotReadyAddresses !== true) {
        this.#miss(pod.spec.nodeName ?? '', keyOf(service));
        errors.push(`skipping Pod ${pod.metadata.name} for Service ${keyOf(service)}: Node ${pod.spec.nodeName} Not Found`);
        continue;
      }
      const endpoint = endpointOf(pod, service, {type, zone: node?.metadata.labels?.['topology.kubernetes.io/zone']});
      if (!endpoint) continue;
      const ports = portsOf(pod, service);
      const key = portsKey(ports);
      const group = groups.get(key) ?? {ports, endpoints: []};
      group.endpoints.push(endpoint);
      groups.set(key, group);
    }
    return [...groups.values()];
  }

  /** The groups with hints, where the Service asks for any. */
  #hinted(service: Service, groups: readonly Group[], type: AddressType): readonly Group[] {
    const topology = wantsTopology(service);
    if (!topology && !service.spec.trafficDistribution) {
      this.#sharing.delete(`${keyOf(service)} ${type}`);
      return groups;
    }
    const all = groups.flatMap(({endpoints}) => endpoints);
    const zones = topology ? shareOut(all, sharesOf(this.#nodes.store.values())) : undefined;
    if (topology) this.#tellSharing(service, type, typeof zones === 'string' ? zones : undefined);
    if (typeof zones === 'string') return groups;
    return groups.map(({ports, endpoints}) => ({ports, endpoints: endpoints.map(each => withHints(each, service, zones))}));
  }

  #tellSharing(service: Service, type: AddressType, why: string | undefined): void {
    const key = `${keyOf(service)} ${type}`;
    const before = this.#sharing.get(key);
    if (why === undefined && before !== 'on') {
      const message = `Topology Aware Hints has been enabled, addressType: ${type}`;
      this.#context.recorder.record(service, {type: 'Normal', reason: 'TopologyAwareHintsEnabled', message});
    }
    if (why !== undefined) {
      const message = `${why}, addressType: ${type}`;
      this.#context.recorder.record(service, {type: 'Warning', reason: 'TopologyAwareHintsDisabled', message});
    }
    this.#sharing.set(key, why === undefined ? 'on' : 'off');
  }

  #miss(node: string, key: string): void {
    const waiting = this.#missing.get(node) ?? new Set<string>();
    waiting.add(key);
    this.#missing.set(node, waiting);
  }

  *#write(
    service: Service,
    existing: readonly EndpointSlice[],
    how: {readonly type: AddressType; readonly groups: readonly Group[]; readonly trigger: string | undefined},
  ): Task<string | undefined> {
    const labels = sliceLabels(service);
    const plan = planSlices(existing, how.groups, labels);
    const reference = controllerReference(service, SERVICE_KIND);
    const annotations = how.trigger === undefined ? {} : {[TRIGGER_TIME]: how.trigger};
    const requests: Request[] = [
      ...plan.create.map(each => create(slices, newSlice(service, each, {type: how.type, labels, reference, annotations}))),
      ...plan.update.map(each => update(slices, updatedSlice(each, labels, how.trigger))),
      ...plan.remove.map(({metadata: {name, namespace}}) => remove(slices, {name, namespace})),
    ];
    const results = yield* sendAll<EndpointSlice>(this.#context.client, requests);
    const key = keyOf(service);
    const removals = plan.create.length + plan.update.length;
    for (const [index, result] of results.entries()) {
      const removed = plan.remove[index - removals];
      if (removed && (result.ok || result.status.code === 404)) this.#writes.removed(key, removed);
      else if (result.ok) this.#writes.wrote(key, result.value);
    }
    return sliceFailure(results, plan, key);
  }
}

function serviceKey({metadata: {labels, namespace}}: EndpointSlice): string | undefined {
  const name = labels?.[SERVICE_NAME];
  return name !== undefined && labels?.[MANAGED_BY] === MANAGER ? `${namespace}/${name}` : undefined;
}

function families(service: Service): readonly AddressType[] {
  const listed = (service.spec.ipFamilies ?? []).filter(family => family !== '');
  return listed.length > 0 ? listed : ['IPv4'];
}
