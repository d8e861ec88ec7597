// The old Endpoints object of a Service: addresses, ready and not, grouped by the ports that they share. It knows nothing of
// terminating pods and holds at most 1,000 addresses; what is over is left out, and an annotation says so.
import type {EndpointAddress, Endpoints, EndpointSubset, Pod, Service} from '../../../api/kinds/core-v1.ts';
import {deepFreeze} from '../../../api/meta/object.ts';
import {isReady, isTerminating} from '../../../api/meta/pod.ts';
import {addressesOf, isEndpoint, isOfType, portsKey, portsOf} from '../endpoint-slices/endpoints.ts';
import {TRIGGER_TIME} from '../endpoint-slices/plan.ts';
import {isSameValue} from '../same-value.ts';

export const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
export const MANAGER = 'endpoint-controller';
const HEADLESS = 'service.kubernetes.io/headless';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const MOST = 1000;

interface Sorted {
  readonly ready: EndpointAddress[];
  readonly notReady: EndpointAddress[];
  readonly ports: EndpointSubset['ports'];
}

/** The subsets that a Service's pods come to. */
export function planSubsets(
  service: Service,
  pods: readonly Pod[],
): {readonly subsets: readonly EndpointSubset[]; readonly truncated: boolean} {
  const groups = new Map<string, Sorted>();
  const type = service.spec.ipFamilies?.[0] === 'IPv6' ? 'IPv6' : 'IPv4';
  const all = service.spec.publishNotReadyAddresses === true;
  const headless = service.spec.clusterIP === 'None';
  for (const pod of pods) {
    if (!isEndpoint(pod) || (isTerminating(pod) && !all)) continue;
    const ip = addressesOf(pod).find(address => isOfType(address, type));
    const ports = portsOf(pod, service).map(({name, ...port}) => (name ? {name, ...port} : port)) as EndpointSubset['ports'];
    // Only a headless Service without ports has addresses without ports.
    if (ip === undefined || (ports?.length === 0 && !(headless && (service.spec.ports ?? []).length === 0))) continue;
    const key = portsKey(ports as Parameters<typeof portsKey>[0]);
    const group = groups.get(key) ?? {ready: [], notReady: [], ports};
    groups.set(key, group);
    (all || isReady(pod) ? group.ready : group.notReady).push(addressOf(ip, pod, service));
  }
  return truncate([...groups.values()]);
}

// A pod without a name of its own is the same address for every Service; as long as the pod stays as it is, so does its address, and
// whoever reads the whole list steps over what he knows.
const plainAddresses = new WeakMap<Pod, EndpointAddress>();

function addressOf(ip: string, pod: Pod, service: Service): EndpointAddress {
  const known = plainAddresses.get(pod);
  if (known?.ip === ip) return known;
  const made = deepFreeze(makeAddress(ip, pod, service));
  if (!pod.spec.hostname && Object.isFrozen(pod)) plainAddresses.set(pod, made);
  return made;
}

function makeAddress(ip: string, pod: Pod, service: Service): EndpointAddress {
  const {hostname, nodeName, subdomain} = pod.spec;
  const {name, namespace = '', uid} = pod.metadata;
  return {
    ip,
    ...(hostname && subdomain === service.metadata.name ? {hostname} : {}),
    ...(nodeName ? {nodeName} : {}),
    targetRef: {kind: 'Pod', name, namespace, uid},
  };
}

function truncate(groups: readonly Sorted[]): {subsets: readonly EndpointSubset[]; truncated: boolean} {
  const total = groups.reduce((sum, group) => sum + group.ready.length + group.notReady.length, 0);
  let left = MOST;
  const take = (addresses: readonly EndpointAddress[]): readonly EndpointAddress[] => {
    const kept = addresses.toSorted(byAddress).slice(0, Math.max(0, left));
    left -= kept.length;
    return kept;
  };
  const ready = groups.map(group => take(group.ready));
  const notReady = groups.map(group => take(group.notReady));
  const subsets = groups.map(({ports}, index): EndpointSubset => {
    const up = ready[index] ?? [];
    const down = notReady[index] ?? [];
    return {
      ...(up.length > 0 ? {addresses: up} : {}),
      ...(down.length > 0 ? {notReadyAddresses: down} : {}),
      ...(ports?.length ? {ports} : {}),
    };
  });
  const sorted = subsets.filter(subset => subset.addresses ?? subset.notReadyAddresses).toSorted(byPorts);
  return {subsets: sorted, truncated: total > MOST};
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  return compare(a.ip, b.ip) || compare(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
}

function byPorts(a: EndpointSubset, b: EndpointSubset): number {
  return compare(JSON.stringify(a.ports ?? []), JSON.stringify(b.ports ?? []));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What is found, what is wanted, and when the change began. */
export interface EndpointsFacts {
  readonly found: Endpoints | undefined;
  readonly subsets: readonly EndpointSubset[];
  readonly truncated: boolean;
  readonly trigger: string | undefined;
}

/** The object to write; undefined when it is right as it is. */
export function planEndpoints(service: Service, facts: EndpointsFacts): Endpoints | undefined {
  const {found, subsets, truncated, trigger} = facts;
  const {[HEADLESS]: _headless, ...own} = service.metadata.labels ?? {};
  const headless = service.spec.clusterIP === 'None' ? {[HEADLESS]: ''} : {};
  const labels = {...own, ...headless, [MANAGED_BY]: MANAGER};
  const over = found?.metadata.annotations?.[OVER_CAPACITY] === 'truncated';
  if (found && over === truncated && isSameValue(found.metadata.labels, labels) && isSameValue(found.subsets ?? [], subsets))
    return undefined;
  const {[OVER_CAPACITY]: _over, [TRIGGER_TIME]: _trigger, ...kept} = found?.metadata.annotations ?? {};
  const annotations = {
    ...kept,
    ...(trigger === undefined ? {} : {[TRIGGER_TIME]: trigger}),
    ...(truncated ? {[OVER_CAPACITY]: 'truncated'} : {}),
  };
  const {annotations: _before, ...metadata} = found?.metadata ?? {
    name: service.metadata.name,
    namespace: service.metadata.namespace ?? '',
  };
  const annotated = Object.keys(annotations).length > 0 ? {...metadata, annotations} : metadata;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {...annotated, labels} as Endpoints['metadata'],
    ...(subsets.length > 0 ? {subsets} : {}),
  };
}
