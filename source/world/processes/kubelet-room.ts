// What a kubelet's configuration says of the room on its node: how many pods, what is kept for the system, which settings of the
// kernel pods may change. Where it says nothing the node is as its description has it.
import {milliValue, unitValue} from '../../api/meta/quantity.ts';
import type {NodeConfig} from '../../cluster/kubelet/surroundings.ts';

type Amounts = Readonly<Record<string, string>>;

/** The part of a configuration that is about room. */
export interface RoomSettings {
  readonly maxPods: number | undefined;
  /** For the system, for Kubernetes, and what is never given away. */
  readonly reserved: readonly Amounts[];
  readonly allowedUnsafeSysctls: readonly string[];
}

export const STANDARD_ROOM: RoomSettings = {maxPods: undefined, reserved: [], allowedUnsafeSysctls: []};

/** Memory below which pods are evicted, which no pod gets. */
const EVICTION_MEMORY = '100Mi';

export function roomOf(fields: Readonly<Record<string, unknown>>): RoomSettings {
  const amounts = (name: string) => fields[name] as Amounts | undefined;
  const kept = [amounts('kubeReserved'), amounts('systemReserved')].filter(each => each !== undefined);
  const memory = amounts('evictionHard')?.['memory.available'] ?? EVICTION_MEMORY;
  const list = fields['allowedUnsafeSysctls'];
  return {
    maxPods: typeof fields['maxPods'] === 'number' && fields['maxPods'] > 0 ? fields['maxPods'] : undefined,
    reserved: kept.length > 0 ? [...kept, ...(memory.endsWith('%') ? [] : [{memory}])] : [],
    allowedUnsafeSysctls: Array.isArray(list) ? list.map(String) : [],
  };
}

/** A node's capacity and what of it pods may have. */
export function withRoom(
  node: Pick<NodeConfig, 'capacity' | 'allocatable'>,
  {maxPods, reserved}: RoomSettings,
): Pick<NodeConfig, 'capacity' | 'allocatable'> {
  const pods: Amounts = maxPods === undefined ? {} : {pods: String(maxPods)};
  const capacity: Record<string, string> = {...node.capacity, ...pods};
  if (reserved.length === 0) return {capacity, allocatable: {...node.allocatable, ...pods}};
  const allocatable = {...capacity};
  for (const resource of Object.keys(capacity)) {
    const all = reserved.flatMap(each => each[resource] ?? []);
    if (all.length > 0) allocatable[resource] = less(resource, capacity[resource] ?? '0', all);
  }
  return {capacity, allocatable};
}

function less(resource: string, whole: string, kept: readonly string[]): string {
  const measure = resource === 'cpu' ? milliValue : unitValue;
  const rest = Math.max(
    0,
    kept.reduce((left, each) => left - measure(each), measure(whole)),
  );
  if (resource === 'cpu') return rest % 1000 === 0 ? String(rest / 1000) : `${rest}m`;
  return resource === 'memory' && rest % 1024 === 0 ? `${rest / 1024}Ki` : String(rest);
}
