// At rest a status is the truth, of the generation that is there.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../../../../source/api/kinds/apps-v1.ts';
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isAvailable, isReady, isTerminal} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check, Scene} from './check.ts';
import {differ, listOf, nameOf, ownedPods} from './reading.ts';

const KINDS = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'];

interface Counts {
  readonly pods: number;
  readonly ready: number;
  readonly available: number;
}

function count(pods: readonly Pod[], seconds: number, wall: number): Counts {
  const living = pods.filter(pod => !isTerminal(pod) && !pod.metadata.deletionTimestamp);
  return {
    pods: living.length,
    ready: living.filter(isReady).length,
    available: living.filter(pod => isAvailable(pod, seconds, wall)).length,
  };
}

/** A set whose pods are refused is looked at less and less often, and what it says grows old meanwhile. */
function isStuck(set: ReplicaSet | StatefulSet): boolean {
  return (set.status?.conditions ?? []).some(({type, status}) => type === 'ReplicaFailure' && status === 'True');
}

function ofSet(state: State, set: ReplicaSet | StatefulSet, wall: number): readonly string[] {
  if (isStuck(set)) return [];
  const {pods, ready, available} = count(ownedPods(state, set), set.spec?.minReadySeconds ?? 0, wall);
  // The same for a StatefulSet that cannot make a pod.
  if (set.kind === 'StatefulSet' && pods !== set.spec?.replicas) return [];
  const {replicas, readyReplicas, availableReplicas} = set.status ?? {};
  return differ(
    `${nameOf(set)}: [replicas, ready, available]`,
    [replicas ?? 0, readyReplicas ?? 0, availableReplicas ?? 0],
    [pods, ready, available],
  );
}

function ofDeployment(state: State, deployment: Deployment, wall: number): readonly string[] {
  const sets = listOf<ReplicaSet>(state, 'replicasets').filter(set => controllerOf(set)?.uid === deployment.metadata.uid);
  if (sets.some(isStuck)) return [];
  const {pods, ready, available} = count(
    sets.flatMap(set => ownedPods(state, set)),
    deployment.spec?.minReadySeconds ?? 0,
    wall,
  );
  const {replicas = 0, readyReplicas = 0, availableReplicas = 0, unavailableReplicas = 0} = deployment.status ?? {};
  const sum = sets.reduce((total, set) => total + (set.spec?.replicas ?? 0), 0);
  return differ(
    `${nameOf(deployment)}: [replicas, ready, available, unavailable]`,
    [replicas, readyReplicas, availableReplicas, unavailableReplicas],
    [pods, ready, available, Math.max(0, sum - available)],
  );
}

function ofDaemons(state: State, set: DaemonSet): readonly string[] {
  const {currentNumberScheduled = 0, desiredNumberScheduled = 0, numberReady = 0, numberMisscheduled = 0} = set.status ?? {};
  const pods = ownedPods(state, set).filter(pod => !isTerminal(pod) && !pod.metadata.deletionTimestamp);
  const ready = new Set(pods.filter(isReady).map(({spec}) => spec.nodeName)).size;
  if (numberMisscheduled > 0) return [];
  return [
    ...differ(`${nameOf(set)}: ready`, numberReady, ready),
    ...(currentNumberScheduled > desiredNumberScheduled
      ? [`${nameOf(set)}: ${currentNumberScheduled} of ${desiredNumberScheduled}`]
      : []),
  ];
}

export const STATUSES: Check = {
  rest(state, {world}: Scene) {
    const stale = KINDS.flatMap(kind => listOf<Deployment>(state, kind)).flatMap(object =>
      differ(`${nameOf(object)}: observedGeneration`, object.status?.observedGeneration, object.metadata.generation),
    );
    return [
      ...stale,
      ...[...listOf<ReplicaSet>(state, 'replicasets'), ...listOf<StatefulSet>(state, 'statefulsets')].flatMap(set =>
        ofSet(state, set, world.wall),
      ),
      ...listOf<Deployment>(state, 'deployments').flatMap(deployment => ofDeployment(state, deployment, world.wall)),
      ...listOf<DaemonSet>(state, 'daemonsets').flatMap(set => ofDaemons(state, set)),
    ];
  },
};
