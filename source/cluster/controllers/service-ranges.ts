// Service CIDRs: a range from which Services get addresses is ready once it has the controller's finalizer, and is not gone before
// the last address in it is given back or lies in another ready range too.
import type {IPAddress, ServiceCIDR} from '../../api/kinds/networking-v1.ts';
import {withCondition} from '../../api/meta/conditions.ts';
import {holdsIp, parseCidr, parseIp} from '../../api/meta/ip.ts';
import {builtin} from '../../api/meta/resources.ts';
import {parseTime} from '../../api/meta/time.ts';
import {update} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const ranges = builtin('networking.k8s.io', 'servicecidrs');
const addresses = builtin('networking.k8s.io', 'ipaddresses');
const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
/** A server that has not yet heard of the end may still give an address. */
const GRACE_MS = 10_000;
const IN_USE = 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR';

type Ready = Pick<NonNullable<NonNullable<ServiceCIDR['status']>['conditions']>[number], 'status' | 'reason' | 'message'>;

const READY: Ready = {status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready'};
const TERMINATING: Ready = {status: 'False', reason: 'Terminating', message: IN_USE};

/** Keeps ranges as long as they are needed. */
export const serviceRangeController: Controller = {
  name: 'service-cidr-controller',
  account: 'service-cidrs-controller',
  start: context => {
    const queue = context.queue({reconcile: name => look(context, name)});
    const all = context.informers.of<ServiceCIDR>(ranges);
    const each = (): void => {
      for (const {metadata} of all.store.values()) queue.add(metadata.name);
    };
    // A range that comes or goes may hold what another one holds.
    all.on({added: each, updated: ({metadata}) => queue.add(metadata.name), deleted: each});
    context.informers.of<IPAddress>(addresses).on({deleted: each});
  },
};

function* look(context: Context, name: string): Task<Outcome> {
  const range = context.informers.of<ServiceCIDR>(ranges).get(name);
  if (!range) return undefined;
  const {deletionTimestamp, finalizers = []} = range.metadata;
  if (deletionTimestamp === undefined) {
    if (finalizers.includes(FINALIZER)) return yield* say(context, range, READY);
    return yield* put(context, {...range, metadata: {...range.metadata, finalizers: [...finalizers, FINALIZER]}});
  }
  if (!finalizers.includes(FINALIZER)) return undefined;
  if (isNeeded(context, range)) return yield* say(context, range, TERMINATING);
  const left = (parseTime(deletionTimestamp) ?? 0) + GRACE_MS - context.daemon.wall();
  if (left > 0) return {afterMs: left};
  return yield* put(context, {
    ...range,
    metadata: {...range.metadata, finalizers: finalizers.filter(each => each !== FINALIZER)},
  });
}

function* put({client}: Context, range: ServiceCIDR): Task<Outcome> {
  const result = yield* client.ask(update(ranges, range));
  return result.ok || result.status.reason === 'NotFound' ? undefined : 'again';
}

function* say({client, daemon}: Context, range: ServiceCIDR, ready: Ready): Task<Outcome> {
  const known = range.status?.conditions?.find(({type}) => type === 'Ready');
  if (known?.status === ready.status && known.reason === ready.reason && known.message === ready.message) return undefined;
  const condition = {type: 'Ready', lastTransitionTime: daemon.now(), ...ready};
  const conditions = withCondition(range.status?.conditions, condition);
  const result = yield* client.ask(update(ranges, {...range, status: {...range.status, conditions}}, 'status'));
  return result.ok || result.status.reason === 'NotFound' ? undefined : 'again';
}

/** Is there an address in the range that lies in no other one? */
function isNeeded({informers}: Context, range: ServiceCIDR): boolean {
  const others = [...informers.of<ServiceCIDR>(ranges).store.values()].filter(
    ({metadata}) => metadata.name !== range.metadata.name && metadata.deletionTimestamp === undefined,
  );
  for (const {metadata} of informers.of<IPAddress>(addresses).store.values()) {
    if (contains(range, metadata.name) && !others.some(other => contains(other, metadata.name))) return true;
  }
  return false;
}

function contains({spec}: ServiceCIDR, address: string): boolean {
  const ip = parseIp(address);
  if (!ip) return false;
  return (spec?.cidrs ?? []).some(text => {
    const range = parseCidr(text);
    return range !== undefined && holdsIp(range, ip);
  });
}
