// The end of a pod's containers: hook before the stop, stop signal, grace, kill. The regular ones go first and side by side, then
// the sidecars, the last one first, in what is left of the grace.
import type {Container, EphemeralContainer, Pod} from '../../api/kinds/core-v1.ts';
import type {ContainerStatus} from '../../api/wire/cri.ts';
import {isCriError} from '../../api/wire/cri.ts';
import {all, wait, type Task} from '../../sim/task.ts';
import {runHook} from './containers/hooks.ts';
import type {PodKnowledge} from './knowledge.ts';
import type {ContainerKind, StopPlan} from './plan-pod.ts';
import {fieldPath, tell, type KubeletParts} from './surroundings.ts';

export interface EndFacts {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly podIP: string;
  readonly graceSeconds: () => number;
}

/** Ends all containers and the sandbox. */
export function* endPod(facts: EndFacts): Task {
  const {parts, pod, known} = facts;
  const begun = parts.daemon.clock.now;
  const left = () => Math.max(0, facts.graceSeconds() - (parts.daemon.clock.now - begun) / 1000);
  const others: readonly {kind: ContainerKind; container: Container | EphemeralContainer}[] = [
    ...pod.spec.containers.map(container => ({kind: 'regular' as const, container})),
    ...(pod.spec.ephemeralContainers ?? []).map(container => ({kind: 'ephemeral' as const, container})),
  ];
  yield* all(others.map(each => endOne(facts, each.kind, {container: each.container, graceSeconds: facts.graceSeconds()})));
  for (const container of [...(pod.spec.initContainers ?? [])].reverse())
    yield* endOne(facts, 'init', {container, graceSeconds: left()});
  if (known.sandbox?.state === 'ready') {
    const stopped = yield* parts.runtime.ask({kind: 'stop-sandbox', id: known.sandbox.id});
    if (!isCriError(stopped) && known.sandbox.state === 'ready') known.sandbox = {...known.sandbox, state: 'notready'};
  }
}

function* endOne(
  facts: EndFacts,
  kind: ContainerKind,
  what: {readonly container: Container | EphemeralContainer; readonly graceSeconds: number},
): Task {
  const {parts, pod, known, podIP} = facts;
  const {container, graceSeconds} = what;
  const status = known.newest(container.name);
  if (status?.state !== 'running') return;
  tell(parts, pod, {
    type: 'Normal',
    reason: 'Killing',
    message: `Stopping container ${container.name}`,
    fieldPath: fieldPath(kind, container.name),
  });
  const ended = yield* stopOne(parts, pod, {container, kind, id: status.id, graceSeconds}, podIP);
  if (ended) known.take({kind: 'container', status: ended});
}

export interface StopFacts {
  readonly container: Container | EphemeralContainer;
  readonly kind: ContainerKind;
  readonly id: string;
  readonly graceSeconds: number;
}

/** Stops one container: its hook first, within the grace. */
export function* stopOne(parts: KubeletParts, pod: Pod, what: StopFacts, podIP: string): Task<ContainerStatus | undefined> {
  const {container, kind, id, graceSeconds} = what;
  const begun = parts.daemon.clock.now;
  const handler = (container as Container).lifecycle?.preStop;
  if (handler && graceSeconds > 0) {
    const failed = yield* within(graceSeconds * 1000, runHook(parts, pod, {handler, container, id, podIP}));
    if (failed !== undefined)
      tell(parts, pod, {
        type: 'Warning',
        reason: 'FailedPreStopHook',
        message: 'PreStopHook failed',
        fieldPath: fieldPath(kind, container.name),
      });
  }
  const used = (parts.daemon.clock.now - begun) / 1000;
  // A hook that took it all leaves two seconds for the signal.
  const rest = handler && graceSeconds > 0 ? Math.max(2, graceSeconds - used) : graceSeconds;
  const ended = yield* parts.runtime.ask<ContainerStatus>({kind: 'stop-container', id, graceSeconds: rest});
  return isCriError(ended) ? undefined : ended;
}

/** Waits for a task, but not longer than that. */
function* within(ms: number, task: Task<string | undefined>): Task<string | undefined> {
  return yield* wait<string | undefined>((wake, scope) => {
    const timer = scope.after(ms, () => wake(undefined));
    scope.run(task, value => {
      scope.clock.cancel(timer);
      scope.soon(() => wake(value));
    });
  });
}

/** How long a container has that is stopped while its pod goes on: a probe may say it for itself. */
export function graceAfter(pod: Pod, {because, container}: StopPlan): number {
  const probe = because === 'startup' ? container.startupProbe : because === 'liveness' ? container.livenessProbe : undefined;
  return probe?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}
