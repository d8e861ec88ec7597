// The Endpoints controller: one object for each Service with a selector, of the Service's name.
import type {Endpoints} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {splitKey} from '../../../api/meta/object.ts';
import {create, remove, update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {OwnWrites} from '../own-writes.ts';
import {podIndexes} from '../pod-index.ts';
import {isNamespaceTerminating} from '../send-all.ts';
import {serviceIndex} from '../service-index.ts';
import {TriggerTimes} from '../trigger-time.ts';
import {planEndpoints, planSubsets} from './plan.ts';

const endpoints = builtin('endpoints');
const LIE_MS = 100;
const FIRST_RETRY_MS = 1000;

interface Memory {
  readonly writes: OwnWrites<Endpoints>;
  readonly times: TriggerTimes;
}

/** Keeps Endpoints. */
export const endpointsController: Controller = {
  name: 'endpoints-controller',
  account: 'endpoint-controller',
  component: 'endpoint-controller',
  start: context => {
    const index = serviceIndex(context.informers);
    const memory: Memory = {writes: new OwnWrites(context.daemon.clock), times: new TriggerTimes()};
    const queue = context.queue({
      reconcile: key => sync(context, key, memory),
      workers: 100,
      lieMs: LIE_MS,
      firstRetryMs: FIRST_RETRY_MS,
    });
    const {pods} = podIndexes(context.informers);
    index.listen(
      pods,
      key => queue.add(key),
      key => queue.addNow(key),
    );
    context.informers.of<Endpoints>(endpoints).on({
      deleted: object => {
        const key = `${object.metadata.namespace}/${object.metadata.name}`;
        memory.writes.heardEnd(key, object);
        queue.add(key);
      },
    });
    context.whenSynced(() => {
      // What a Service left behind while nobody led.
      for (const key of context.informers.of<Endpoints>(endpoints).store.keys()) {
        if (!index.services.get(key)) queue.add(key);
      }
    });
  },
};

function* sync(context: Context, key: string, memory: Memory): Task<Outcome> {
  const {client, informers} = context;
  const index = serviceIndex(informers);
  const service = index.services.get(key);
  const heard = informers.of<Endpoints>(endpoints).get(key);
  if (!service) {
    memory.times.forget(key);
    memory.writes.forget(key);
    const {name, namespace} = splitKey(key);
    const result = heard ? yield* client.ask(remove(endpoints, {name, namespace})) : undefined;
    return !result || result.ok || result.status.code === 404 ? undefined : 'again';
  }
  if (!service.spec.selector || service.spec.type === 'ExternalName') return undefined;
  const pods = index.podsOf(service);
  const time = memory.times.look(key, service, pods);
  const [found] = memory.writes.merge(key, heard ? [heard] : []);
  const wanted = planEndpoints(service, {found, trigger: time, ...planSubsets(service, pods)});
  if (!wanted) return undefined;
  const result = yield* client.ask<Endpoints>(found ? update(endpoints, wanted) : create(endpoints, wanted));
  if (result.ok) memory.writes.wrote(key, result.value);
  if (result.ok || (!found && isNamespaceTerminating(result.status))) return undefined;
  const message = found
    ? `Failed to update endpoint ${key}: ${result.status.message}`
    : `Failed to create endpoint for service ${key}: ${result.status.message}`;
  const reason = found ? 'FailedToUpdateEndpoint' : 'FailedToCreateEndpoint';
  context.recorder.record(wanted, {type: 'Warning', reason, message});
  return 'again';
}
