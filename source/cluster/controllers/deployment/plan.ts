// What a Deployment does about its ReplicaSets.
//
// A Deployment owns one ReplicaSet for each template it ever had, named by the template's hash. A look at it makes the new set
// if there is none, then moves pods from the old sets to it: in a rolling update one side at a time, as far as surge and
// availability allow; with Recreate all old pods go, also those that take their time, before the first new one comes. A change
// of the wanted number alone is no rollout: the sets grow and shrink in proportion. While paused, only that happens.
//
// A look decides from what it sees and writes; what its writes change brings the next look.
import type {Deployment, DeploymentStatus, ReplicaSet} from '../../../api/kinds/apps-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import type {Happening} from '../../../client/events.ts';
import {controllerReference} from '../ownership.ts';
import {isSameValue} from '../same-value.ts';
import {newSetAnnotations, REVISION, revisionOf, withSizes} from './annotations.ts';
import {isRolling, newSetSize, statusReplicas} from './arithmetic.ts';
import {selectingHash, withHash} from './labels.ts';
import {Draft, isScaling, roll, scaleAll, type SetChange} from './scaling.ts';
import {activeSets, byRevision, findNewSet, hashOf} from './sets.ts';
import {
  condition,
  deadlineAfterMs,
  hasDeadline,
  isComplete,
  rolloutStatus,
  setCondition,
  summedStatus,
  type Now,
} from './status.ts';

export const DEPLOYMENT_KIND = Object.freeze({apiVersion: 'apps/v1', kind: 'Deployment'});

/** What is to be written, in this order. */
export interface DeploymentPlan {
  readonly create: {readonly set: ReplicaSet; readonly events: readonly Happening[]} | undefined;
  readonly changes: readonly SetChange[];
  readonly remove: readonly ReplicaSet[];
  /** The Deployment with its new status and revision, where that differs. */
  readonly status: Deployment | undefined;
  /** When to look again although nothing happened. */
  readonly afterMs: number | undefined;
}

/** All that is looked at: the sets that it owns, and whether pods of sets but the new one are still there. */
export interface Seen extends Now {
  readonly deployment: Deployment;
  readonly sets: readonly ReplicaSet[];
  /** How many pods that have not ended each set has, by uid; those that are going too. Asked for with Recreate alone. */
  readonly running: ReadonlyMap<string, number>;
}

/** Plans one look. */
export function planDeployment(seen: Seen): DeploymentPlan {
  const {deployment} = seen;
  const newSet = findNewSet(deployment, seen.sets);
  const draft = new Draft(deployment, seen.sets, newSet);
  if (deployment.metadata.deletionTimestamp !== undefined) return finish(draft, seen, {rolling: false});
  const paused = deployment.spec.paused === true;
  renewAnnotations(draft);
  if (paused || isScaling(draft)) {
    scaleAll(draft);
    return finish(draft, seen, {rolling: false, remove: paused ? superfluous(draft) : []});
  }
  const progress = isRolling(deployment) ? rollSets(draft) : recreateSets(draft, seen.running);
  const remove = progress.done && isComplete(deployment, deployment.status) ? superfluous(draft) : [];
  return finish(draft, seen, {rolling: true, create: progress.create, remove});
}

interface Progress {
  readonly create: DeploymentPlan['create'];
  /** No size was changed. */
  readonly done: boolean;
}

function rollSets(draft: Draft): Progress {
  if (!draft.newSet) return {create: newSet(draft), done: false};
  roll(draft);
  return {create: undefined, done: draft.scalings === 0};
}

function recreateSets(draft: Draft, running: ReadonlyMap<string, number>): Progress {
  const active = activeSets(draft.old);
  for (const set of active) draft.scale(set, 0);
  if (active.length > 0 || oldPodsRun(draft, running)) return {create: undefined, done: false};
  if (!draft.newSet) return {create: newSet(draft), done: false};
  const scaled = draft.scale(draft.newSet, draft.deployment.spec.replicas ?? 1);
  return {create: undefined, done: !scaled};
}

function oldPodsRun({old, newSet}: Draft, running: ReadonlyMap<string, number>): boolean {
  if (statusReplicas(old, 'replicas') > 0) return true;
  for (const [uid, count] of running) if (count > 0 && uid !== newSet?.metadata.uid) return true;
  return false;
}

/** A set for the template, as large as the rules allow at once. */
function newSet(draft: Draft): NonNullable<DeploymentPlan['create']> {
  const {deployment, old} = draft;
  const {name, namespace = ''} = deployment.metadata;
  const hash = hashOf(deployment);
  const {template, selector, minReadySeconds} = deployment.spec;
  const labels = withHash(template.metadata?.labels, hash);
  const size = newSetSize(deployment, old, 0);
  const annotations = withSizes(deployment, newSetAnnotations(deployment, undefined, greatestRevision(old)));
  const set: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    // The server adds what is missing.
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations,
      ownerReferences: [controllerReference(deployment, DEPLOYMENT_KIND)],
    } as unknown as ObjectMeta,
    spec: {
      replicas: size,
      ...(minReadySeconds ? {minReadySeconds} : {}),
      selector: selectingHash(selector, hash),
      template: {...template, metadata: {...template.metadata, labels} as ObjectMeta},
    },
  };
  draft.add(set);
  const message = `Scaled up replica set ${set.metadata.name} from 0 to ${size}`;
  return {set, events: size > 0 ? [{type: 'Normal', reason: 'ScalingReplicaSet', message}] : []};
}

/** The new set carries the highest revision, the Deployment's annotations and its minReadySeconds. */
function renewAnnotations(draft: Draft): void {
  const {deployment, newSet: set, old} = draft;
  if (!set) return;
  const annotations = newSetAnnotations(deployment, set.metadata.annotations, greatestRevision(old));
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const patient = (set.spec.minReadySeconds ?? 0) !== minReadySeconds;
  if (annotations === set.metadata.annotations && !patient) return;
  const spec = patient ? {...set.spec, minReadySeconds} : set.spec;
  draft.change(set, {...set, metadata: {...set.metadata, annotations}, spec});
}

function greatestRevision(sets: readonly ReplicaSet[]): number {
  return sets.reduce((greatest, set) => Math.max(greatest, revisionOf(set)), 0);
}

/** Old sets beyond the history limit that have no pods, the oldest revisions. */
function superfluous({deployment, old}: Draft): readonly ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit;
  if (limit === undefined || limit === 2_147_483_647) return [];
  const alive = old.filter(set => set.metadata.deletionTimestamp === undefined);
  const over = byRevision(alive).slice(0, Math.max(0, alive.length - limit));
  return over.filter(
    set =>
      (set.status?.replicas ?? 0) === 0 &&
      (set.spec.replicas ?? 1) === 0 &&
      (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0),
  );
}

function finish(
  draft: Draft,
  seen: Seen,
  how: {readonly rolling: boolean; readonly create?: DeploymentPlan['create']; readonly remove?: readonly ReplicaSet[]},
): DeploymentPlan {
  const {deployment} = seen;
  const sets = {all: [...draft.old, ...(draft.newSet ? [draft.newSet] : [])], newSet: draft.newSet};
  const conditions = openingConditions(seen, draft.newSet, how.create !== undefined);
  const status = how.rolling
    ? rolloutStatus(deployment, sets, {conditions, now: seen.now, nowMs: seen.nowMs})
    : summedStatus(deployment, sets, {conditions, now: seen.now});
  return {
    create: how.create,
    changes: draft.changes,
    remove: how.remove ?? [],
    status: changed(deployment, status, draft.newSet?.metadata.annotations?.[REVISION]),
    afterMs: how.rolling ? deadlineAfterMs(deployment, status, seen.nowMs) : undefined,
  };
}

/** The conditions after what begins a look: pausing and resuming stop the watch, a new or found set starts it. */
function openingConditions(
  seen: Seen,
  set: ReplicaSet | undefined,
  created: boolean,
): NonNullable<DeploymentStatus['conditions']> {
  const {deployment, now} = seen;
  const conditions = deployment.status?.conditions ?? [];
  if (!hasDeadline(deployment) || deployment.metadata.deletionTimestamp !== undefined) return conditions;
  const progressing = findCondition(conditions, 'Progressing');
  const progress = (status: string, reason: string, message: string) =>
    setCondition(conditions, condition('Progressing', status, {reason, message, now}));
  if (created && set) return progress('True', 'NewReplicaSetCreated', `Created new replica set "${set.metadata.name}"`);
  if (progressing?.reason === 'ProgressDeadlineExceeded') return conditions;
  const wasPaused = progressing?.reason === 'DeploymentPaused';
  if (deployment.spec.paused && !wasPaused) return progress('Unknown', 'DeploymentPaused', 'Deployment is paused');
  if (!deployment.spec.paused && wasPaused) return progress('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  if (!progressing && set) return progress('True', 'FoundNewReplicaSet', `Found new replica set "${set.metadata.name}"`);
  return conditions;
}

function changed(deployment: Deployment, status: DeploymentStatus, revision: string | undefined): Deployment | undefined {
  const {annotations} = deployment.metadata;
  const renumbered = revision !== undefined && annotations?.[REVISION] !== revision;
  if (!renumbered && isSameStatus(deployment.status ?? {}, status)) return undefined;
  const metadata = renumbered
    ? {...deployment.metadata, annotations: {...annotations, [REVISION]: revision}}
    : deployment.metadata;
  return {...deployment, metadata, status};
}

/** Are all fields equal, where none and 0 mean the same? Conditions are compared one by one. */
export function isSameStatus(old: DeploymentStatus, next: DeploymentStatus): boolean {
  for (const field of [
    'observedGeneration',
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
  ] as const) {
    if ((old[field] ?? 0) !== (next[field] ?? 0)) return false;
  }
  if (old.terminatingReplicas !== next.terminatingReplicas || old.collisionCount !== next.collisionCount) return false;
  const left = old.conditions ?? [];
  const right = next.conditions ?? [];
  return isSameValue(left, right);
}
