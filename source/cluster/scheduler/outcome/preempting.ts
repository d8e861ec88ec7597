// Carrying out a preemption: each victim gets its DisruptionTarget condition and is deleted, and an event says for whom. The pod
// that preempts is held back until the last delete is on its way, so that the end of that victim wakes it.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {failedAs, type Client} from '../../../client/client.ts';
import {patch, remove} from '../../../client/verbs.ts';
import {all, type Task} from '../../../sim/task.ts';
import type {SeriesRecorder} from '../../../client/series-events.ts';
import type {PodInfo} from '../state/pod-info.ts';

/** A preemption that was decided. */
export interface Preemption {
  readonly preemptor: PodInfo;
  readonly victims: readonly PodInfo[];
  readonly node: string;
  readonly schedulerName: string;
}

const pods = builtin('pods');

/** Ends the victims; `release` is called before the last one goes. True when all went. */
export function* endVictims(
  client: Client,
  recorder: SeriesRecorder,
  preemption: Preemption & {readonly release: () => void},
): Task<boolean> {
  const [last, ...others] = preemption.victims.toReversed();
  const went = yield* all(others.map(victim => endVictim(client, recorder, {preemption, victim})));
  preemption.release();
  if (!last || went.includes(false)) return !went.includes(false);
  return yield* endVictim(client, recorder, {preemption, victim: last});
}

function* endVictim(
  client: Client,
  recorder: SeriesRecorder,
  of: {readonly preemption: Preemption; readonly victim: PodInfo},
): Task<boolean> {
  const {preemption, victim} = of;
  const {pod} = victim;
  if (pod.metadata.deletionTimestamp) return true;
  const place = {namespace: victim.namespace, name: pod.metadata.name};
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'PreemptionByScheduler',
    message: `${preemption.schedulerName}: preempting to accommodate a higher priority pod`,
    lastProbeTime: null,
    lastTransitionTime: client.daemon.now(),
    ...(pod.metadata.generation === undefined ? {} : {observedGeneration: pod.metadata.generation}),
  };
  const marked = yield* client.ask<Pod>(
    patch(pods, {...place, subresource: 'status'}, 'strategic', {metadata: {uid: victim.uid}, status: {conditions: [condition]}}),
  );
  if (!marked.ok) return failedAs(marked, 'NotFound');
  const gone = yield* client.ask<unknown>(remove(pods, place, {preconditions: {uid: victim.uid}}));
  if (!gone.ok) return failedAs(gone, 'NotFound');
  const {preemptor, node} = preemption;
  recorder.record(pod, {
    type: 'Normal',
    reason: 'Preempted',
    action: 'Preempting',
    note: `Preempted by pod ${preemptor.uid} on node ${node}`,
    related: preemptor.pod,
  });
  return true;
}
