// The pages of the workloads: Deployment, ReplicaSet, DaemonSet, StatefulSet.
import type {DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../../api/kinds/apps-v1.ts';
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {controllerOf, type AnyObject} from '../../api/meta/object.ts';
import {requirementsText, selectorRequirements, selectorText, labelsText} from '../../api/meta/selector.ts';
import {Failure} from '../failure.ts';
import {podsOf} from '../resources/pods.ts';
import {replicaSetsOf, splitReplicaSets} from '../resources/revisions.ts';
import {addClaims} from './claims.ts';
import {timeText, type Describer, type Surroundings} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';
import {addTemplate} from './template.ts';

export const describeDeployment: Describer = async (object, around) => {
  const deployment = object as unknown as Deployment;
  const {metadata, spec, status} = deployment;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Selector', selectorText(spec?.selector));
  const {updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0} = status ?? {};
  lines.field(
    0,
    'Replicas',
    `${spec?.replicas ?? 0} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`,
  );
  lines.field(0, 'StrategyType', spec?.strategy?.type ?? '');
  lines.field(0, 'MinReadySeconds', String(spec?.minReadySeconds ?? 0));
  const rolling = spec?.strategy?.rollingUpdate;
  if (rolling)
    lines.field(
      0,
      'RollingUpdateStrategy',
      `${rolling.maxUnavailable ?? ''} max unavailable, ${rolling.maxSurge ?? ''} max surge`,
    );
  addTemplate(lines, spec?.template);
  addConditions(lines, status?.conditions);
  await addReplicaSets(lines, deployment, around);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

type Conditions = readonly {readonly type: string; readonly status: string; readonly reason?: string}[] | undefined;

function addConditions(lines: Lines, conditions: Conditions): void {
  if (!conditions || conditions.length === 0) return;
  lines.raw('Conditions:\n  Type\tStatus\tReason\n  ----\t------\t------\n');
  for (const {type, status, reason = ''} of conditions) lines.add(1, `${type} \t${status}\t${reason}`);
}

async function addReplicaSets(lines: Lines, deployment: Deployment, {session}: Surroundings): Promise<void> {
  const sets = await replicaSetsOf(session, deployment as unknown as AnyObject);
  if (sets instanceof Failure || sets.length === 0) return;
  const {newest, older} = splitReplicaSets(deployment, sets);
  lines.field(0, 'OldReplicaSets', setsText(older));
  lines.field(0, 'NewReplicaSet', setsText(newest ? [newest] : []));
}

function setsText(sets: readonly ReplicaSet[]): string {
  return (
    sets
      .map(({metadata, spec, status}) => `${metadata.name} (${status?.replicas ?? 0}/${spec?.replicas ?? 0} replicas created)`)
      .join(', ') || '<none>'
  );
}

/** How many pods of a controller are in each phase. */
export async function podsText(object: AnyObject, {session}: Surroundings): Promise<string> {
  const {selector} = (object.spec ?? {}) as {selector?: LabelSelector | Readonly<Record<string, string>>};
  const text =
    object.kind === 'ReplicationController'
      ? Object.entries(selector ?? {})
          .map(([key, value]) => `${key}=${String(value)}`)
          .join(',')
      : requirementsText(selectorRequirements((selector ?? {}) as LabelSelector));
  const pods = await podsOf(session, object.metadata.namespace ?? '', text);
  if (pods instanceof Failure) return `error in fetching pods: ${pods.message}`;
  const own = pods.filter(pod => controllerOf(pod as unknown as AnyObject)?.uid === object.metadata.uid);
  const count = (phase: string) => own.filter((pod: Pod) => pod.status?.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

export const describeReplicaSet: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as ReplicaSet;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(
    0,
    'Selector',
    object.kind === 'ReplicationController'
      ? labelsText(spec?.selector as unknown as Readonly<Record<string, string>>)
      : selectorText(spec?.selector),
  );
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  const owner = controllerOf(object);
  if (owner && object.kind === 'ReplicaSet') lines.field(0, 'Controlled By', `${owner.kind}/${owner.name}`);
  lines.field(0, 'Replicas', `${status?.replicas ?? 0} current / ${spec?.replicas ?? 0} desired`);
  lines.field(0, 'Pods Status', await podsText(object, around));
  addTemplate(lines, spec?.template);
  addConditions(lines, status?.conditions);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeDaemonSet: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as DaemonSet;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(0, 'Selector', selectorText(spec?.selector));
  lines.field(0, 'Node-Selector', labelsText(spec?.template.spec?.nodeSelector));
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  const {
    desiredNumberScheduled = 0,
    currentNumberScheduled = 0,
    updatedNumberScheduled = 0,
    numberAvailable = 0,
    numberMisscheduled = 0,
  } = status ?? {};
  lines.add(0, `Desired Number of Nodes Scheduled: ${desiredNumberScheduled}`);
  lines.add(0, `Current Number of Nodes Scheduled: ${currentNumberScheduled}`);
  lines.add(0, `Number of Nodes Scheduled with Up-to-date Pods: ${updatedNumberScheduled}`);
  lines.add(0, `Number of Nodes Scheduled with Available Pods: ${numberAvailable}`);
  lines.add(0, `Number of Nodes Misscheduled: ${numberMisscheduled}`);
  lines.field(0, 'Pods Status', await podsText(object, around));
  addTemplate(lines, spec?.template);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

export const describeStatefulSet: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as StatefulSet;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  lines.field(0, 'Selector', selectorText(spec?.selector));
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Replicas', `${spec?.replicas ?? 0} desired | ${status?.replicas ?? 0} total`);
  lines.field(0, 'Update Strategy', spec?.updateStrategy?.type ?? '');
  const rolling = spec?.updateStrategy?.rollingUpdate;
  if (rolling?.partition !== undefined) lines.field(1, 'Partition', String(rolling.partition));
  if (rolling?.maxUnavailable !== undefined) lines.field(1, 'MaxUnavailable', String(rolling.maxUnavailable));
  lines.field(0, 'Pods Status', await podsText(object, around));
  addTemplate(lines, spec?.template);
  addClaims(lines, spec?.volumeClaimTemplates);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
