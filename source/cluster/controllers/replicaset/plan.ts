// How many pods a ReplicaSet has to make or take away, and what its status says. ReplicationControllers are the same with
// another name, so the plan takes what both have.
import type {ReplicaSetCondition, ReplicaSetStatus} from '../../../api/kinds/apps-v1.ts';
import type {Pod, PodTemplateSpec} from '../../../api/kinds/core-v1.ts';
import {findCondition, withoutCondition} from '../../../api/meta/conditions.ts';
import type {KubeObject} from '../../../api/meta/object.ts';
import {isAvailable, isReady} from '../../../api/meta/pod.ts';
import {podsToDelete} from './ranking.ts';

/** What ReplicaSets and ReplicationControllers have in common. */
export interface ReplicaKeeper extends KubeObject {
  readonly spec: {readonly replicas?: number; readonly minReadySeconds?: number; readonly template?: PodTemplateSpec};
  readonly status?: Partial<ReplicaSetStatus>;
}

/** Its pods. */
export interface Pods {
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
}

/** What is to be done about the number of pods. */
export interface Replication {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** No more than this many creates or deletes in one go. */
const BURST = 500;
const NOTHING: Replication = Object.freeze({create: 0, remove: Object.freeze([])});

/** Pods to make or to take away. `related` are the active pods of all sets with the same owner, for the choice of victims. */
export function planReplicas(
  set: ReplicaKeeper,
  active: readonly Pod[],
  facts: {readonly related: readonly Pod[]; readonly nowMs: number},
): Replication {
  if (set.metadata.deletionTimestamp !== undefined) return NOTHING;
  const surplus = active.length - wanted(set);
  if (surplus < 0) return {create: Math.min(-surplus, BURST), remove: []};
  if (surplus > 0) return {create: 0, remove: podsToDelete(active, Math.min(surplus, BURST), facts)};
  return NOTHING;
}

/** The status after a look. `failure` is what creating or deleting pods failed with. */
export function planStatus(
  set: ReplicaKeeper,
  pods: Pods,
  facts: {readonly failure: string | undefined; readonly nowMs: number; readonly now: string},
): ReplicaSetStatus {
  const labels = Object.entries(set.spec.template?.metadata?.labels ?? {});
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  let labelled = 0;
  let ready = 0;
  let available = 0;
  pods.active.forEach(pod => {
    const {labels: own = NO_LABELS} = pod.metadata;
    if (own === set.spec.template?.metadata?.labels || labels.every(([key, value]) => own[key] === value)) labelled++;
    if (!isReady(pod)) return;
    ready++;
    if (isAvailable(pod, minReadySeconds, facts.nowMs)) available++;
  });
  const conditions = failureConditions(set, pods.active.length, facts);
  return {
    replicas: pods.active.length,
    ...(labelled > 0 ? {fullyLabeledReplicas: labelled} : {}),
    ...(ready > 0 ? {readyReplicas: ready} : {}),
    ...(available > 0 ? {availableReplicas: available} : {}),
    terminatingReplicas: pods.terminating.length,
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length > 0 ? {conditions} : {}),
  };
}

const NO_LABELS: Readonly<Record<string, string>> = {};

/** The condition stays with its first words for as long as something fails. */
function failureConditions(
  set: ReplicaKeeper,
  active: number,
  {failure, now}: {readonly failure: string | undefined; readonly now: string},
): readonly ReplicaSetCondition[] {
  const conditions = set.status?.conditions ?? [];
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  if (findCondition(conditions, 'ReplicaFailure')) return conditions;
  const reason = active < wanted(set) ? 'FailedCreate' : 'FailedDelete';
  return [...conditions, {type: 'ReplicaFailure', status: 'True', reason, message: failure, lastTransitionTime: now}];
}

/** Does the status say anything new? */
export function isSameStatus(old: Partial<ReplicaSetStatus> | undefined, next: ReplicaSetStatus): boolean {
  return (
    old !== undefined &&
    old.replicas === next.replicas &&
    (old.fullyLabeledReplicas ?? 0) === (next.fullyLabeledReplicas ?? 0) &&
    (old.readyReplicas ?? 0) === (next.readyReplicas ?? 0) &&
    (old.availableReplicas ?? 0) === (next.availableReplicas ?? 0) &&
    old.terminatingReplicas === next.terminatingReplicas &&
    old.observedGeneration === next.observedGeneration &&
    (old.conditions ?? NO_CONDITIONS) === (next.conditions ?? NO_CONDITIONS)
  );
}

const NO_CONDITIONS: readonly ReplicaSetCondition[] = [];

/** The replicas that the spec wants. */
export function wanted(set: ReplicaKeeper): number {
  return set.spec.replicas ?? 1;
}
