// The EndpointSlice mirroring controller.
import type {Endpoints} from '../../../api/kinds/core-v1.ts';
import type {EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import {keyOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import type {Request} from '../../../api/wire/http.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {create, remove, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {aggregate, sliceFailure} from '../endpoint-slices/failures.ts';
import {MANAGED_BY, newSlice, planSlices, SERVICE_NAME, updatedSlice, type SlicePlan} from '../endpoint-slices/plan.ts';
import {controllerReference} from '../ownership.ts';
import {OwnWrites} from '../own-writes.ts';
import {sendAll} from '../send-all.ts';
import {serviceIndex, type ServiceIndex} from '../service-index.ts';
import {isMirrored, MIRROR, mirrorAnnotations, mirrorGroups, mirrorLabels, MOST_OF_A_SUBSET, skippedAddresses} from './plan.ts';

const slices = builtin('discovery.k8s.io', 'endpointslices');
const endpoints = builtin('endpoints');
const KIND = Object.freeze({apiVersion: 'v1', kind: 'Endpoints'});
const FIRST_RETRY_MS = 1000;
const TOO_MANY = `A max of ${MOST_OF_A_SUBSET} addresses can be mirrored to EndpointSlices per Endpoints subset`;

/** Mirrors Endpoints. */
export const endpointMirroringController: Controller = {
  name: 'endpointslice-mirroring-controller',
  account: 'endpointslicemirroring-controller',
  component: 'endpoint-slice-mirroring-controller',
  start: context => {
    new Mirror(context).start();
  },
};

class Mirror {
  readonly #context: Context;
  readonly #services: ServiceIndex;
  readonly #endpoints: Informer<Endpoints>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #byName: Index<EndpointSlice>;
  readonly #writes: OwnWrites<EndpointSlice>;
  readonly #queue: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#writes = new OwnWrites(context.daemon.clock);
    this.#services = serviceIndex(context.informers);
    this.#endpoints = context.informers.of<Endpoints>(endpoints);
    this.#slices = context.informers.of<EndpointSlice>(slices);
    this.#byName = this.#slices.index(slice => {
      const key = mirroredKey(slice);
      return key === undefined ? [] : [key];
    });
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), firstRetryMs: FIRST_RETRY_MS});
  }

  /** Begins to listen. */
  start(): void {
    const wake = (object: Endpoints): void => this.#queue.add(keyOf(object));
    this.#endpoints.on({added: wake, updated: wake, deleted: wake});
    this.#services.services.on({
      added: service => this.#queue.add(keyOf(service)),
      updated: service => this.#queue.add(keyOf(service)),
      deleted: service => this.#queue.add(keyOf(service)),
    });
    const slice = (each: EndpointSlice): void => {
      const key = mirroredKey(each);
      if (key !== undefined) this.#queue.add(key);
    };
    this.#slices.on({
      updated: slice,
      deleted: each => {
        const key = mirroredKey(each);
        if (key !== undefined) this.#writes.heardEnd(key, each);
        slice(each);
      },
    });
  }

  *#reconcile(key: string): Task<Outcome> {
    const object = this.#endpoints.get(key);
    const existing = this.#writes.merge(key, this.#byName.of(key).values());
    const mirrored = object && isMirrored(object, this.#services.services.get(key));
    if (!mirrored)
      return (yield* this.#write(key, {create: [], update: [], remove: existing}, [])) === undefined ? undefined : 'again';
    const labels = mirrorLabels(object);
    const annotations = mirrorAnnotations(object);
    const reference = controllerReference(object, KIND);
    const skipped = skippedAddresses(object);
    if (skipped > 0) this.#tell(object, 'TooManyAddressesToMirror', `${TOO_MANY}. ${skipped} addresses were skipped`);
    const errors: string[] = [];
    for (const type of ['IPv4', 'IPv6'] as const) {
      const own = existing.filter(each => each.addressType === type);
      const groups = mirrorGroups(object, type);
      if (groups.length === 0 && own.length === 0) continue;
      const plan = planSlices(own, groups, labels);
      const empty = groups.length === 0 ? {create: [], update: [], remove: own} : plan;
      const requests = [
        ...empty.create.map(each => create(slices, newSlice(object, each, {type, labels, reference, annotations}))),
        ...empty.update.map(each => update(slices, updatedSlice(each, labels, undefined))),
      ];
      const error = yield* this.#write(key, empty, requests);
      if (error !== undefined) errors.push(error);
    }
    if (errors.length === 0) return undefined;
    this.#tell(
      object,
      'FailedToUpdateEndpointSlices',
      `Error updating Endpoint Slices for Endpoints ${key}: ${aggregate(errors)}`,
    );
    return 'again';
  }

  #tell(object: Endpoints, reason: string, message: string): void {
    this.#context.recorder.record(object, {type: 'Warning', reason, message});
  }

  *#write(key: string, plan: SlicePlan, requests: readonly Request[]): Task<string | undefined> {
    const removals = plan.remove.map(({metadata: {name, namespace}}) => remove(slices, {name, namespace}));
    const results = yield* sendAll<EndpointSlice>(this.#context.client, [...requests, ...removals]);
    for (const [index, result] of results.entries()) {
      const removed = plan.remove[index - requests.length];
      if (removed && (result.ok || result.status.code === 404)) this.#writes.removed(key, removed);
      else if (result.ok) this.#writes.wrote(key, result.value);
    }
    return sliceFailure(results, plan, key);
  }
}

function mirroredKey({metadata: {labels, namespace}}: EndpointSlice): string | undefined {
  const name = labels?.[SERVICE_NAME];
  return name !== undefined && labels?.[MANAGED_BY] === MIRROR ? `${namespace}/${name}` : undefined;
}
