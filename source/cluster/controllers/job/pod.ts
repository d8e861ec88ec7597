// The pods of a Job. Each carries a finalizer until the Job has counted it, so that none is lost; a pod of an indexed Job also
// carries its index, in a label, an annotation, its name and its environment.
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {Container, Pod, PodTemplateSpec} from '../../../api/kinds/core-v1.ts';
import type {ObjectMeta, OwnerReference} from '../../../api/kinds/meta.ts';
import type {Draft} from '../../../api/meta/object.ts';
import {podFromTemplate} from '../pod-creation.ts';

export const JOB_KIND = Object.freeze({apiVersion: 'batch/v1', kind: 'Job'});
export const TRACKING = 'batch.kubernetes.io/job-tracking';
const INDEX = 'batch.kubernetes.io/job-completion-index';
const INDEX_FAILURES = 'batch.kubernetes.io/job-index-failure-count';
const VARIABLE = 'JOB_COMPLETION_INDEX';

/** The index of a pod. */
export function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[INDEX];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** How often its index had failed before it was made. */
export function indexFailuresOf(pod: Pod): number {
  return Number(pod.metadata.annotations?.[INDEX_FAILURES] ?? 0);
}

/** Is it still to be counted? */
export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(TRACKING) === true;
}

/** How often its containers were restarted in place. */
export function restartsOf({status}: Pod): number {
  let restarts = 0;
  for (const {restartCount} of status?.initContainerStatuses ?? []) restarts += restartCount;
  for (const {restartCount} of status?.containerStatuses ?? []) restarts += restartCount;
  return restarts;
}

/** The template with what all pods of the Job have. */
export function jobTemplate(job: Job): PodTemplateSpec {
  const {template, completionMode} = job.spec;
  const finalizers = [...(template.metadata?.finalizers ?? []), TRACKING];
  const spec = template.spec ?? {containers: []};
  const indexed = completionMode === 'Indexed';
  const containers = indexed ? spec.containers.map(withIndexVariable) : spec.containers;
  const initContainers = indexed && spec.initContainers ? {initContainers: spec.initContainers.map(withIndexVariable)} : {};
  return {metadata: {...template.metadata, finalizers} as ObjectMeta, spec: {...spec, containers, ...initContainers}};
}

function withIndexVariable(container: Container): Container {
  if (container.env?.some(each => each.name === VARIABLE)) return container;
  const valueFrom = {fieldRef: {fieldPath: `metadata.labels['${INDEX}']`}};
  return {...container, env: [...(container.env ?? []), {name: VARIABLE, valueFrom}]};
}

/** A pod; of an index, where the Job has indexes. */
export function jobPod(
  job: Job,
  template: PodTemplateSpec,
  how: {readonly reference: OwnerReference; readonly index: number | undefined; readonly failures: number},
): Draft<Pod> {
  const {name, namespace = ''} = job.metadata;
  const {index} = how;
  if (index === undefined) return podFromTemplate(template, {namespace, owner: name}, how.reference);
  const pod = podFromTemplate(template, {namespace, owner: `${name}-${index}`}, how.reference);
  const failures = job.spec.backoffLimitPerIndex === undefined ? {} : {[INDEX_FAILURES]: String(how.failures)};
  const annotations = {...pod.metadata.annotations, [INDEX]: String(index), ...failures};
  const labels = {...pod.metadata.labels, [INDEX]: String(index)};
  return {...pod, metadata: {...pod.metadata, annotations, labels}, spec: {...pod.spec, hostname: `${name}-${index}`}};
}
