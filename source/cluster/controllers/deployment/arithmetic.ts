// The numbers of a rolling update. Percentages of maxSurge round up and those of maxUnavailable round down, so that a rollout
// has more pods rather than fewer; where both come to nothing, one pod may be missing, or nothing would ever move.
import type {Deployment, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import {scaled} from '../scaled.ts';

/** How many pods a Deployment wants. */
export function desired(deployment: Deployment): number {
  return deployment.spec.replicas ?? 1;
}

/** Does it roll, rather than stop everything first? */
export function isRolling(deployment: Deployment): boolean {
  return deployment.spec.strategy?.type !== 'Recreate';
}

/** How many pods there may be beyond the wanted number. */
export function maxSurge(deployment: Deployment): number {
  return isRolling(deployment)
    ? scaled(deployment.spec.strategy?.rollingUpdate?.maxSurge ?? '25%', desired(deployment), true)
    : 0;
}

/** How many of the wanted pods may be missing. */
export function maxUnavailable(deployment: Deployment): number {
  const total = desired(deployment);
  if (!isRolling(deployment) || total === 0) return 0;
  const missing = scaled(deployment.spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', total, false);
  if (missing === 0 && maxSurge(deployment) === 0) return 1;
  return Math.min(missing, total);
}

/** The pods that sets want, together. */
export function specReplicas(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + (set.spec.replicas ?? 1), 0);
}

/** A number of the sets' statuses, together. */
export function statusReplicas(sets: readonly ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number {
  return sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
}

/** The size of a new set, given all sets: as far as the surge allows, and never more than is wanted. */
export function newSetSize(deployment: Deployment, sets: readonly ReplicaSet[], current: number): number {
  const total = desired(deployment);
  if (!isRolling(deployment)) return total;
  const room = total + maxSurge(deployment) - specReplicas(sets);
  return room <= 0 ? current : current + Math.min(room, total - current);
}

/** A set's share when a rollout in progress is scaled: in proportion to its size before. */
export function proportion(
  deployment: Deployment,
  set: ReplicaSet,
  before: {readonly max: number | undefined; readonly left: number},
): number {
  const size = set.spec.replicas ?? 1;
  if (size === 0 || before.left === 0) return 0;
  const fraction = fractionOf(deployment, size, before.max);
  return before.left > 0 ? Math.min(fraction, before.left) : Math.max(fraction, before.left);
}

function fractionOf(deployment: Deployment, size: number, maxBefore: number | undefined): number {
  const total = desired(deployment);
  if (total === 0) return -size;
  const base = maxBefore || (deployment.status?.replicas ?? 0);
  if (base === 0) return 0;
  return Math.round((size * (total + maxSurge(deployment))) / base) - size;
}
