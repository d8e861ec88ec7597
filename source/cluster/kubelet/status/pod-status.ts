// A pod's status as its kubelet writes it: phase, conditions, container statuses, addresses.
import type {ContainerStatus, Pod, PodCondition, PodStatus} from '../../../api/kinds/core-v1.ts';
import {compareStrings} from '../../../api/meta/go-text.ts';
import {isSidecar, runsAgain} from '../../../api/meta/pod.ts';
import {qosClass} from '../../../api/meta/pod-resources.ts';
import {containerStatus} from './container-statuses.ts';
import type {PodKnowledge} from '../knowledge.ts';

export interface StatusFacts {
  /** What was written last: the object may be behind. */
  readonly old: PodStatus;
  readonly hostIP: string;
  /** RFC 3339. */
  readonly now: string;
  /** When the kubelet first saw the pod. */
  readonly startTime: string;
  /** All that ran has ended, and nothing will run again. */
  readonly terminal: boolean;
}

type Phase = NonNullable<PodStatus['phase']>;

const NO_STATUSES: readonly ContainerStatus[] = Object.freeze([]);
const NO_CONDITIONS: readonly PodCondition[] = Object.freeze([]);

/** What is to be written. */
export function podStatus(pod: Pod, known: PodKnowledge, facts: StatusFacts): PodStatus {
  const {spec} = pod;
  const {old} = facts;
  const statuses = {
    init: spec.initContainers
      ? spec.initContainers.map(container => containerStatus(pod, known, {kind: 'init', container}))
      : NO_STATUSES,
    regular: spec.containers.map(container => containerStatus(pod, known, {kind: 'regular', container})),
    ephemeral: spec.ephemeralContainers
      ? spec.ephemeralContainers.map(container => containerStatus(pod, known, {kind: 'ephemeral', container}))
      : NO_STATUSES,
  };
  const phase = phaseOf(pod, statuses, known, facts.terminal);
  const ip = addressOf(pod, known, facts);
  const failure = known.failure;
  return {
    conditions: conditionsOf(pod, known, {statuses, phase, now: facts.now, old: old.conditions ?? NO_CONDITIONS}),
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
  const willRun = regular.some(({name, state, lastState}) => {
    const container = pod.spec.containers.find(each => each.name === name);
    return container !== undefined && runsAgain(pod, container, (state?.terminated ?? lastState?.terminated)?.exitCode ?? 0);
  });
  if (willRun) return 'Running';
  if (init.some((status, at) => isSidecar(pod.spec.initContainers?.[at] ?? {name: ''}) && status.state?.running))
    return 'Running';
  return counts.stopped === counts.succeeded ? 'Succeeded' : 'Failed';
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
    const again = container !== undefined && ended !== undefined && runsAgain(pod, container, ended.exitCode);
    if (ended && ended.exitCode !== 0 && (!again || terminal)) return 'failed';
    if (ended?.exitCode !== 0) state = 'pending';
  }
  return state;
}

/** A pod that has ended keeps the address that it had. */
function addressOf(pod: Pod, known: PodKnowledge, {hostIP, old}: StatusFacts): string | undefined {
  const {sandbox} = known;
  if (pod.spec.hostNetwork) return sandbox ? hostIP : undefined;
  return sandbox ? sandbox.ip : old.podIP;
}

interface ConditionFacts {
  readonly statuses: Statuses;
  readonly phase: Phase;
  readonly now: string;
  readonly old: readonly PodCondition[];
}

interface Why {
  readonly reason: string;
  readonly message?: string;
}

function conditionsOf(pod: Pod, known: PodKnowledge, facts: ConditionFacts): readonly PodCondition[] {
  const {phase, old} = facts;
  const network = known.sandbox?.state === 'ready' && (pod.spec.hostNetwork === true || known.sandbox.ip !== '');
  const initialized = notInitialized(pod, facts);
  const unready = notReady(pod, facts);
  const gated = closedGates(pod);
  const why = {
    PodReadyToStartContainers: network ? undefined : FALSE,
    Initialized: initialized ?? (phase === 'Succeeded' ? COMPLETED : undefined),
    Ready: unready ?? gated,
    ContainersReady: unready,
    PodScheduled: undefined,
  };
  const own = OWN.map(type => {
    const good = type === 'Initialized' ? initialized === undefined : why[type] === undefined;
    return condition(
      {type, good, why: why[type] === FALSE ? undefined : why[type], generation: pod.metadata.generation},
      facts.now,
      old,
    );
  });
  if (known.failure?.disrupts) {
    const {message} = known.failure;
    const why = {reason: 'TerminationByKubelet', message};
    own.unshift(condition({type: 'DisruptionTarget', good: true, why, generation: pod.metadata.generation}, facts.now, old));
  }
  const {generation} = pod.metadata;
  if (known.pendingResize) own.push(condition({type: PENDING, good: true, why: known.pendingResize, generation}, facts.now, old));
  if (known.resizing) own.push(condition({type: IN_PROGRESS, good: true, why: known.resizeError, generation}, facts.now, old));
  const current = (pod.status?.conditions ?? NO_CONDITIONS).filter(
    each => each.type !== 'DisruptionTarget' || !known.failure?.disrupts,
  );
  const foreign = current.some(isForeign) ? current.filter(isForeign) : NO_CONDITIONS;
  return foreign.length > 0 ? [...foreign, ...own] : own;
}

interface Finding {
  readonly type: string;
  readonly good: boolean;
  readonly why: Why | undefined;
  readonly generation: number | undefined;
}

/** One condition; the one that was there when nothing changed. */
function condition({type, good, why, generation}: Finding, now: string, old: readonly PodCondition[]): PodCondition {
  const before = old.find(each => each.type === type);
  const status = good ? 'True' : 'False';
  const since = before?.status === status && before.lastTransitionTime ? before.lastTransitionTime : now;
  if (
    before &&
    before.status === status &&
    before.reason === why?.reason &&
    before.message === why?.message &&
    before.observedGeneration === generation
  )
    return before;
  return {
    lastProbeTime: NEVER,
    lastTransitionTime: since,
    ...(why?.message ? {message: why.message} : {}),
    ...(generation === undefined ? {} : {observedGeneration: generation}),
    ...(why ? {reason: why.reason} : {}),
    status,
    type,
  };
}

function closedGates(pod: Pod): Why | undefined {
  const {readinessGates} = pod.spec;
  if (!readinessGates) return undefined;
  const conditions = pod.status?.conditions ?? NO_CONDITIONS;
  const closed = readinessGates.filter(
    gate => !conditions.some(each => each.type === gate.conditionType && each.status === 'True'),
  );
  if (closed.length === 0) return undefined;
  return {
    reason: 'ReadinessGatesNotReady',
    message: gateText(
      closed.map(gate => gate.conditionType),
      conditions,
    ),
  };
}

function isForeign(each: PodCondition): boolean {
  return !OWN.some(type => type === each.type) && each.type !== PENDING && each.type !== IN_PROGRESS;
}

/** Kubelets write this time as null, which the types of the API do not have. */
const NEVER = null as unknown as string;

const OWN = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'] as const;
const PENDING = 'PodResizePending';
const IN_PROGRESS = 'PodResizeInProgress';
const FALSE: Why = Object.freeze({reason: ''});
const COMPLETED: Why = Object.freeze({reason: 'PodCompleted'});

function notInitialized(
  pod: Pod,
  {statuses, phase}: ConditionFacts,
): {readonly reason: string; readonly message: string} | undefined {
  if (phase === 'Succeeded' || statuses.init.length === 0) return undefined;
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
