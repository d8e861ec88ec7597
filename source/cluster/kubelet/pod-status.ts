// A pod's status as its kubelet writes it: phase, conditions, container statuses, addresses.
import type {ContainerStatus, Pod, PodCondition, PodStatus} from '../../api/kinds/core-v1.ts';
import {compareStrings} from '../../api/meta/go-text.ts';
import {isSidecar, qosClass} from '../../api/meta/pod.ts';
import {containerStatus} from './container-statuses.ts';
import type {PodKnowledge} from './knowledge.ts';

export interface StatusFacts {
  readonly hostIP: string;
  /** RFC 3339. */
  readonly now: string;
  /** When the kubelet first saw the pod. */
  readonly startTime: string;
  /** All that ran has ended, and nothing will run again. */
  readonly terminal: boolean;
}

type Phase = NonNullable<PodStatus['phase']>;

/** What is to be written. */
export function podStatus(pod: Pod, known: PodKnowledge, facts: StatusFacts): PodStatus {
  const {spec, status: old = {}} = pod;
  const statuses = {
    init: (spec.initContainers ?? []).map(container => containerStatus(pod, known, {kind: 'init', container})),
    regular: spec.containers.map(container => containerStatus(pod, known, {kind: 'regular', container})),
    ephemeral: (spec.ephemeralContainers ?? []).map(container => containerStatus(pod, known, {kind: 'ephemeral', container})),
  };
  const phase = phaseOf(pod, statuses, known, facts.terminal);
  const ip = addressOf(pod, known, facts.hostIP);
  const failure = known.failure;
  return {
    conditions: conditionsOf(pod, known, {statuses, phase, now: facts.now}),
    containerStatuses:
      statuses.regular.length > 1 ? statuses.regular.sort((a, b) => compareStrings(a.name, b.name)) : statuses.regular,
    ...(statuses.ephemeral.length > 0 ? {ephemeralContainerStatuses: statuses.ephemeral} : {}),
    hostIP: facts.hostIP,
    hostIPs: [{ip: facts.hostIP}],
    ...(statuses.init.length > 0 ? {initContainerStatuses: statuses.init} : {}),
    ...(failure ? {message: failure.message, reason: failure.reason} : {}),
    ...(pod.metadata.generation === undefined ? {} : {observedGeneration: pod.metadata.generation}),
    phase,
    ...(ip ? {podIP: ip, podIPs: [{ip}]} : {}),
    qosClass: old.qosClass ?? qosClass(spec),
    startTime: old.startTime ?? facts.startTime,
  };
}

/** The status of a pod that the node will not run. */
export function rejectedStatus(pod: Pod, failure: {readonly reason: string; readonly message: string}, now: string): PodStatus {
  const generation = pod.metadata.generation;
  return {
    ...(pod.status?.conditions ? {conditions: pod.status.conditions} : {}),
    message: `Pod was rejected: ${failure.message}`,
    ...(generation === undefined ? {} : {observedGeneration: generation}),
    phase: 'Failed',
    qosClass: pod.status?.qosClass ?? qosClass(pod.spec),
    reason: failure.reason,
    startTime: now,
  };
}

interface Statuses {
  readonly init: readonly ContainerStatus[];
  readonly regular: ContainerStatus[];
}

function phaseOf(pod: Pod, {init, regular}: Statuses, known: PodKnowledge, terminal: boolean): Phase {
  if (known.failure) return 'Failed';
  const {restartPolicy = 'Always'} = pod.spec;
  const counts = {running: 0, waiting: 0, stopped: 0, succeeded: 0};
  for (const {state, lastState} of regular) {
    if (state?.running) counts.running++;
    else if (state?.terminated || lastState?.terminated) {
      counts.stopped++;
      if ((state?.terminated ?? lastState?.terminated)?.exitCode === 0) counts.succeeded++;
    } else counts.waiting++;
  }
  const pending = initState(pod, init, terminal);
  if (pending === 'failed') return 'Failed';
  if (terminal) return counts.stopped > 0 && counts.stopped === counts.succeeded && counts.waiting === 0 ? 'Succeeded' : 'Failed';
  if (pending === 'pending' && counts.running === 0 && counts.stopped === 0) return 'Pending';
  if (counts.waiting > 0) return 'Pending';
  if (counts.running > 0) return 'Running';
  if (restartPolicy === 'Always') return 'Running';
  if (init.some((status, at) => isSidecar(pod.spec.initContainers?.[at] ?? {name: ''}) && status.state?.running))
    return 'Running';
  if (counts.stopped === counts.succeeded) return 'Succeeded';
  return restartPolicy === 'Never' ? 'Failed' : 'Running';
}

function initState(pod: Pod, init: readonly ContainerStatus[], terminal: boolean): 'done' | 'pending' | 'failed' {
  let state: 'done' | 'pending' = 'done';
  for (const [at, status] of init.entries()) {
    const container = pod.spec.initContainers?.[at];
    if (container && isSidecar(container)) {
      if (!status.started) state = 'pending';
      continue;
    }
    const ended = status.state?.terminated;
    if (ended && ended.exitCode !== 0 && (pod.spec.restartPolicy === 'Never' || terminal)) return 'failed';
    if (ended?.exitCode !== 0) state = 'pending';
  }
  return state;
}

/** A pod that has ended keeps the address that it had. */
function addressOf(pod: Pod, known: PodKnowledge, hostIP: string): string | undefined {
  if (pod.spec.hostNetwork) return known.sandbox ? hostIP : undefined;
  return known.sandbox?.state === 'ready' ? known.sandbox.ip : (known.sandbox?.ip ?? pod.status?.podIP);
}

interface ConditionFacts {
  readonly statuses: Statuses;
  readonly phase: Phase;
  readonly now: string;
}

function conditionsOf(pod: Pod, known: PodKnowledge, facts: ConditionFacts): PodCondition[] {
  const {phase, now} = facts;
  const old = pod.status?.conditions ?? [];
  const generation = pod.metadata.generation;
  const made = (type: string, status: boolean, why?: {readonly reason: string; readonly message?: string}): PodCondition => {
    const before = old.find(condition => condition.type === type);
    const word = status ? 'True' : 'False';
    const since = before?.status === word && before.lastTransitionTime ? before.lastTransitionTime : now;
    return {
      lastProbeTime: NEVER,
      lastTransitionTime: since,
      ...(why?.message ? {message: why.message} : {}),
      ...(generation === undefined ? {} : {observedGeneration: generation}),
      ...(why ? {reason: why.reason} : {}),
      status: word,
      type,
    };
  };
  const network = known.sandbox?.state === 'ready' && (pod.spec.hostNetwork === true || known.sandbox.ip !== '');
  const initialized = notInitialized(pod, facts);
  const unready = notReady(pod, facts);
  const gates = (pod.spec.readinessGates ?? []).filter(
    gate => !old.some(condition => condition.type === gate.conditionType && condition.status === 'True'),
  );
  const gated =
    gates.length > 0
      ? {
          reason: 'ReadinessGatesNotReady',
          message: gateText(
            gates.map(gate => gate.conditionType),
            old,
          ),
        }
      : undefined;
  const foreign = old.filter(condition => !OWN.has(condition.type));
  return [
    ...foreign,
    made('PodReadyToStartContainers', network),
    made('Initialized', initialized === undefined, initialized ?? (phase === 'Succeeded' ? {reason: 'PodCompleted'} : undefined)),
    made('Ready', unready === undefined && gated === undefined, unready ?? gated),
    made('ContainersReady', unready === undefined, unready),
    made('PodScheduled', true),
  ];
}

/** Kubelets write this time as null, which the types of the API do not have. */
const NEVER = null as unknown as string;

const OWN: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]);

function notInitialized(
  pod: Pod,
  {statuses, phase}: ConditionFacts,
): {readonly reason: string; readonly message: string} | undefined {
  if (phase === 'Succeeded') return undefined;
  const begun = statuses.regular.some(status => status.containerID !== undefined);
  const incomplete = statuses.init.filter((status, at) => {
    const container = pod.spec.initContainers?.[at];
    return container && isSidecar(container) ? !status.started && !begun : !status.ready;
  });
  if (incomplete.length === 0) return undefined;
  return {
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${incomplete.map(status => status.name).join(' ')}]`,
  };
}

function notReady(pod: Pod, {statuses, phase}: ConditionFacts): {readonly reason: string; readonly message?: string} | undefined {
  if (phase === 'Succeeded') return {reason: 'PodCompleted'};
  if (phase === 'Failed') return {reason: 'PodFailed'};
  const sidecars = statuses.init.filter((_, at) => isSidecar(pod.spec.initContainers?.[at] ?? {name: ''}));
  const unready = [...sidecars, ...statuses.regular].filter(status => !status.ready);
  if (unready.length === 0) return undefined;
  return {
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.map(status => status.name).join(' ')}]`,
  };
}

function gateText(types: readonly string[], conditions: readonly PodCondition[]): string {
  const sentences = types.map(type =>
    conditions.some(condition => condition.type === type)
      ? `the status of pod readiness gate "${type}" is not "True", but False`
      : `corresponding condition of pod readiness gate "${type}" does not exist.`,
  );
  return sentences.length === 1 ? (sentences[0] ?? '') : `[${sentences.join(', ')}]`;
}
