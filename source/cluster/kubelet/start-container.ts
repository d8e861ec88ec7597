// Starts one container of a pod: back-off, image, configuration, create, start, and the hook after the start. The answer is
// why it does not run, and until when it is no use to try again.
import type {Container, Pod} from '../../api/kinds/core-v1.ts';
import {formatGoDuration} from '../../api/meta/time.ts';
import {isCriError, type ContainerStatus} from '../../api/wire/cri.ts';
import type {Task} from '../../sim/task.ts';
import {containerConfig} from './container-config.ts';
import {runHook} from './hooks.ts';
import type {PodKnowledge, WaitingReason} from './knowledge.ts';
import type {StartPlan} from './plan-pod.ts';
import {plainError} from './runtime-client.ts';
import {fieldPath, podText, tell, type KubeletParts} from './surroundings.ts';
import type {PodVolumes} from './volumes.ts';

export interface StartFacts {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly volumes: PodVolumes;
}

export interface NotStarted {
  readonly failure: WaitingReason;
  /** When the back-off is over. */
  readonly until?: number;
}

/** Starts a container. */
export function* startContainer(facts: StartFacts, plan: StartPlan): Task<NotStarted | undefined> {
  const {parts, pod, known, volumes} = facts;
  const {container, kind} = plan;
  const path = fieldPath(kind, container.name);
  const say = (type: 'Normal' | 'Warning', reason: string, message: string) =>
    tell(parts, pod, {type, reason, message, fieldPath: path});
  const fail = (failure: WaitingReason, message: string = failure.message): NotStarted => {
    say('Warning', 'Failed', `Error: ${message}`);
    return {failure};
  };
  const waits = crashBackoff(facts, plan);
  if (waits) {
    say('Warning', 'BackOff', `Back-off restarting failed container ${container.name} in pod ${podText(pod)}`);
    return waits;
  }
  const pulled = yield* parts.images.ensure(pod, container, happening => tell(parts, pod, {...happening, fieldPath: path}));
  if ('failure' in pulled) {
    say('Warning', 'Failed', `Error: ${pulled.failure.reason}`);
    return pulled;
  }
  if (!pulled.image.inert || container.command) {
    const failed = yield* volumes.fetchTokens(pod);
    if (failed) return fail({reason: 'CreateContainerConfigError', message: failed.message});
  }
  const attempt = (known.newest(container.name)?.attempt ?? -1) + 1;
  const config = yield* containerConfig(pod, container, {
    parts,
    volumes,
    image: pulled.image,
    attempt,
    podIP: known.sandbox?.ip || parts.hostIP,
  });
  if ('failure' in config) return fail(config.failure);
  const created = yield* parts.runtime.ask<ContainerStatus>({
    kind: 'create-container',
    sandboxId: known.sandbox?.id ?? '',
    config,
  });
  if (isCriError(created)) return fail({reason: 'CreateContainerError', message: plainError(created)});
  known.take({kind: 'container', status: created});
  known.images.set(container.name, container.image ?? '');
  say('Normal', 'Created', 'Container created');
  const started = yield* parts.runtime.ask<ContainerStatus>({kind: 'start-container', id: created.id});
  if (isCriError(started)) return fail({reason: 'RunContainerError', message: plainError(started)});
  known.take({kind: 'container', status: started});
  say('Normal', 'Started', 'Container started');
  return yield* afterStart(facts, plan, started);
}

function* afterStart(facts: StartFacts, {container, kind}: StartPlan, started: ContainerStatus): Task<NotStarted | undefined> {
  const {parts, pod, known} = facts;
  const handler = (container as Container).lifecycle?.postStart;
  if (!handler) return undefined;
  const failed = yield* runHook(parts, {handler, container, id: started.id, podIP: known.sandbox?.ip || parts.hostIP});
  if (failed === undefined) return undefined;
  tell(parts, pod, {
    type: 'Warning',
    reason: 'FailedPostStartHook',
    message: `PostStartHook failed`,
    fieldPath: fieldPath(kind, container.name),
  });
  tell(parts, pod, {
    type: 'Normal',
    reason: 'Killing',
    message: `FailedPostStartHook`,
    fieldPath: fieldPath(kind, container.name),
  });
  yield* parts.runtime.ask({kind: 'stop-container', id: started.id, graceSeconds: pod.spec.terminationGracePeriodSeconds ?? 30});
  return {failure: {reason: 'PostStartHookError', message: failed}};
}

/** Is it too early for another life? Takes the next step of the back-off when it is not. */
function crashBackoff({parts, pod}: StartFacts, {container, ended}: StartPlan): NotStarted | undefined {
  if (!ended) return undefined;
  const key = `${pod.metadata.uid} ${container.name}`;
  const now = parts.daemon.wall();
  const waiting = parts.crashes.waiting(key, now, ended.finishedAt);
  if (waiting) {
    const message = `back-off ${formatGoDuration(waiting.delayMs)} restarting failed container=${container.name} pod=${podText(pod)}`;
    return {failure: {reason: 'CrashLoopBackOff', message}, until: waiting.until};
  }
  parts.crashes.step(key, now, ended.finishedAt);
  return undefined;
}
