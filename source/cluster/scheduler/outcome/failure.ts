// What a failed attempt writes into the pod's status: the PodScheduled condition and the node it was promised.
import type {Pod, PodCondition} from '../../../api/kinds/core-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';

/** A failure as the pod's status tells it. */
export interface FailureReport {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  /** A node, an empty text to take a promise back, or undefined to leave it. */
  readonly nominated: string | undefined;
}

/** The patch of the status; undefined when it says so already. */
export function failurePatch(pod: Pod, {reason, message, nominated}: FailureReport, now: string): unknown {
  const old = findCondition(pod.status?.conditions, 'PodScheduled');
  const generation = pod.metadata.generation;
  const renominated = nominated !== undefined && nominated !== (pod.status?.nominatedNodeName ?? '');
  if (
    old?.status === 'False' &&
    old.reason === reason &&
    old.message === message &&
    old.observedGeneration === generation &&
    !renominated
  )
    return undefined;
  const condition: Omit<PodCondition, 'lastProbeTime'> & {readonly lastProbeTime: null} = {
    type: 'PodScheduled',
    status: 'False',
    reason,
    message,
    lastProbeTime: null,
    lastTransitionTime: old?.status === 'False' && old.lastTransitionTime ? old.lastTransitionTime : now,
    ...(generation === undefined ? {} : {observedGeneration: generation}),
  };
  return {status: {conditions: [condition], ...(renominated ? {nominatedNodeName: nominated === '' ? null : nominated} : {})}};
}
