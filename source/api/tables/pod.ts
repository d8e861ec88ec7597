// The row of a Pod. Its STATUS is no field: it is read from the phase, from the reasons of containers that wait or have
// ended (init containers first), and from the wish that the pod should go.
import type {ContainerStatus, Pod} from '../kinds/core-v1.ts';
import {isConditionTrue} from '../meta/conditions.ts';
import {isSidecar} from '../meta/pod.ts';
import {humanDuration, parseTime} from '../meta/time.ts';
import {age, type Cell, NONE, or} from './cells.ts';

interface Reading {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: number | undefined;
}

/** Name, Ready, Status, Restarts, Age, IP, Node, Nominated Node, Readiness Gates. */
export function podRow(pod: Pod, nowMs: number): readonly Cell[] {
  const {reason, ready, restarts, lastRestart} = readPod(pod);
  const sidecars = pod.spec.initContainers?.filter(isSidecar).length ?? 0;
  const total = (pod.spec.containers?.length ?? 0) + sidecars;
  const ago = restarts > 0 && lastRestart !== undefined ? ` (${humanDuration(nowMs - lastRestart)} ago)` : '';
  return [
    pod.metadata.name,
    `${ready}/${total}`,
    reason,
    `${restarts}${ago}`,
    age(pod, nowMs),
    or(pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP, NONE),
    or(pod.spec.nodeName, NONE),
    or(pod.status?.nominatedNodeName, NONE),
    readinessGates(pod),
  ];
}

function readPod(pod: Pod): Reading {
  const start = startReason(pod);
  const init = readInitContainers(pod);
  const initialized = init.reason === undefined || isConditionTrue(pod.status?.conditions, 'Initialized');
  const read = initialized
    ? readContainers(pod, {...init.sidecars, reason: init.reason ?? start})
    : {...init.all, ready: init.sidecars.ready, reason: init.reason ?? start};
  return {...read, reason: endReason(pod) ?? read.reason};
}

function startReason(pod: Pod): string {
  const gated = pod.status?.conditions?.some(({type, reason}) => type === 'PodScheduled' && reason === 'SchedulingGated');
  return gated ? 'SchedulingGated' : or(pod.status?.reason, pod.status?.phase ?? '');
}

/** A pod that should go is Terminating, unless it has ended; nobody knows of one on a lost node. */
function endReason(pod: Pod): string | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (pod.status?.reason === 'NodeLost') return 'Unknown';
  const phase = pod.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}

interface Count {
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: number | undefined;
}

const NOTHING: Count = {ready: 0, restarts: 0, lastRestart: undefined};

/** Up to the first init container that is not done: why it is not, and the restarts so far. */
function readInitContainers(pod: Pod): {readonly reason?: string; readonly all: Count; readonly sidecars: Count} {
  const sidecarNames = new Set(pod.spec.initContainers?.filter(isSidecar).map(({name}) => name));
  const total = pod.spec.initContainers?.length ?? 0;
  let all = NOTHING;
  let sidecars = NOTHING;
  for (const [i, status] of (pod.status?.initContainerStatuses ?? []).entries()) {
    const sidecar = sidecarNames.has(status.name);
    all = withRestarts(all, status);
    if (sidecar) sidecars = withRestarts(sidecars, status);
    const {terminated, waiting} = status.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && status.started === true) {
      if (status.ready) sidecars = {...sidecars, ready: sidecars.ready + 1};
      continue;
    }
    if (terminated) return {reason: `Init:${endOf(terminated)}`, all, sidecars};
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return {reason: `Init:${waiting.reason}`, all, sidecars};
    return {reason: `Init:${i}/${total}`, all, sidecars};
  }
  return {all, sidecars};
}

/** The first container that waits or has ended gives the reason; a finished one beside a running one does not. */
function readContainers(pod: Pod, start: Reading): Reading {
  let {reason} = start;
  let count: Count = start;
  let running = false;
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    count = withRestarts(count, status);
    const {waiting, terminated} = status.state ?? {};
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated) reason = endOf(terminated);
    else if (status.ready && status.state?.running) {
      running = true;
      count = {...count, ready: count.ready + 1};
    }
  }
  if (reason === 'Completed' && running) reason = isConditionTrue(pod.status?.conditions, 'Ready') ? 'Running' : 'NotReady';
  return {...count, reason};
}

function endOf(terminated: {readonly reason?: string; readonly signal?: number; readonly exitCode: number}): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

function withRestarts(count: Count, status: ContainerStatus): Count {
  const ended = parseTime(status.lastState?.terminated?.finishedAt);
  const later = ended !== undefined && (count.lastRestart === undefined || ended > count.lastRestart);
  return {...count, restarts: count.restarts + status.restartCount, lastRestart: later ? ended : count.lastRestart};
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return NONE;
  return `${gates.filter(gate => isConditionTrue(pod.status?.conditions, gate.conditionType)).length}/${gates.length}`;
}
