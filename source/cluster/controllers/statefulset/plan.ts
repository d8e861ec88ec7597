// What a StatefulSet does next. With ordered management it is one thing at a time: the lowest ordinal that is missing or not yet
// available holds up all the rest; only when all are well does a surplus pod go (the highest first), and only then is a pod
// replaced by one of a newer revision. With parallel management nobody waits for anybody when pods come and go.
//
// A pod that never becomes ready therefore blocks an update for good, also the one that would mend it: somebody has to delete
// it. That is how the real one behaves.
import type {ControllerRevision, StatefulSet, StatefulSetStatus} from '../../../api/kinds/apps-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {isAvailable, isReady, isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {scaled} from '../scaled.ts';
import {firstOrdinal, isWanted, ordinalOf, revisionOf, wantedPods} from './identity.ts';

/** What is looked at. */
export interface Seen {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  /** The revision that pods go back to until an update is complete. */
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly nowMs: number;
}

/** What to do, in this order. */
export interface SetPlan {
  /** Ordinals to make, each with its revision. */
  readonly create: readonly {readonly ordinal: number; readonly revision: ControllerRevision}[];
  /** Pods that ended by themselves. */
  readonly ended: readonly Pod[];
  readonly remove: readonly Pod[];
  /** Pods that do not run yet: a claim of theirs may be missing. */
  readonly pending: readonly Pod[];
  /** Pods that stay, and are to be who they are: their labels and the owners of their claims are looked after. */
  readonly tend: readonly Pod[];
  /** Pods that leave, whose claims may go with them. */
  readonly leaving: readonly Pod[];
}

/** Plans one look. */
export function planSet(seen: Seen): SetPlan {
  const {set, pods} = seen;
  const first = firstOrdinal(set);
  const members = new Map<number, Pod>();
  const condemned: Pod[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    if (isWanted(set, ordinal)) members.set(ordinal, pod);
    else condemned.push(pod);
  }
  condemned.sort((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  const plan: Mutable = {create: [], ended: [], remove: [], pending: [], tend: [], leaving: []};
  if (set.metadata.deletionTimestamp !== undefined) return plan;
  for (let ordinal = first; ordinal < first + wantedPods(set); ordinal++) {
    if (replicaStops(seen, ordinal, members.get(ordinal), plan)) return plan;
  }
  plan.leaving.push(...condemned);
  if (leaversStop(seen, [...members.values()], plan)) return plan;
  if (set.spec.updateStrategy?.type !== 'OnDelete' && plan.create.length === 0) replaceOutdated(seen, members, plan);
  return plan;
}

type Mutable = {
  create: {ordinal: number; revision: ControllerRevision}[];
  ended: Pod[];
  remove: Pod[];
  pending: Pod[];
  tend: Pod[];
  leaving: Pod[];
};

function isOrdered(set: StatefulSet): boolean {
  return set.spec.podManagementPolicy !== 'Parallel';
}

/** Looks after one ordinal; true when all else has to wait. */
function replicaStops(seen: Seen, ordinal: number, pod: Pod | undefined, plan: Mutable): boolean {
  const ordered = isOrdered(seen.set);
  if (!pod) {
    plan.create.push({ordinal, revision: revisionFor(seen, ordinal)});
    return ordered;
  }
  if (isTerminal(pod)) {
    if (!isTerminating(pod)) plan.ended.push(pod);
    return ordered;
  }
  if (pod.status?.phase === 'Pending') plan.pending.push(pod);
  if (ordered && (isTerminating(pod) || !available(seen, pod))) return true;
  plan.tend.push(pod);
  return false;
}

/** Below the partition, and in what is left of the old revision, pods come back as they were. */
function revisionFor({set, current, update}: Seen, ordinal: number): ControllerRevision {
  const {type, rollingUpdate} = set.spec.updateStrategy ?? {};
  if (type === 'OnDelete') return update;
  const offset = ordinal - firstOrdinal(set);
  const old = rollingUpdate?.partition === undefined ? (set.status?.currentReplicas ?? 0) : rollingUpdate.partition;
  return offset < old ? current : update;
}

/** Lets surplus pods go, the highest first; true when all else has to wait. */
function leaversStop(seen: Seen, members: readonly Pod[], plan: Mutable): boolean {
  const ordered = isOrdered(seen.set);
  const unwell = [...members, ...plan.leaving].filter(pod => !isWell(seen, pod));
  const firstUnwell = unwell.toSorted((a, b) => (ordinalOf(seen.set, a) ?? 0) - (ordinalOf(seen.set, b) ?? 0))[0];
  for (const pod of plan.leaving) {
    if (isTerminating(pod)) {
      if (ordered) return true;
      continue;
    }
    if (ordered && !available(seen, pod) && pod !== firstUnwell) return true;
    plan.remove.push(pod);
    if (ordered) return true;
  }
  return false;
}

function replaceOutdated(seen: Seen, members: ReadonlyMap<number, Pod>, plan: Mutable): void {
  const {set, update} = seen;
  const {partition = 0, maxUnavailable} = set.spec.updateStrategy?.rollingUpdate ?? {};
  const first = firstOrdinal(set);
  const down = [...members.entries()].filter(([ordinal]) => ordinal >= first + partition).toSorted(([a], [b]) => b - a);
  const most = Math.max(1, scaled(maxUnavailable ?? 1, wantedPods(set), false));
  let unavailable = most > 1 ? [...members.values()].filter(pod => !isWell(seen, pod)).length : 0;
  for (const [, pod] of down) {
    const outdated = revisionOf(pod) !== update.metadata.name && !isTerminating(pod);
    if (outdated) {
      if (most > 1 && unavailable >= most) return;
      plan.remove.push(pod);
      if (++unavailable >= most) return;
    } else if (most === 1 && !isWell(seen, pod)) return;
  }
}

function isWell(seen: Seen, pod: Pod): boolean {
  return !isTerminating(pod) && available(seen, pod);
}

function available({set, nowMs}: Seen, pod: Pod): boolean {
  return pod.status?.phase === 'Running' && isAvailable(pod, set.spec.minReadySeconds ?? 0, nowMs);
}

/** The status: counts, and the revisions; an update that is complete makes its revision the current one. */
export function planStatus(seen: Seen): StatefulSetStatus {
  const {set, current, update} = seen;
  const counts = {replicas: 0, ready: 0, available: 0, current: 0, updated: 0};
  for (const pod of seen.pods) {
    if (ordinalOf(set, pod) === undefined) continue;
    counts.replicas++;
    if (pod.status?.phase === 'Running' && isReady(pod)) counts.ready++;
    if (available(seen, pod)) counts.available++;
    if (isTerminating(pod)) continue;
    if (revisionOf(pod) === current.metadata.name) counts.current++;
    if (revisionOf(pod) === update.metadata.name) counts.updated++;
  }
  const rolling = set.spec.updateStrategy?.type !== 'OnDelete';
  const complete =
    rolling && counts.updated === counts.replicas && counts.ready === counts.replicas && counts.replicas === wantedPods(set);
  const currentCount = complete ? counts.updated : counts.current;
  return {
    replicas: counts.replicas,
    ...(counts.ready > 0 ? {readyReplicas: counts.ready} : {}),
    availableReplicas: counts.available,
    ...(currentCount > 0 ? {currentReplicas: currentCount} : {}),
    ...(counts.updated > 0 ? {updatedReplicas: counts.updated} : {}),
    currentRevision: complete ? update.metadata.name : current.metadata.name,
    updateRevision: update.metadata.name,
    collisionCount: set.status?.collisionCount ?? 0,
    observedGeneration: set.metadata.generation ?? 0,
  };
}
