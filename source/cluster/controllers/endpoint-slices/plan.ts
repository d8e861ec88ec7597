// How endpoints are spread over EndpointSlices, with as few writes as possible. Each slice holds at most 100 endpoints that
// share their ports. For each set of ports:
//
// 1. every existing slice keeps those of its endpoints that are still wanted, renewed where they changed;
// 2. slices that have to be written anyway are filled up with new endpoints, the fullest first;
// 3. what is left over goes into one untouched slice that has room for all of it, else into what room there is, then into new
//    slices. (The real one would rather begin a new slice than touch one that does not suffice; but it sees endpoints come one
//    by one where this one sees many at once, and so ends with full slices as well.)
//
// A Service without endpoints keeps one empty slice. A slice that would be deleted while another is created is rewritten
// instead, so names live long.
import type {Service} from '../../../api/kinds/core-v1.ts';
import type {Endpoint, EndpointPort, EndpointSlice} from '../../../api/kinds/discovery-v1.ts';
import type {OwnerReference} from '../../../api/kinds/meta.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import {endpointKey, isSameEndpoint, portsKey, type AddressType} from './endpoints.ts';

export const MANAGER = 'endpointslice-controller.k8s.io';
export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
const HEADLESS = 'service.kubernetes.io/headless';
const RESERVED: ReadonlySet<string> = new Set([SERVICE_NAME, MANAGED_BY, HEADLESS]);
const LARGEST = 100;

/** Wanted endpoints that share their ports. */
export interface Group {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** A slice that is to be created: the server names it. */
export interface NewSlice {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: readonly Endpoint[];
}

/** A slice with new content. */
export interface SliceUpdate extends NewSlice {
  readonly slice: EndpointSlice;
}

/** What is to be written. */
export interface SlicePlan {
  readonly create: readonly NewSlice[];
  readonly update: readonly SliceUpdate[];
  readonly remove: readonly EndpointSlice[];
}

/** Plans the slices of one address family. `labels` are those that all of them are to carry. */
export function planSlices(existing: readonly EndpointSlice[], groups: readonly Group[], labels: Labels): SlicePlan {
  const byPorts = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    const key = portsKey(slice.ports);
    byPorts.set(key, [...(byPorts.get(key) ?? []), slice]);
  }
  const create: NewSlice[] = [];
  const update: SliceUpdate[] = [];
  const remove: EndpointSlice[] = [];
  for (const group of groups) {
    const key = portsKey(group.ports);
    const plan = planGroup(byPorts.get(key) ?? [], group, labels);
    byPorts.delete(key);
    create.push(...plan.create);
    update.push(...plan.update);
    remove.push(...plan.remove);
  }
  for (const slices of byPorts.values()) remove.push(...slices);
  keepOne(existing, {create, remove});
  while (create.length > 0 && remove.length > 0) {
    const content = create.shift();
    const slice = remove.shift();
    if (content && slice) update.push({...content, slice});
  }
  return {create, update, remove};
}

type Labels = Readonly<Record<string, string>>;

/** With no endpoints at all one slice stays, empty. */
function keepOne(existing: readonly EndpointSlice[], plan: {create: NewSlice[]; remove: EndpointSlice[]}): void {
  if (existing.length > plan.remove.length || plan.create.length > 0) return;
  const at = plan.remove.findIndex(slice => (slice.endpoints ?? []).length === 0 && (slice.ports ?? []).length === 0);
  if (at >= 0) plan.remove.splice(at, 1);
  else plan.create.push({ports: [], endpoints: []});
}

function planGroup(existing: readonly EndpointSlice[], group: Group, labels: Labels): SlicePlan {
  const wanted = new Map(group.endpoints.map(endpoint => [endpointKey(endpoint), endpoint]));
  const {ports} = group;
  const remove: EndpointSlice[] = [];
  const update: {slice: EndpointSlice; ports: readonly EndpointPort[]; endpoints: Endpoint[]}[] = [];
  const untouched: EndpointSlice[] = [];
  for (const slice of existing) {
    const kept = keep(slice, wanted);
    if (kept.changed && kept.endpoints.length === 0) remove.push(slice);
    else if (kept.changed || !carries(slice, labels)) update.push({slice, ports, endpoints: kept.endpoints});
    else untouched.push(slice);
  }
  const left = [...wanted.values()];
  for (const each of update.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) {
    each.endpoints.push(...left.splice(0, Math.max(0, LARGEST - each.endpoints.length)));
  }
  const create: NewSlice[] = [];
  while (left.length > 0) {
    const slice = roomiest(untouched, Math.min(left.length, LARGEST)) ?? roomiest(untouched, 1);
    const endpoints = left.splice(0, LARGEST - (slice?.endpoints?.length ?? 0));
    if (slice) {
      untouched.splice(untouched.indexOf(slice), 1);
      update.push({slice, ports, endpoints: [...(slice.endpoints ?? []), ...endpoints]});
    } else {
      create.push({ports, endpoints});
    }
  }
  return {create, update, remove};
}

/** The slice's endpoints that are still wanted, renewed; they are taken out of `wanted`. */
function keep(slice: EndpointSlice, wanted: Map<string, Endpoint>): {endpoints: Endpoint[]; changed: boolean} {
  const endpoints: Endpoint[] = [];
  let changed = false;
  for (const old of slice.endpoints ?? []) {
    const key = endpointKey(old);
    const next = wanted.get(key);
    if (!next) {
      changed = true;
      continue;
    }
    wanted.delete(key);
    const same = isSameEndpoint(old, next);
    if (!same) changed = true;
    endpoints.push(same ? old : next);
  }
  return {endpoints, changed};
}

/** The fullest slice that has room for so many more. */
function roomiest(slices: readonly EndpointSlice[], count: number): EndpointSlice | undefined {
  let best: EndpointSlice | undefined;
  for (const slice of slices) {
    const size = slice.endpoints?.length ?? 0;
    if (size + count <= LARGEST && size >= (best?.endpoints?.length ?? 0)) best = slice;
  }
  return best;
}

/** The labels that a Service's slices carry: the Service's own, and those by which slices are found. */
export function sliceLabels(service: Service): Labels {
  const own = Object.entries(service.metadata.labels ?? {}).filter(([key]) => !RESERVED.has(key));
  const headless = service.spec.clusterIP === 'None' ? {[HEADLESS]: ''} : {};
  return {...Object.fromEntries(own), ...headless, [SERVICE_NAME]: service.metadata.name, [MANAGED_BY]: MANAGER};
}

function carries({metadata: {labels = {}}}: EndpointSlice, wanted: Labels): boolean {
  const keys = Object.keys(wanted);
  return Object.keys(labels).length === keys.length && keys.every(key => labels[key] === wanted[key]);
}

/** A slice to create, for a Service or for Endpoints that are mirrored. */
export function newSlice(
  {metadata: {name, namespace = ''}}: KubeObject,
  content: NewSlice,
  how: {readonly type: AddressType; readonly labels: Labels; readonly reference: OwnerReference; readonly annotations: Labels},
) {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: how.labels,
      ...(Object.keys(how.annotations).length > 0 ? {annotations: how.annotations} : {}),
      ownerReferences: [how.reference],
    },
    addressType: how.type,
    endpoints: content.endpoints,
    ports: content.ports,
  };
}

/** The slice with its new content. */
export function updatedSlice(change: SliceUpdate, labels: Labels, trigger: string | undefined): EndpointSlice {
  const {slice, ports, endpoints} = change;
  const {[TRIGGER_TIME]: _old, ...others} = slice.metadata.annotations ?? {};
  const annotations = trigger === undefined ? others : {...others, [TRIGGER_TIME]: trigger};
  const {annotations: _before, ...metadata} = slice.metadata;
  const annotated = Object.keys(annotations).length > 0 ? {...metadata, annotations} : metadata;
  return {...slice, metadata: {...annotated, labels}, endpoints, ports};
}
