// What stands beside the terminal, from what the player may see. Rows say what kubectl would print: they are the API server's own
// tables (api/tables).
import type {Event, Node, Pod} from '../../api/kinds/core-v1.ts';
import type {AnyObject, KubeObject} from '../../api/meta/object.ts';
import {podRequests} from '../../api/meta/pod-resources.ts';
import {unitValue} from '../../api/meta/quantity.ts';
import {builtin, type ResourceFacts} from '../../api/meta/resources.ts';
import {tableRows} from '../../api/tables/index.ts';
import type {World} from '../../world/world.ts';
import {heardOf} from './heard.ts';
import {focusOf, lampsOf, timeOf, type Seen} from './lamps.ts';
import type {EventRow, Light, NodeRow, ObjectRow, Panels} from './state.ts';

const pods = builtin('pods');
const nodes = builtin('nodes');
const services = builtin('services');
const events = builtin('events');
const deployments = builtin('apps', 'deployments');
const replicaSets = builtin('apps', 'replicasets');
const slices = builtin('discovery.k8s.io', 'endpointslices');

const EVENTS_SHOWN = 50;

/** All panels, as of now. */
export function panelsOf(world: World): Panels {
  const view = world.playerView;
  const all = <T>(resource: ResourceFacts) => view.all(resource) as unknown as readonly T[];
  const {staleMs} = view;
  const seen: Seen = {
    deployments: all(deployments),
    replicaSets: all(replicaSets),
    pods: all(pods),
    services: all(services),
    slices: all(slices),
    events: [...all<Event>(events)].sort((a, b) => (timeStamp(a) < timeStamp(b) ? -1 : 1)),
    stale: staleMs !== undefined,
  };
  const focus = focusOf(seen);
  return {
    lamps: lampsOf(seen, focus, heardOf(world, focus)),
    pathOf: focus.pod?.metadata.name ?? focus.deployment?.metadata.name ?? '',
    objects: objectRows(seen, world.wall),
    nodes: nodeRows(all<Node>(nodes), view.across(pods) as unknown as readonly Pod[] | undefined),
    warning: warningOf(seen.events),
    events: eventRows(seen.events, world.wall),
    staleSeconds: staleMs === undefined ? undefined : Math.round(staleMs / 1000),
  };
}

function timeStamp(event: Event): string {
  return event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp;
}

/** The cells of an object's row, by the name of their column. */
function cellsOf(resource: ResourceFacts, objects: readonly KubeObject[], now: number): readonly ReadonlyMap<string, string>[] {
  const {columnDefinitions, rows} = tableRows(resource, objects as readonly AnyObject[], now);
  return rows.map(({cells}) => new Map(columnDefinitions.map(({name}, index) => [name, String(cells[index] ?? '')])));
}

function objectRows(seen: Seen, now: number): readonly ObjectRow[] {
  const byOwner = (uid: string) => (object: KubeObject) =>
    object.metadata.ownerReferences?.some(owner => owner.uid === uid) === true;
  const rows: ObjectRow[] = [];
  for (const deployment of byName(seen.deployments)) {
    rows.push(row({resource: deployments, object: deployment, depth: 0, now}));
    const own = byName(seen.replicaSets.filter(byOwner(deployment.metadata.uid))).filter(
      set => (set.spec.replicas ?? 0) > 0 || (set.status?.replicas ?? 0) > 0,
    );
    for (const set of own) {
      rows.push(row({resource: replicaSets, object: set, depth: 1, now}));
      for (const pod of byName(seen.pods.filter(byOwner(set.metadata.uid))))
        rows.push(row({resource: pods, object: pod, depth: 2, now}));
    }
  }
  for (const pod of byName(seen.pods.filter(each => !each.metadata.ownerReferences?.some(owner => owner.kind === 'ReplicaSet'))))
    rows.push(row({resource: pods, object: pod, depth: 0, now}));
  for (const service of byName(seen.services)) rows.push(row({resource: services, object: service, depth: 0, now}));
  return rows;
}

function byName<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return [...objects].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

interface RowOf {
  readonly resource: ResourceFacts;
  readonly object: KubeObject;
  readonly depth: number;
  readonly now: number;
}

function row({resource, object, depth, now}: RowOf): ObjectRow {
  const cells = cellsOf(resource, [object], now)[0] ?? new Map<string, string>();
  const ready = resource.kind === 'ReplicaSet' ? `${cells.get('Ready')}/${cells.get('Desired')}` : (cells.get('Ready') ?? '');
  const status = cells.get('Status') ?? cells.get('Cluster-IP') ?? '';
  return {
    key: object.metadata.uid,
    kind: resource.kind,
    name: object.metadata.name,
    depth,
    ready,
    status,
    age: cells.get('Age') ?? '',
    light: lightOf(resource.kind, ready, status),
  };
}

function lightOf(kind: string, ready: string, status: string): Light {
  if (kind === 'Service') return 'ready';
  const [have, want] = ready.split('/');
  if (kind !== 'Pod') return have === want ? 'ready' : 'working';
  if (/BackOff|Err|OOM|Evicted|Invalid|Unknown|Failed/.test(status)) return 'broken';
  if (status === 'Completed') return 'ready';
  if (status === 'Running') return have === want ? 'ready' : 'working';
  return status === 'Pending' ? 'waiting' : 'working';
}

function nodeRows(list: readonly Node[], everywhere: readonly Pod[] | undefined): readonly NodeRow[] {
  const requested = new Map<string, number>();
  for (const pod of everywhere ?? []) {
    if (!pod.spec.nodeName || pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') continue;
    requested.set(pod.spec.nodeName, (requested.get(pod.spec.nodeName) ?? 0) + (podRequests(pod.spec)['memory'] ?? 0));
  }
  return byName(list).map(node => {
    const isUp = node.status?.conditions?.some(condition => condition.type === 'Ready' && condition.status === 'True') === true;
    const taint = node.spec.taints?.find(each => each.effect !== 'PreferNoSchedule');
    const short = taint ? `${taint.key.split('/').at(-1)}${taint.value ? `=${taint.value}` : ''}` : '';
    return {
      name: node.metadata.name,
      light: isUp ? 'ready' : 'broken',
      requestedBytes: everywhere && (requested.get(node.metadata.name) ?? 0),
      allocatableBytes: unitValue(node.status?.allocatable?.['memory']),
      note: node.spec.unschedulable ? 'cordoned' : short,
    };
  });
}

function warningOf(all: readonly Event[]): Panels['warning'] {
  const event = all.findLast(each => each.type === 'Warning');
  if (!event) return undefined;
  return {
    reason: event.reason ?? '',
    object: event.involvedObject.name ?? '',
    message: event.message ?? '',
    count: event.series?.count ?? event.count ?? 1,
  };
}

function eventRows(all: readonly Event[], now: number): readonly EventRow[] {
  const newest = all.slice(-EVENTS_SHOWN).reverse();
  const cells = cellsOf(events, newest as unknown as readonly KubeObject[], now);
  return newest.map((event, index) => {
    const {involvedObject, type = '', reason = '', message = ''} = event;
    return {
      age: cells[index]?.get('Last Seen') ?? timeOf(event),
      type,
      reason,
      object: `${(involvedObject.kind ?? '').toLowerCase()}/${involvedObject.name}`,
      message,
    };
  });
}
