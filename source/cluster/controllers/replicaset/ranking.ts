// Which pods go first when there are too many. The order asks, one question after the other: does it have a node; how far has
// it come; is it ready; what does its owner say that losing it costs; how many of its kind share the node; how long has it been
// ready; how often did it restart; how long has it lived. Times are compared by magnitude (their binary logarithm), so that
// of pods of about the same age a random one goes and not always the youngest.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {parseTime} from '../../../api/meta/time.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: Readonly<Record<string, number>> = {Pending: 0, Unknown: 1, Running: 2};

interface Ranked {
  readonly pod: Pod;
  readonly assigned: number;
  readonly phase: number;
  readonly readyMs: number | undefined;
  readonly cost: number;
  readonly neighbours: number;
  readonly restarts: number;
  readonly createdMs: number;
}

/** The `count` pods to delete, first to go first. `related` are the active pods of all sets that share the set's owner. */
export function podsToDelete(
  pods: readonly Pod[],
  count: number,
  facts: {readonly related: readonly Pod[]; readonly nowMs: number},
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const {spec} of facts.related) if (spec.nodeName) onNode.set(spec.nodeName, (onNode.get(spec.nodeName) ?? 0) + 1);
  const ranked = pods.map(pod => rank(pod, onNode));
  ranked.sort((a, b) => compare(a, b, facts.nowMs));
  return ranked.slice(0, count).map(each => each.pod);
}

function rank(pod: Pod, onNode: ReadonlyMap<string, number>): Ranked {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  return {
    pod,
    assigned: pod.spec.nodeName ? 1 : 0,
    phase: PHASES[pod.status?.phase ?? ''] ?? 0,
    readyMs: ready?.status === 'True' ? (parseTime(ready.lastTransitionTime) ?? 0) : undefined,
    cost: deletionCost(pod),
    neighbours: onNode.get(pod.spec.nodeName ?? '') ?? 0,
    restarts: Math.max(0, ...(pod.status?.containerStatuses ?? []).map(status => status.restartCount)),
    createdMs: parseTime(pod.metadata.creationTimestamp) ?? 0,
  };
}

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[DELETION_COST];
  return text !== undefined && /^-?\d+$/.test(text) ? Number(text) : 0;
}

function compare(a: Ranked, b: Ranked, nowMs: number): number {
  return (
    a.assigned - b.assigned ||
    a.phase - b.phase ||
    Number(a.readyMs !== undefined) - Number(b.readyMs !== undefined) ||
    a.cost - b.cost ||
    b.neighbours - a.neighbours ||
    compareAges(a.readyMs, b.readyMs, nowMs) ||
    b.restarts - a.restarts ||
    compareAges(a.createdMs, b.createdMs, nowMs) ||
    compareText(a.pod.metadata.uid, b.pod.metadata.uid)
  );
}

/** The younger by magnitude first; of one magnitude, by uid; 0 only for equal times. */
function compareAges(a: number | undefined, b: number | undefined, nowMs: number): number {
  if (a === b || a === undefined || b === undefined) return 0;
  return magnitude(nowMs - a) - magnitude(nowMs - b);
}

/** The binary logarithm of a span's nanoseconds, rounded down; -1 for no span. */
function magnitude(spanMs: number): number {
  if (spanMs <= 0) return -1;
  // Whole-number arithmetic: a float's logarithm differs between machines.
  let bits = 0;
  for (let rest = Math.floor(spanMs * 1e6); rest > 1; rest = Math.floor(rest / 2)) bits++;
  return bits;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
