// A rollout keeps its promises: never more pods asked for than maxSurge allows, and while nobody takes pods away never fewer available
// than maxUnavailable allows, once they were.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../../../../source/api/kinds/apps-v1.ts';
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isAvailable, isReady} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check, Scene} from './check.ts';
import {isLimited, listOf, nameOf, ownedPods} from './reading.ts';

const KNOWN_MS = 3000;

function part(share: number | string | undefined, of: number, up: boolean): number {
  if (typeof share === 'number') return share;
  const exact = (of * Number.parseInt(share ?? '25%')) / 100;
  return up ? Math.ceil(exact) : Math.floor(exact);
}

interface Bounds {
  readonly most: number;
  readonly least: number;
}

function boundsOf({spec}: Deployment): Bounds | undefined {
  if (spec?.strategy?.type === 'Recreate') return undefined;
  const replicas = spec?.replicas ?? 1;
  const {maxSurge, maxUnavailable} = spec?.strategy?.rollingUpdate ?? {};
  const surge = part(maxSurge, replicas, true);
  const unavailable = part(maxUnavailable, replicas, false);
  return {most: replicas + surge, least: replicas - (surge + unavailable === 0 ? 1 : unavailable)};
}

function setsOf(state: State, deployment: Deployment): readonly ReplicaSet[] {
  return listOf<ReplicaSet>(state, 'replicasets').filter(set => controllerOf(set)?.uid === deployment.metadata.uid);
}

function deploymentOf(state: State, object: Parameters<typeof controllerOf>[0]): Deployment | undefined {
  const owner = controllerOf(object);
  return owner && listOf<Deployment>(state, 'deployments').find(({metadata}) => metadata.uid === owner.uid);
}

function available(state: State, deployment: Deployment, wall: number): number {
  const seconds = deployment.spec?.minReadySeconds ?? 0;
  return setsOf(state, deployment)
    .flatMap(set => ownedPods(state, set))
    .filter(pod => !pod.metadata.deletionTimestamp && isAvailable(pod, seconds, wall)).length;
}

/** A set grew: is the sum still allowed, by what the deployment was lately? */
function surges(set: ReplicaSet, {ledger}: Scene): string | undefined {
  for (const state of ledger.recent(KNOWN_MS)) {
    const deployment = deploymentOf(state, set);
    const bounds = deployment && boundsOf(deployment);
    if (!deployment || !bounds) return undefined;
    const sum = setsOf(ledger, deployment).reduce((total, each) => total + (each.spec?.replicas ?? 0), 0);
    if (sum <= bounds.most) return undefined;
  }
  return `${nameOf(set)} grew to ${set.spec?.replicas}: more than the surge of its deployment`;
}

/** A set shrank: what may be gone then is what is not available, and what the deployment lets go. */
function sinks(old: ReplicaSet, set: ReplicaSet, {ledger, world}: Scene): string | undefined {
  let said: string | undefined;
  for (const state of ledger.recent(KNOWN_MS)) {
    const deployment = deploymentOf(state, set);
    const bounds = deployment && boundsOf(deployment);
    if (!deployment || !bounds) return undefined;
    const seconds = deployment.spec?.minReadySeconds ?? 0;
    const pods = ownedPods(state, old).filter(pod => !pod.metadata.deletionTimestamp);
    const well = pods.filter(pod => isAvailable(pod, seconds, world.wall)).length;
    // The set's own pods go, those that are not available first.
    const leaves = Math.max(0, well - Math.max(0, set.spec?.replicas ?? 0));
    const left = available(state, deployment, world.wall) - leaves;
    if (leaves === 0 || left >= bounds.least) return undefined;
    said ??= `${nameOf(set)} shrank from ${old.spec?.replicas} to ${set.spec?.replicas}: ${left} available are left, ${bounds.least} must be`;
  }
  return said;
}

const SIZE = 'deployment.kubernetes.io/desired-replicas';

export const ROLLOUTS: Check = {
  change({resource, before, after, who}, scene) {
    if (resource !== 'replicasets' || !after || !who.includes('controller-manager')) return undefined;
    const set = after as unknown as ReplicaSet;
    const old = before as unknown as ReplicaSet | undefined;
    const was = old?.spec?.replicas ?? 0;
    const is = set.spec?.replicas ?? 0;
    if (is > was) return surges(set, scene);
    // A Deployment that is made smaller in the middle of a rollout shrinks all its sets in proportion, whoever is well in them.
    if (old?.metadata.annotations?.[SIZE] !== set.metadata.annotations?.[SIZE]) return undefined;
    return old && is < was ? sinks(old, set, scene) : undefined;
  },
  rest: state => [
    ...listOf<Deployment>(state, 'deployments').flatMap(deployment => unfinished(state, deployment)),
    ...listOf<DaemonSet>(state, 'daemonsets').flatMap(set => staleDaemons(state, set)),
    ...listOf<StatefulSet>(state, 'statefulsets').flatMap(set => staleMembers(state, set)),
  ],
};

function areAllWell(pods: readonly Pod[]): boolean {
  return pods.every(pod => pod.metadata.deletionTimestamp === undefined && isReady(pod));
}

/** With all pods well and no brake, only the newest set has pods. */
function unfinished(state: State, deployment: Deployment): readonly string[] {
  const sets = setsOf(state, deployment);
  const pods = sets.flatMap(set => ownedPods(state, set));
  const asked = sets.reduce((sum, set) => sum + (set.spec?.replicas ?? 0), 0);
  if (deployment.spec?.paused || !areAllWell(pods) || pods.length < asked) return [];
  const revision = deployment.metadata.annotations?.[REVISION];
  const old = sets.filter(set => (set.spec?.replicas ?? 0) > 0 && set.metadata.annotations?.[REVISION] !== revision);
  return old.map(set => `${nameOf(deployment)} is at revision ${revision}, and ${nameOf(set)} still has pods`);
}

function staleDaemons(state: State, set: DaemonSet): readonly string[] {
  const {updatedNumberScheduled = 0, desiredNumberScheduled = 0} = set.status ?? {};
  const isFree = set.spec?.updateStrategy?.type !== 'OnDelete' && areAllWell(ownedPods(state, set));
  const isFull = set.status?.currentNumberScheduled === desiredNumberScheduled;
  // What a quota forbids does not come, however often it is tried.
  return isFree && isFull && !isLimited(state, set.metadata.namespace) && updatedNumberScheduled < desiredNumberScheduled
    ? [`${nameOf(set)} has updated ${updatedNumberScheduled} of ${desiredNumberScheduled}`]
    : [];
}

function staleMembers(state: State, set: StatefulSet): readonly string[] {
  const {updatedReplicas = 0, replicas = 0} = set.status ?? {};
  const {type, rollingUpdate} = set.spec?.updateStrategy ?? {};
  const isFree = type !== 'OnDelete' && !rollingUpdate?.partition && areAllWell(ownedPods(state, set));
  return isFree && replicas === set.spec?.replicas && updatedReplicas < replicas
    ? [`${nameOf(set)} has updated ${updatedReplicas} of ${replicas}`]
    : [];
}

const REVISION = 'deployment.kubernetes.io/revision';
