// Pods that a controller ends for a reason of the cluster's say so in a condition before they go.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {findCondition} from '../../api/meta/conditions.ts';
import {builtin} from '../../api/meta/resources.ts';
import {isTerminal} from '../../api/meta/pod.ts';
import type {Client} from '../../client/client.ts';
import {patch, remove} from '../../client/verbs.ts';
import type {Task} from '../../sim/task.ts';

const pods = builtin('pods');

/** Why a pod has to go, and whether at once. */
export interface Disruption {
  /** Noted as a condition; absent where nothing disrupted it. */
  readonly why?: {readonly reason: string; readonly message: string};
  /** Marks the pod as failed and lets it go without its kubelet's word. */
  readonly force: boolean;
}

/** Notes the reason on the pod and deletes it; false when that failed. */
export function* disrupt(client: Client, pod: Pod, {why, force}: Disruption): Task<boolean> {
  const {name, namespace, uid} = pod.metadata;
  const old = findCondition(pod.status?.conditions, 'DisruptionTarget');
  const failing = force && !isTerminal(pod);
  const told = !why || (old?.status === 'True' && old.reason === why.reason && old.message === why.message);
  if (!told || failing) {
    const since = old?.status === 'True' ? old.lastTransitionTime : client.daemon.now();
    const condition = {type: 'DisruptionTarget', status: 'True', ...why, ...(since ? {lastTransitionTime: since} : {})};
    const order = [...(pod.status?.conditions ?? []).map(({type}) => ({type})), ...(old ? [] : [{type: 'DisruptionTarget'}])];
    const conditions = why ? {'$setElementOrder/conditions': order, conditions: [condition]} : {};
    const status = {...(failing ? {phase: 'Failed'} : {}), ...conditions};
    const place = {name, namespace, subresource: 'status'};
    const noted = yield* client.ask(patch(pods, place, 'strategic', {metadata: {uid}, status}));
    if (!noted.ok) return noted.status.code === 404;
  }
  const result = yield* client.ask(remove(pods, {name, namespace}, force ? {gracePeriodSeconds: 0} : undefined));
  return result.ok || result.status.code === 404;
}
