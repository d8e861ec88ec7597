// Hints: for whom an endpoint is. A Service asks for them by trafficDistribution (each ready endpoint is for its own zone, or for its
// own node and zone), or by the annotation topology-mode, which shares endpoints out to zones by the CPU of their nodes.
//
// The latter takes as many endpoints as a zone's share of CPU says: those of the zone itself first, then surplus ones of others.
// It gives no hints at all where that cannot be fair: fewer endpoints than zones, or a share that could not be met without some
// endpoint getting a fifth more than its due.
//
//     6 endpoints, zones a and b with equal CPU, 5 of them in a: three for a, and three (two of them from a) for b
import type {Node, Service} from '../../../api/kinds/core-v1.ts';
import type {Endpoint, EndpointHints} from '../../../api/kinds/discovery-v1.ts';
import {isConditionTrue} from '../../../api/meta/conditions.ts';
import {milliValue} from '../../../api/meta/quantity.ts';

const MODE = 'service.kubernetes.io/topology-mode';
const OLD_MODE = 'service.kubernetes.io/topology-aware-hints';
const ZONE = 'topology.kubernetes.io/zone';
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const OVERLOAD = 0.2;

/** Does the Service ask for a fair share for each zone? */
export function wantsTopology({metadata: {annotations}}: Service): boolean {
  return ['Auto', 'auto'].includes(annotations?.[MODE] ?? annotations?.[OLD_MODE] ?? '');
}

/** Each zone's share of the CPU; a text where it cannot be told. */
export type Shares = ReadonlyMap<string, number> | string;

/** The shares of the nodes that are ready, but for the control plane's. */
export function sharesOf(nodes: Iterable<Node>): Shares {
  const cpu = new Map<string, number>();
  let total = 0;
  for (const {metadata, status} of nodes) {
    if (metadata.labels?.[CONTROL_PLANE] !== undefined || !isConditionTrue(status?.conditions, 'Ready')) continue;
    const zone = metadata.labels?.[ZONE];
    const milli = milliValue(status?.allocatable?.['cpu'] ?? '0');
    if (!zone || milli === 0) return 'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes';
    cpu.set(zone, (cpu.get(zone) ?? 0) + milli);
    total += milli;
  }
  if (cpu.size < 2) return 'Nodes only ready in one zone';
  return new Map([...cpu].map(([zone, milli]) => [zone, milli / total]));
}

/** The zones that ready endpoints are for, by the endpoint; a text says why there are none. */
export function shareOut(endpoints: readonly Endpoint[], shares: Shares): ReadonlyMap<Endpoint, string> | string {
  if (typeof shares === 'string') return shares;
  const ready = endpoints.filter(isReady);
  if (ready.some(({zone}) => !zone)) return 'One or more Endpoints do not have a zone specified';
  const counts = `(${ready.length} endpoints, ${shares.size} zones)`;
  if (shares.size > ready.length) return `Insufficient number of endpoints ${counts}`;
  const least = new Map([...shares].map(([zone, share]) => [zone, Math.ceil((share * ready.length) / (1 + OVERLOAD))]));
  const spare = ready.length - [...least.values()].reduce((sum, each) => sum + each, 0);
  if (spare < 0)
    return `Unable to allocate minimum required endpoints to each zone without exceeding overload threshold ${counts}`;
  const given = new Map<Endpoint, string>();
  const has = new Map<string, number>();
  const give = (endpoint: Endpoint, zone: string) => {
    given.set(endpoint, zone);
    has.set(zone, (has.get(zone) ?? 0) + 1);
  };
  const due = (zone: string) => Math.max(shares.get(zone) ?? 0, 0) * ready.length;
  for (const endpoint of ready) {
    const zone = endpoint.zone ?? '';
    const most = Math.max(least.get(zone) ?? 0, Math.floor(due(zone)));
    if ((has.get(zone) ?? 0) < most) give(endpoint, zone);
  }
  for (const endpoint of ready) {
    if (given.has(endpoint)) continue;
    const zones = [...shares.keys()].sort(
      (a, b) => (has.get(a) ?? 0) - due(a) - ((has.get(b) ?? 0) - due(b)) || (a < b ? -1 : 1),
    );
    const own = endpoint.zone ?? '';
    const needy = zones.find(zone => (has.get(zone) ?? 0) < (least.get(zone) ?? 0));
    give(endpoint, needy ?? (shares.has(own) && (has.get(own) ?? 0) < due(own) ? own : (zones[0] ?? own)));
  }
  return given;
}

/** The endpoint with its hints; the same object where it needs none. */
export function withHints(endpoint: Endpoint, service: Service, zones: ReadonlyMap<Endpoint, string> | undefined): Endpoint {
  const hints = zones ? zoneHints(zones.get(endpoint)) : distributionHints(endpoint, service);
  if (!hints) return endpoint;
  const known = hinted.get(endpoint);
  if (known && JSON.stringify(known.hints) === JSON.stringify(hints)) return known;
  const made = {...endpoint, hints};
  hinted.set(endpoint, made);
  return made;
}

const hinted = new WeakMap<Endpoint, Endpoint>();

function zoneHints(zone: string | undefined): EndpointHints | undefined {
  return zone ? {forZones: [{name: zone}]} : undefined;
}

function distributionHints(endpoint: Endpoint, {spec}: Service): EndpointHints | undefined {
  if (!isReady(endpoint)) return undefined;
  const {nodeName, zone} = endpoint;
  switch (spec.trafficDistribution) {
    case 'PreferClose':
    case 'PreferSameZone':
      return zoneHints(zone);
    case 'PreferSameNode': {
      const forNodes = nodeName ? {forNodes: [{name: nodeName}]} : {};
      return nodeName || zone ? {...forNodes, ...zoneHints(zone)} : undefined;
    }
    default:
      return undefined;
  }
}

function isReady({conditions}: Endpoint): boolean {
  return conditions?.ready !== false;
}

/** Do two endpoints carry the same hints? */
export function sameHints(a: EndpointHints | undefined, b: EndpointHints | undefined): boolean {
  return a === b || textOf(a) === textOf(b);
}

function textOf(hints: EndpointHints | undefined): string {
  const names = (list: readonly {readonly name: string}[] | undefined) => (list ?? []).map(({name}) => name).join();
  return `${names(hints?.forNodes)}|${names(hints?.forZones)}`;
}
