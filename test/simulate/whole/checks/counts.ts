// As many pods as were asked for: no more at any time than a ReplicaSet says, and exactly so many at rest; each node has the daemons
// that it is to have; and nobody's owner is gone.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../../../../source/api/kinds/apps-v1.ts';
import type {Node, Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isActive} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {isLimited, listOf, nameOf, ownedPods, podsOf} from './reading.ts';

const OWNERS: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicasets',
  StatefulSet: 'statefulsets',
  DaemonSet: 'daemonsets',
  Job: 'jobs',
  ReplicationController: 'replicationcontrollers',
  Deployment: 'deployments',
  CronJob: 'cronjobs',
};
const KNOWN_MS = 3000;

function ofSet(state: State, set: ReplicaSet | StatefulSet): readonly string[] {
  if (set.metadata.deletionTimestamp) return [`${nameOf(set)} does not go`];
  const count = ownedPods(state, set).filter(isActive).length;
  const wanted = set.spec?.replicas ?? 1;
  if (count === wanted || (count < wanted && isLimited(state, set.metadata.namespace))) return [];
  // A pod that cannot come holds up those that are to go.
  if (set.kind === 'StatefulSet' && isInTheWay(state, set)) return [];
  // A StatefulSet that goes one by one waits for a pod that is not ready.
  if (set.kind === 'StatefulSet' && (set as StatefulSet).spec?.podManagementPolicy !== 'Parallel') {
    const isStuck = ownedPods(state, set).some(
      pod => !pod.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True'),
    );
    if (isStuck) return [];
  }
  return [`${nameOf(set)} has ${count} pods, not ${wanted}`];
}

/** A pod that somebody took from a StatefulSet by its labels still has its name. */
function isInTheWay(state: State, {metadata}: StatefulSet | ReplicaSet): boolean {
  return podsOf(state).some(
    pod =>
      pod.metadata.namespace === metadata.namespace &&
      pod.metadata.name?.replace(/-\d+$/, '') === metadata.name &&
      controllerOf(pod)?.uid !== metadata.uid,
  );
}

function ofDaemons(state: State, set: DaemonSet): readonly string[] {
  if (set.metadata.deletionTimestamp) return [`${nameOf(set)} does not go`];
  const pods = ownedPods(state, set).filter(isActive);
  const isUpdating = set.status?.updatedNumberScheduled !== set.status?.desiredNumberScheduled;
  return listOf<Node>(state, 'nodes').flatMap(node => {
    const name = node.metadata.name ?? '';
    const here = pods.filter(pod => target(pod) === name);
    if (here.length > 1 && !isUpdating) return [`${nameOf(set)} has ${here.length} pods on ${name}`];
    const wants = wantsDaemon(set, node);
    if (here.length === 0 && wants && !isLimited(state, set.metadata.namespace)) return [`${nameOf(set)} has no pod on ${name}`];
    return here.length > 0 && !wants && wantsNoDaemon(set, node) ? [`${nameOf(set)} has a pod on ${name}`] : [];
  });
}

function target(pod: Pod): string | undefined {
  const [term] = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return pod.spec.nodeName ?? term?.matchFields?.[0]?.values?.[0];
}

function tolerates({spec}: DaemonSet, taint: {key: string; effect: string}): boolean {
  if (
    ['unschedulable', 'not-ready', 'unreachable', 'disk-pressure', 'memory-pressure', 'pid-pressure'].some(
      name => taint.key === `node.kubernetes.io/${name}`,
    )
  )
    return true;
  return (spec?.template.spec?.tolerations ?? []).some(
    ({key, effect}) => (key === undefined || key === taint.key) && (effect === undefined || effect === taint.effect),
  );
}

function suits({spec}: DaemonSet, node: Node): boolean {
  return Object.entries(spec?.template.spec?.nodeSelector ?? {}).every(([key, value]) => node.metadata.labels?.[key] === value);
}

function wantsDaemon(set: DaemonSet, node: Node): boolean {
  return (
    suits(set, node) && (node.spec?.taints ?? []).every(taint => taint.effect === 'PreferNoSchedule' || tolerates(set, taint))
  );
}

/** A daemon that is there stays though a taint would keep a new one away. */
function wantsNoDaemon(set: DaemonSet, node: Node): boolean {
  return !suits(set, node) || (node.spec?.taints ?? []).some(taint => taint.effect === 'NoExecute' && !tolerates(set, taint));
}

function ofDeployment(state: State, deployment: Deployment): readonly string[] {
  if (deployment.metadata.deletionTimestamp) return [`${nameOf(deployment)} does not go`];
  const sets = listOf<ReplicaSet>(state, 'replicasets').filter(set => controllerOf(set)?.uid === deployment.metadata.uid);
  const sum = sets.reduce((total, set) => total + (set.spec?.replicas ?? 0), 0);
  const wanted = deployment.spec?.replicas ?? 1;
  const isDone = sets.every(
    set =>
      !set.spec?.replicas ||
      ownedPods(state, set)
        .filter(isActive)
        .every(pod => pod.status?.conditions?.some(({type, status}) => type === 'Ready' && status === 'True')),
  );
  if (sum !== wanted && isDone && !deployment.spec?.paused && !isLimited(state, deployment.metadata.namespace))
    return [`${nameOf(deployment)}: its sets want ${sum} pods, not ${wanted}`];
  return [];
}

function orphans(state: State): readonly string[] {
  const objects = ['pods', 'replicasets', 'jobs', 'controllerrevisions'].flatMap(resource => listOf<Pod>(state, resource));
  return objects.flatMap(object => {
    const owner = controllerOf(object);
    const resource = owner && OWNERS[owner.kind];
    if (!owner || !resource) return [];
    const found = listOf<Pod>(state, resource).find(({metadata}) => metadata.uid === owner.uid);
    return found ? [] : [`${nameOf(object)} belongs to ${owner.kind} ${owner.name}, which is gone`];
  });
}

export const COUNTS: Check = {
  change({resource, before, after}, {ledger, steadySince, world}) {
    if (resource !== 'pods' || before || !after || world.now - steadySince < 120_000) return undefined;
    const owner = controllerOf(after);
    if (owner?.kind !== 'ReplicaSet') return undefined;
    for (const state of ledger.recent(KNOWN_MS)) {
      const set = listOf<ReplicaSet>(state, 'replicasets').find(({metadata}) => metadata.uid === owner.uid);
      if (!set || ownedPods(ledger, set).filter(isActive).length <= (set.spec?.replicas ?? 1)) return undefined;
    }
    return `${nameOf(after)} is one more than ReplicaSet ${owner.name} wants`;
  },
  rest(state) {
    return [
      ...orphans(state),
      ...listOf<ReplicaSet>(state, 'replicasets').flatMap(set => ofSet(state, set)),
      ...listOf<DaemonSet>(state, 'daemonsets').flatMap(set => ofDaemons(state, set)),
      ...listOf<Deployment>(state, 'deployments').flatMap(deployment => ofDeployment(state, deployment)),
    ];
  },
  // A member whose name was in the way is tried again ever more seldom, and nobody hears when the name is free.
  late: state => listOf<StatefulSet>(state, 'statefulsets').flatMap(set => ofSet(state, set)),
};
