// The rows of what makes pods.
import type {ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet} from '../kinds/apps-v1.ts';
import type {CronJob, Job} from '../kinds/batch-v1.ts';
import type {PodTemplate, ReplicationController} from '../kinds/core-v1.ts';
import {isConditionTrue} from '../meta/conditions.ts';
import {controllerOf, splitApiVersion} from '../meta/object.ts';
import {labelsText, requirementsText, selectorRequirements, selectorText} from '../meta/selector.ts';
import {humanDuration, parseTime} from '../meta/time.ts';
import {age, type Cell, containerCells, NONE, or, since, UNSET} from './cells.ts';

export function deploymentRow(deployment: Deployment, nowMs: number): readonly Cell[] {
  const {spec, status} = deployment;
  return [
    deployment.metadata.name,
    `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status?.updatedReplicas ?? 0,
    status?.availableReplicas ?? 0,
    age(deployment, nowMs),
    ...containerCells(spec.template.spec?.containers),
    requirementsText(selectorRequirements(spec.selector ?? {})),
  ];
}

export function replicaSetRow(set: ReplicaSet, nowMs: number): readonly Cell[] {
  const {spec, status} = set;
  const counts = [spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  return [
    set.metadata.name,
    ...counts,
    age(set, nowMs),
    ...containerCells(spec.template?.spec?.containers),
    selectorText(spec.selector),
  ];
}

export function replicationControllerRow(controller: ReplicationController, nowMs: number): readonly Cell[] {
  const {spec, status} = controller;
  const counts = [spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0];
  const containers = containerCells(spec.template?.spec?.containers);
  return [controller.metadata.name, ...counts, age(controller, nowMs), ...containers, labelsText(spec.selector)];
}

export function statefulSetRow(set: StatefulSet, nowMs: number): readonly Cell[] {
  const ready = `${set.status?.readyReplicas ?? 0}/${set.spec.replicas ?? 0}`;
  return [set.metadata.name, ready, age(set, nowMs), ...containerCells(set.spec.template.spec?.containers)];
}

export function daemonSetRow(set: DaemonSet, nowMs: number): readonly Cell[] {
  const {spec, status} = set;
  return [
    set.metadata.name,
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec.template.spec?.nodeSelector),
    age(set, nowMs),
    ...containerCells(spec.template.spec?.containers),
    selectorText(spec.selector),
  ];
}

export function jobRow(job: Job, nowMs: number): readonly Cell[] {
  const containers = containerCells(job.spec.template.spec?.containers);
  const head = [job.metadata.name, jobStatus(job), jobCompletions(job), jobDuration(job, nowMs)];
  return [...head, age(job, nowMs), ...containers, selectorText(job.spec.selector)];
}

function jobStatus(job: Job): string {
  const is = (type: string) => isConditionTrue(job.status?.conditions, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function jobCompletions(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0;
  if (job.spec.completions !== undefined) return `${succeeded}/${job.spec.completions}`;
  const parallelism = job.spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Job, nowMs: number): string {
  const start = parseTime(job.status?.startTime);
  if (start === undefined) return '';
  return humanDuration((parseTime(job.status?.completionTime) ?? nowMs) - start);
}

export function cronJobRow(cronJob: CronJob, nowMs: number): readonly Cell[] {
  const {spec, status} = cronJob;
  const suspended = spec.suspend === undefined ? UNSET : spec.suspend ? 'True' : 'False';
  return [
    cronJob.metadata.name,
    spec.schedule,
    or(spec.timeZone, NONE),
    suspended,
    status?.active?.length ?? 0,
    status?.lastScheduleTime ? since(status.lastScheduleTime, nowMs) : NONE,
    age(cronJob, nowMs),
    ...containerCells(spec.jobTemplate.spec?.template.spec?.containers),
    selectorText(spec.jobTemplate.spec?.selector),
  ];
}

export function podTemplateRow(template: PodTemplate): readonly Cell[] {
  const inner = template.template;
  return [template.metadata.name, ...containerCells(inner?.spec?.containers), labelsText(inner?.metadata?.labels)];
}

export function controllerRevisionRow(revision: ControllerRevision, nowMs: number): readonly Cell[] {
  const owner = controllerOf(revision);
  const group = owner ? splitApiVersion(owner.apiVersion).group : '';
  const kind = owner ? `${owner.kind}${group === '' ? '' : `.${group}`}`.toLowerCase() : '';
  return [revision.metadata.name, owner ? `${kind}/${owner.name}` : NONE, revision.revision, age(revision, nowMs)];
}
