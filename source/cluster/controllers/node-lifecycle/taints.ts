// A node's conditions become taints. NoSchedule taints mirror the conditions at once; NoExecute ones, which drive pods away,
// are set and removed by the health watch at its own pace. Taints that others set are left alone.
import type {Node, Taint} from '../../../api/kinds/core-v1.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** Which status of which condition is which taint. */
const TAINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: {False: NOT_READY, Unknown: UNREACHABLE},
  MemoryPressure: {True: 'node.kubernetes.io/memory-pressure'},
  DiskPressure: {True: 'node.kubernetes.io/disk-pressure'},
  NetworkUnavailable: {True: 'node.kubernetes.io/network-unavailable'},
  PIDPressure: {True: 'node.kubernetes.io/pid-pressure'},
};
const OURS: ReadonlySet<string> = new Set([UNSCHEDULABLE, ...Object.values(TAINTS).flatMap(keys => Object.values(keys))]);

/** The node's taints with the NoSchedule ones that its conditions ask for; undefined when they are right. */
export function planNoSchedule(node: Node, now: string): readonly Taint[] | undefined {
  const wanted = new Set<string>();
  for (const {type, status} of node.status?.conditions ?? []) {
    const key = TAINTS[type]?.[status];
    if (key !== undefined) wanted.add(key);
  }
  if (node.spec.unschedulable) wanted.add(UNSCHEDULABLE);
  const taints = node.spec.taints ?? [];
  const isOurs = (taint: Taint) => taint.effect === 'NoSchedule' && OURS.has(taint.key);
  const kept = taints.filter(taint => !isOurs(taint) || wanted.has(taint.key));
  const present = new Set(taints.filter(isOurs).map(taint => taint.key));
  const added = [...wanted].filter(key => !present.has(key));
  if (added.length === 0 && kept.length === taints.length) return undefined;
  return [...kept, ...added.map((key): Taint => ({key, effect: 'NoSchedule', timeAdded: now}))];
}

/** The node's taints with the NoExecute one that goes with its Ready status; undefined when they are right. */
export function planNoExecute(node: Node, ready: string, now: string): readonly Taint[] | undefined {
  const wanted = TAINTS['Ready']?.[ready];
  const taints = node.spec.taints ?? [];
  const isOurs = ({effect, key}: Taint) => effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
  const kept = taints.filter(taint => !isOurs(taint) || taint.key === wanted);
  const missing = wanted !== undefined && !kept.some(taint => isOurs(taint) && taint.key === wanted);
  if (!missing) return kept.length === taints.length ? undefined : kept;
  return [...kept, {key: wanted, effect: 'NoExecute', timeAdded: now}];
}

/** Does it carry one of the health watch's NoExecute taints? */
export function isDriven(node: Node): boolean {
  return (node.spec.taints ?? []).some(({effect, key}) => effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE));
}
