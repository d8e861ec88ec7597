// Which devices a node reaches: those of its own slices, and of slices that belong to several nodes. Of a pool only the newest
// generation counts, and only when all of its slices are there.
import type {NodeSelector} from '../../../api/kinds/core-v1.ts';
import type {ResourceClaim, ResourceSlice} from '../../../api/kinds/resource-v1.ts';
import {compileTerms} from '../../../api/meta/node-selector.ts';
import type {Lookups} from '../lookups.ts';
import type {NodeInfo} from '../state/node-info.ts';
import type {PlacedDevice} from './allocate.ts';

/** A device, and the nodes that reach it: one by name, some by their labels, or all. */
export interface ReachableDevice extends PlacedDevice {
  readonly nodeName?: string;
  readonly nodeSelector?: NodeSelector;
}

/** What a node reaches. */
export interface Reach {
  readonly devices: readonly ReachableDevice[];
  /** The first pool that lacks slices. */
  readonly unfinished: string | undefined;
}

/** The devices that a node reaches, pool by pool. */
export function devicesOn(lookups: Lookups, node: NodeInfo): Reach {
  const pools = new Map<string, ResourceSlice[]>();
  for (const slice of lookups.slices(node.name)) {
    const key = `${slice.spec.driver}/${slice.spec.pool.name}`;
    const slices = pools.get(key) ?? [];
    const newest = slices[0]?.spec.pool.generation ?? 0;
    if (slice.spec.pool.generation < newest) continue;
    if (slice.spec.pool.generation > newest) slices.length = 0;
    slices.push(slice);
    pools.set(key, slices);
  }
  const sorted = [...pools].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    devices: sorted.flatMap(([, slices]) => (lacksSlices(slices) ? [] : devicesOf(slices, node))),
    unfinished: sorted.find(([, slices]) => lacksSlices(slices))?.[0],
  };
}

function lacksSlices(slices: readonly ResourceSlice[]): boolean {
  return slices.length < (slices[0]?.spec.pool.resourceSliceCount ?? 0);
}

function devicesOf(slices: readonly ResourceSlice[], node: NodeInfo): readonly ReachableDevice[] {
  const sorted = slices.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return sorted.flatMap(({spec}) =>
    (spec.devices ?? []).flatMap(device => {
      const at = spec.perDeviceNodeSelection ? device : spec;
      const terms = at.nodeSelector?.nodeSelectorTerms;
      const reached = at.allNodes || at.nodeName === node.name || (terms && compileTerms(terms)(node.labels, node.name));
      if (!reached) return [];
      const {driver, pool} = spec;
      const {nodeName, nodeSelector} = at;
      const place = {device, driver, pool: pool.name, id: `${driver}/${pool.name}/${device.name}`};
      return [{...place, ...(nodeName ? {nodeName} : {}), ...(nodeSelector ? {nodeSelector} : {})}];
    }),
  );
}

/** The devices that claims have, but for those that only look at them. */
export function allocatedDevices(claims: Iterable<ResourceClaim>): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const {status} of claims) {
    for (const {driver, pool, device, adminAccess} of status?.allocation?.devices?.results ?? []) {
      if (!adminAccess) taken.add(`${driver}/${pool}/${device}`);
    }
  }
  return taken;
}

/** The nodes from which all of some devices are reached; undefined for all nodes. */
export function nodesOf(devices: readonly ReachableDevice[], node: string): NodeSelector | undefined {
  if (devices.some(({nodeName}) => nodeName !== undefined)) {
    return {nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: [node]}]}]};
  }
  // Each device names one term; all of them must hold.
  const terms = devices.flatMap(({nodeSelector}) => nodeSelector?.nodeSelectorTerms ?? []);
  const matchExpressions = distinct(terms.flatMap(each => each.matchExpressions ?? []));
  const matchFields = distinct(terms.flatMap(each => each.matchFields ?? []));
  if (matchExpressions.length + matchFields.length === 0) return undefined;
  const term = {...(matchExpressions.length > 0 ? {matchExpressions} : {}), ...(matchFields.length > 0 ? {matchFields} : {})};
  return {nodeSelectorTerms: [term]};
}

function distinct<T extends object>(requirements: readonly T[]): readonly T[] {
  return [...new Map(requirements.map(each => [JSON.stringify(each), each])).values()];
}
