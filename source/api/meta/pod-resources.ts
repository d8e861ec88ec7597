// What a pod asks for as a whole: containers and sidecars together, or the largest step of its start, plus overhead. As quantities
// for who shows or adds them up, as amounts for who counts with them. Sums hang on the frozen spec as it was before it was bound, so
// the pods of one template are summed up once.
import type {Container, PodSpec} from '../kinds/core-v1.ts';
import {unbound} from './bound-spec.ts';
import {isSidecar} from './pod.ts';
import {addQuantities, canonicalQuantity, compareQuantities, milliValue, unitValue} from './quantity.ts';

/** Quantities by resource. */
export type Quantities = Readonly<Record<string, string | number>>;

/** Amounts by resource: thousandths of a CPU, whole units (bytes, devices) of all else. */
export type Amounts = Readonly<Record<string, number>>;

type Side = 'requests' | 'limits';

/** What the containers of a pod come to, on one side or the other. */
export interface PodLists {
  readonly requests: Quantities;
  readonly limits: Quantities;
}

const lists = new WeakMap<PodSpec, PodLists>();
const amounts = {requests: new WeakMap<PodLists, Amounts>(), limits: new WeakMap<PodLists, Amounts>()};

/** The sums of a pod. */
export function podLists(of: PodSpec): PodLists {
  const spec = unbound(of);
  const found = lists.get(spec);
  if (found) return found;
  const made = {requests: total(spec, 'requests'), limits: total(spec, 'limits')};
  if (Object.isFrozen(spec)) lists.set(spec, made);
  return made;
}

/** What the scheduler reserves for a Pod. */
export function podRequests(spec: PodSpec): Amounts {
  return podAmounts(spec, 'requests');
}

/** The most that a Pod may use; a container without a limit counts nothing. */
export function podLimits(spec: PodSpec): Amounts {
  return podAmounts(spec, 'limits');
}

function podAmounts(spec: PodSpec, side: Side): Amounts {
  const sums = podLists(spec);
  const found = amounts[side].get(sums);
  if (found) return found;
  const made = Object.freeze(amountsOf(sums[side]));
  amounts[side].set(sums, made);
  return made;
}

/** The amount of a quantity in the measure of its resource. */
export function amountOf(resource: string, quantity: string | number | undefined): number {
  return resource === 'cpu' ? milliValue(quantity) : unitValue(quantity);
}

/** A list of quantities as amounts. */
export function amountsOf(list: Quantities | undefined): Amounts {
  return Object.fromEntries(Object.entries(list ?? {}).map(([resource, quantity]) => [resource, amountOf(resource, quantity)]));
}

function total(spec: PodSpec, side: Side): Quantities {
  const list = (container: Container): Quantities => container.resources?.[side] ?? {};
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  let running: Quantities = {};
  for (const container of [...(spec.containers ?? []), ...sidecars]) running = plus(running, list(container));
  let before: Quantities = {};
  let most = running;
  for (const container of spec.initContainers ?? []) {
    if (isSidecar(container)) before = plus(before, list(container));
    most = larger(most, isSidecar(container) ? before : plus(before, list(container)));
  }
  // What the pod asks for as a whole stands in the place of what its containers come to.
  most = {...most, ...spec.resources?.[side]};
  const {overhead = {}} = spec;
  // Overhead counts to limits only where there is a limit.
  const counted =
    side === 'requests' ? overhead : Object.fromEntries(Object.entries(overhead).filter(([name]) => Object.hasOwn(most, name)));
  return plus(most, counted);
}

/** Adds up, resource by resource. */
export function plus(a: Quantities, b: Quantities): Quantities {
  const sum: Record<string, string | number> = {...a};
  for (const [name, quantity] of Object.entries(b)) sum[name] = add(sum[name], quantity);
  return sum;
}

/** Adds two quantities in the form of the first, or of the second where the first is nothing. */
export function add(a: string | number | undefined, b: string | number): string {
  if (a === undefined || canonicalQuantity(a) === '0') return canonicalQuantity(b);
  return addQuantities(a, b);
}

function larger(a: Quantities, b: Quantities): Quantities {
  const most: Record<string, string | number> = {...a};
  for (const [name, quantity] of Object.entries(b)) {
    const own = most[name];
    if (own === undefined || compareQuantities(quantity, own) > 0) most[name] = quantity;
  }
  return most;
}

const QOS_RESOURCES = ['cpu', 'memory'] as const;

/** Guaranteed when every container limits CPU and memory to what it requests, BestEffort when none asks for any. */
export function qosClass(spec: PodSpec): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const own =
    (spec.resources?.requests ?? spec.resources?.limits) ? [{name: '', resources: spec.resources} as Container] : undefined;
  const containers = own ?? [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  let guaranteed = true;
  let asks = false;
  for (const {resources} of containers) {
    for (const resource of QOS_RESOURCES) {
      const request = amountOf(resource, resources?.requests?.[resource] ?? resources?.limits?.[resource]);
      const limit = amountOf(resource, resources?.limits?.[resource]);
      if (request > 0 || limit > 0) asks = true;
      if (limit <= 0 || request !== limit) guaranteed = false;
    }
  }
  if (!asks) return 'BestEffort';
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

/** A resource with a domain that is not Kubernetes' own, as devices have it. */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !/(^|\.)kubernetes\.io\//.test(name) && !name.startsWith('requests.');
}
