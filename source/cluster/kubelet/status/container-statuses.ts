// The status of each container as the API shows it, from what the runtime says, what probes found and why a container waits.
import type {
  Container,
  ContainerState,
  ContainerStatus,
  EphemeralContainer,
  Pod,
  ResourceRequirements,
  VolumeMountStatus,
} from '../../../api/kinds/core-v1.ts';
import {isSidecar, runsAgain} from '../../../api/meta/pod.ts';
import {formatTime} from '../../../api/meta/time.ts';
import type {ContainerStatus as RuntimeStatus} from '../../../api/wire/cri.ts';
import type {ContainerKnowledge, PodKnowledge, ProbeFindings, WaitingReason} from '../knowledge.ts';
import type {ContainerKind} from '../plan-pod.ts';

type AnyContainer = Container | EphemeralContainer;

/** One container's status. */
export function containerStatus(
  pod: Pod,
  known: PodKnowledge,
  which: {readonly kind: ContainerKind; readonly container: AnyContainer},
): ContainerStatus {
  const {kind, container} = which;
  const {newest, before, reason, probes, lastWords, resources} = known.find(container.name) ?? NOTHING_KNOWN;
  const mounts = mountsOf(container);
  if (known.lost && kind === 'regular' && newest) return lostStatus(container, mounts, newest);
  if (!newest) return missing(container, mounts, reason ?? waitingFor(pod, kind));
  const again =
    kind === 'ephemeral'
      ? false
      : isSidecar(container as Container) || runsAgain(pod, container as Container, newest.exitCode ?? 0);
  const waits = reason && newest.state !== 'running' && (again || newest.state === 'created') ? reason : undefined;
  const state: ContainerState = waits ? {waiting: waits} : stateOf(newest, lastWords, waitingFor(pod, kind));
  const last = waits && newest.state === 'exited' ? newest : before;
  const started = newest.state === 'running' && (probes?.started ?? !container.startupProbe);
  const requests = container.resources?.requests;
  return {
    ...(requests ? {allocatedResources: requests} : {}),
    containerID: `containerd://${newest.id}`,
    image: newest.image,
    imageID: newest.imageRef,
    lastState: last ? {terminated: terminated(last, lastWords)} : {},
    name: container.name,
    ready: isReady(probes, {kind, container, newest, started}),
    resources: resourcesOf(known.resizing && resources ? resources : container.resources),
    restartCount: newest.attempt,
    started,
    state,
    user: userOf(newest),
    ...mounts,
  };
}

const NOTHING = Object.freeze({});
const NOTHING_KNOWN: Partial<ContainerKnowledge> = NOTHING;

type Words = ReadonlyMap<string, string> | undefined;

function missing(
  container: AnyContainer,
  mounts: {volumeMounts?: readonly VolumeMountStatus[]},
  waiting: WaitingReason | {reason: string},
): ContainerStatus {
  return notRunning(container, mounts, {waiting});
}

function notRunning(
  container: AnyContainer,
  mounts: {volumeMounts?: readonly VolumeMountStatus[]},
  state: NonNullable<ContainerStatus['state']>,
  restartCount = 0,
): ContainerStatus {
  return {
    image: container.image ?? '',
    imageID: '',
    lastState: NOTHING,
    name: container.name,
    ready: false,
    restartCount,
    started: false,
    state,
    ...mounts,
  };
}

/** It ran, and was removed before anybody had seen how it ended. */
function lostStatus(
  container: AnyContainer,
  mounts: {volumeMounts?: readonly VolumeMountStatus[]},
  newest: RuntimeStatus,
): ContainerStatus {
  const ended = {
    exitCode: 137,
    finishedAt: NEVER,
    message: 'The container could not be located when the pod was terminated',
    reason: 'ContainerStatusUnknown',
    startedAt: NEVER,
  };
  return notRunning(container, mounts, {terminated: ended}, newest.attempt + 1);
}

/** Kubelets write these times as null, which the types of the API do not have. */
const NEVER = null as unknown as string;

function waitingFor(pod: Pod, kind: ContainerKind): {readonly reason: string} {
  return (pod.spec.initContainers?.length ?? 0) > 0 && kind !== 'ephemeral' ? INITIALIZING : CREATING;
}

const INITIALIZING = Object.freeze({reason: 'PodInitializing'});
const CREATING = Object.freeze({reason: 'ContainerCreating'});

function stateOf(status: RuntimeStatus, lastWords: Words, waiting: {readonly reason: string}): ContainerState {
  if (status.state === 'running') return {running: {startedAt: formatTime(status.startedAt)}};
  return status.state === 'exited' ? {terminated: terminated(status, lastWords)} : {waiting};
}

function terminated(status: RuntimeStatus, lastWords: Words): NonNullable<ContainerState['terminated']> {
  const message = lastWords?.get(status.id) ?? status.message;
  return {
    containerID: `containerd://${status.id}`,
    exitCode: status.exitCode,
    finishedAt: formatTime(status.finishedAt),
    ...(message ? {message} : {}),
    reason: status.reason,
    startedAt: formatTime(status.startedAt),
  };
}

function isReady(
  probes: ProbeFindings | undefined,
  of: {readonly kind: ContainerKind; readonly container: AnyContainer; readonly newest: RuntimeStatus; readonly started: boolean},
): boolean {
  const {kind, container, newest, started} = of;
  if (kind === 'ephemeral') return false;
  if (kind === 'init' && !isSidecar(container as Container)) return newest.state === 'exited' && newest.exitCode === 0;
  if (newest.state !== 'running' || !started) return false;
  return container.readinessProbe ? (probes?.ready ?? false) : true;
}

function resourcesOf({limits, requests}: ResourceRequirements = NOTHING): NonNullable<ContainerStatus['resources']> {
  if (!limits && !requests) return NOTHING;
  return {...(limits ? {limits} : {}), ...(requests ? {requests} : {})};
}

const mountStatuses = new WeakMap<AnyContainer, {volumeMounts?: readonly VolumeMountStatus[]}>();

/** The mounts, which are the same in every status of every pod of a template. */
function mountsOf(container: AnyContainer): {volumeMounts?: readonly VolumeMountStatus[]} {
  const known = mountStatuses.get(container);
  if (known) return known;
  const mounts = (container.volumeMounts ?? []).map(({mountPath, name, readOnly, recursiveReadOnly}) =>
    readOnly ? {mountPath, name, readOnly, recursiveReadOnly: recursiveReadOnly ?? 'Disabled'} : {mountPath, name},
  );
  const made = mounts.length > 0 ? {volumeMounts: mounts} : {};
  mountStatuses.set(container, made);
  return made;
}

const users = new Map<string, NonNullable<ContainerStatus['user']>>();

function userOf({user}: RuntimeStatus): NonNullable<ContainerStatus['user']> {
  const key = `${user.uid} ${user.gid} ${user.groups.join(' ')}`;
  const known = users.get(key);
  if (known) return known;
  const made = Object.freeze({linux: Object.freeze({gid: user.gid, supplementalGroups: user.groups, uid: user.uid})});
  users.set(key, made);
  return made;
}
