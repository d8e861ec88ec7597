// The status of a Deployment: numbers summed over its sets, and the conditions Available, Progressing and ReplicaFailure.
//
// Progressing works like a stopwatch. Each sign of progress (more updated, ready or available pods, fewer old ones) sets its
// lastUpdateTime; when that lies further back than the deadline allows, the condition turns False. A completed rollout stops
// the watch, and until the next rollout no condition of single pods starts it again.
import type {Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import {findCondition, withoutCondition} from '../../../api/meta/conditions.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {desired, maxUnavailable, specReplicas, statusReplicas} from './arithmetic.ts';

type Conditions = readonly DeploymentCondition[];

/** The time, in both its forms. */
export interface Now {
  readonly nowMs: number;
  readonly now: string;
}

const NO_DEADLINE = 2_147_483_647;

/** Has it a deadline at all? */
export function hasDeadline({spec: {progressDeadlineSeconds}}: Deployment): boolean {
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_DEADLINE;
}

/** A condition as it is written now. */
export function condition(
  type: string,
  status: string,
  rest: {reason: string; message: string; now: string},
): DeploymentCondition {
  const {now, reason, message} = rest;
  return {type, status, reason, message, lastUpdateTime: now, lastTransitionTime: now};
}

/** The conditions with one set; nothing changes while its status and reason stay. A changed one goes to the end. */
export function setCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const old = findCondition(conditions, next.type);
  if (old && old.status === next.status && old.reason === next.reason) return conditions;
  const kept =
    old?.status === next.status ? {...next, lastTransitionTime: old.lastTransitionTime ?? next.lastUpdateTime ?? ''} : next;
  return [...withoutCondition(conditions, next.type), kept];
}

/** Numbers and availability, with the other conditions as they are. */
export function summedStatus(
  deployment: Deployment,
  sets: {readonly all: readonly ReplicaSet[]; readonly newSet: ReplicaSet | undefined},
  {conditions, now}: {readonly conditions: Conditions; readonly now: string},
): DeploymentStatus {
  const {all, newSet} = sets;
  const available = statusReplicas(all, 'availableReplicas');
  const enough = available >= desired(deployment) - maxUnavailable(deployment);
  const words = enough
    ? {reason: 'MinimumReplicasAvailable', message: 'Deployment has minimum availability.', now}
    : {reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.', now};
  const counts = {
    replicas: statusReplicas(all, 'replicas'),
    updatedReplicas: newSet ? statusReplicas([newSet], 'replicas') : 0,
    readyReplicas: statusReplicas(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, specReplicas(all) - available),
  };
  const collisions = deployment.status?.collisionCount;
  const going = terminating(all);
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(going === undefined ? {} : {terminatingReplicas: going}),
    ...(collisions === undefined ? {} : {collisionCount: collisions}),
    conditions: setCondition(conditions, condition('Available', enough ? 'True' : 'False', words)),
  };
}

/** Unknown as long as one set has not counted. */
function terminating(sets: readonly ReplicaSet[]): number | undefined {
  let sum = 0;
  for (const {status} of sets) {
    if (status?.terminatingReplicas === undefined) return undefined;
    sum += status.terminatingReplicas;
  }
  return sum;
}

/** The status with the stopwatch read, and the sets' failures taken over. */
export function rolloutStatus(
  deployment: Deployment,
  sets: {readonly all: readonly ReplicaSet[]; readonly newSet: ReplicaSet | undefined},
  {conditions, now, nowMs}: Now & {readonly conditions: Conditions},
): DeploymentStatus {
  const summed = summedStatus(deployment, sets, {conditions, now});
  let next = summed.conditions ?? [];
  if (!hasDeadline(deployment)) next = withoutCondition(next, 'Progressing');
  else
    next = progressCondition({...deployment, status: {...deployment.status, conditions}}, summed, {
      newSet: sets.newSet,
      now,
      nowMs,
    });
  const failure = failureOf(sets);
  next = failure
    ? setCondition(
        next,
        condition('ReplicaFailure', failure.status, {reason: failure.reason ?? '', message: failure.message ?? '', now}),
      )
    : withoutCondition(next, 'ReplicaFailure');
  return {...summed, conditions: next};
}

function progressCondition(
  deployment: Deployment,
  status: DeploymentStatus,
  {newSet, now, nowMs}: Now & {readonly newSet: ReplicaSet | undefined},
): Conditions {
  const conditions = status.conditions ?? [];
  const current = findCondition(deployment.status?.conditions, 'Progressing');
  // One set alone and a rollout that was completed: nothing is rolling out.
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable') return conditions;
  const subject = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const words = {reason: 'NewReplicaSetAvailable', message: `${subject} has successfully progressed.`, now};
    return setCondition(conditions, condition('Progressing', 'True', words));
  }
  if (hasProgressed(deployment.status, status)) {
    const words = {reason: 'ReplicaSetUpdated', message: `${subject} is progressing.`, now};
    const made = condition('Progressing', 'True', words);
    const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
    // Each sign of progress counts, also where nothing but the time would change.
    return [...withoutCondition(conditions, 'Progressing'), since === undefined ? made : {...made, lastTransitionTime: since}];
  }
  if (hasTimedOut(deployment, conditions, nowMs)) {
    const words = {reason: 'ProgressDeadlineExceeded', message: `${subject} has timed out progressing.`, now};
    return setCondition(conditions, condition('Progressing', 'False', words));
  }
  return conditions;
}

/** Are all pods new, there and available? */
export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const total = desired(deployment);
  return (
    (status?.updatedReplicas ?? 0) === total &&
    (status?.replicas ?? 0) === total &&
    (status?.availableReplicas ?? 0) === total &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed(old: DeploymentStatus | undefined, next: DeploymentStatus): boolean {
  const updated = (status: DeploymentStatus | undefined) => status?.updatedReplicas ?? 0;
  const outdated = (status: DeploymentStatus | undefined) => (status?.replicas ?? 0) - updated(status);
  return (
    updated(next) > updated(old) ||
    outdated(next) < outdated(old) ||
    (next.readyReplicas ?? 0) > (old?.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (old?.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, conditions: Conditions, nowMs: number): boolean {
  const progressing = findCondition(conditions, 'Progressing');
  if (!progressing || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  const due = deadlineOf(deployment, progressing);
  return due !== undefined && due < nowMs;
}

function deadlineOf({spec: {progressDeadlineSeconds = 0}}: Deployment, progressing: DeploymentCondition): number | undefined {
  const since = parseTime(progressing.lastUpdateTime);
  return since === undefined ? undefined : since + progressDeadlineSeconds * 1000;
}

/** The first failure of a set, the new one's before all others. */
function failureOf(sets: {readonly all: readonly ReplicaSet[]; readonly newSet: ReplicaSet | undefined}) {
  for (const set of sets.newSet ? [sets.newSet, ...sets.all] : sets.all) {
    const failure = findCondition(set.status?.conditions, 'ReplicaFailure');
    if (failure) return failure;
  }
  return undefined;
}

/** When to look at the deadline again, from now; undefined when no watch runs. */
export function deadlineAfterMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | undefined {
  const progressing = findCondition(status.conditions, 'Progressing');
  if (!hasDeadline(deployment) || !progressing || isComplete(deployment, status)) return undefined;
  if (progressing.reason === 'ProgressDeadlineExceeded' || progressing.reason === 'NewReplicaSetAvailable') return undefined;
  const due = deadlineOf(deployment, progressing);
  // Times are written in whole seconds, so one more makes sure that the deadline has passed.
  return due === undefined ? undefined : Math.max(0, due - nowMs) + 1000;
}
