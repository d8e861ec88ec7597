// The bounds of one item of a LimitRange: a minimum, a maximum, and how far a limit may be above its request. One text for each that
// is broken.
import type {LimitRangeItem} from '../../../api/kinds/core-v1.ts';
import {canonicalQuantity, compareQuantities, milliValue} from '../../../api/meta/quantity.ts';
import type {Quantities} from '../../../api/meta/pod-resources.ts';

/** What is compared; limits are undefined for claims, which have requests alone. */
export interface Lists {
  readonly requests: Quantities;
  readonly limits: Quantities | undefined;
}

/** The broken bounds. */
export function checkItem(item: LimitRangeItem, lists: Lists): readonly string[] {
  return [
    ...each(item.min, (name, bound) => below(item.type, {name, bound}, lists)),
    ...each(item.max, (name, bound) =>
      lists.limits ? above(item.type, {name, bound}, lists) : requestAbove(item.type, {name, bound}, lists),
    ),
    ...each(item.maxLimitRequestRatio, (name, bound) => ratio(item.type, {name, bound}, lists)),
  ];
}

interface Bound {
  readonly name: string;
  readonly bound: string | number;
}

function each(bounds: Quantities | undefined, check: (name: string, bound: string | number) => string | undefined): string[] {
  return Object.keys(bounds ?? {})
    .sort()
    .flatMap(name => check(name, bounds?.[name] ?? '0') ?? []);
}

function below(type: string, {name, bound}: Bound, {requests, limits}: Lists): string | undefined {
  const head = `minimum ${name} usage per ${type} is ${canonicalQuantity(bound)}`;
  const request = requests[name];
  const limit = limits?.[name];
  if (request === undefined) return `${head}.  No request is specified`;
  if (compareQuantities(request, bound) < 0) return `${head}, but request is ${canonicalQuantity(request)}`;
  if (limit !== undefined && compareQuantities(limit, bound) < 0) return `${head}, but limit is ${canonicalQuantity(limit)}`;
  return undefined;
}

function above(type: string, {name, bound}: Bound, {requests, limits}: Lists): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${canonicalQuantity(bound)}`;
  const request = requests[name];
  const limit = limits?.[name];
  if (limit === undefined) return `${head}.  No limit is specified`;
  if (compareQuantities(limit, bound) > 0) return `${head}, but limit is ${canonicalQuantity(limit)}`;
  if (request !== undefined && compareQuantities(request, bound) > 0)
    return `${head}, but request is ${canonicalQuantity(request)}`;
  return undefined;
}

function requestAbove(type: string, {name, bound}: Bound, {requests}: Lists): string | undefined {
  const head = `maximum ${name} usage per ${type} is ${canonicalQuantity(bound)}`;
  const request = requests[name];
  if (request === undefined) return `${head}.  No request is specified`;
  return compareQuantities(request, bound) > 0 ? `${head}, but request is ${canonicalQuantity(request)}` : undefined;
}

function ratio(type: string, {name, bound}: Bound, {requests, limits}: Lists): string | undefined {
  const head = `${name} max limit to request ratio per ${type} is ${canonicalQuantity(bound)}`;
  const request = milliValue(requests[name]);
  const limit = milliValue(limits?.[name]);
  if (request === 0) return `${head}, but no request is specified or request is 0`;
  if (limit === 0) return `${head}, but no limit is specified or limit is 0`;
  const shown = limit / request;
  return shown * 1000 > milliValue(bound) ? `${head}, but provided ratio is ${shown.toFixed(6)}` : undefined;
}
