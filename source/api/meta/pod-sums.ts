// What a pod asks for as a whole, as quantities: containers together, or the largest step of its start.
import type {Container, PodSpec} from '../kinds/core-v1.ts';
import {isSidecar} from './pod.ts';
import {addQuantities, canonicalQuantity, compareQuantities} from './quantity.ts';

/** Quantities by resource. */
export type Quantities = Readonly<Record<string, string | number>>;

/** Requests and limits of a pod. */
export interface PodLists {
  readonly requests: Quantities;
  readonly limits: Quantities;
}

const known = new WeakMap<PodSpec, PodLists>();

/** The sums of a pod. */
export function podLists(spec: PodSpec): PodLists {
  const found = known.get(spec);
  if (found) return found;
  const made = {requests: total(spec, 'requests'), limits: total(spec, 'limits')};
  if (Object.isFrozen(spec)) known.set(spec, made);
  return made;
}

function total(spec: PodSpec, side: 'requests' | 'limits'): Quantities {
  const list = (container: Container): Quantities => container.resources?.[side] ?? {};
  const sidecars = (spec.initContainers ?? []).filter(isSidecar);
  let running: Quantities = {};
  for (const container of [...spec.containers, ...sidecars]) running = plus(running, list(container));
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
