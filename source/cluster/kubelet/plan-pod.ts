// What a pod needs now, from the object and what is known of it: end everything, make a sandbox, stop some containers, start
// some. Pure; the worker carries it out and asks again.
//
// Init containers run one after the other; a sidecar among them only has to have started. When one that must succeed has
// failed and may not run again, or when nothing is left that would ever run, the pod is to end as a whole.
import type {Container, EphemeralContainer, Pod} from '../../api/kinds/core-v1.ts';
import {isSidecar, runsAgain} from '../../api/meta/pod.ts';
import type {ContainerStatus} from '../../api/wire/cri.ts';
import type {PodKnowledge} from './knowledge.ts';
import {needsRestart} from './containers/resource-change.ts';

export type ContainerKind = 'init' | 'regular' | 'ephemeral';

/** A container that is to be started, after the one that ended before, if any. */
export interface StartPlan {
  readonly kind: ContainerKind;
  readonly container: Container | EphemeralContainer;
  /** The newest one that has ended: back-off counts from there. */
  readonly ended: ContainerStatus | undefined;
}

/** A container that is to be stopped, and what the event says. */
export interface StopPlan {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly id: string;
  readonly message: string;
  readonly because: 'liveness' | 'startup' | 'changed' | 'resize';
}

export interface PodPlan {
  /** Nothing is to run any more. */
  readonly end: boolean;
  /** The attempt of the sandbox that is to be made. */
  readonly sandbox: number | undefined;
  readonly stop: readonly StopPlan[];
  readonly start: readonly StartPlan[];
}

/** As a container ends whose probe failed. */
const KILLED = 137;

/** Plans. */
export function planPod(pod: Pod, known: PodKnowledge): PodPlan {
  const {sandbox} = known;
  if (sandbox?.state !== 'ready') return planSandbox(pod, known);
  const stop: StopPlan[] = [];
  const start: StartPlan[] = [];
  for (const container of pod.spec.ephemeralContainers ?? [])
    if (!known.newest(container.name)) start.push({kind: 'ephemeral', container, ended: undefined});
  const init = planInit(pod, known, stop);
  if (init.failed) return {end: true, sandbox: undefined, stop: [], start: []};
  start.push(...init.start);
  if (!init.done) return {end: false, sandbox: undefined, stop, start};
  let kept = 0;
  for (const container of pod.spec.containers) kept += planRegular(pod, known, {container, stop, start}) ? 1 : 0;
  const over = kept === 0 && !start.some(plan => plan.kind === 'regular');
  return over ? {end: true, sandbox: undefined, stop: [], start: []} : {end: false, sandbox: undefined, stop, start};
}

/** Is there anything left that may ever run? False for a pod whose containers have all ended for good. */
function planSandbox(pod: Pod, known: PodKnowledge): PodPlan {
  const {restartPolicy = 'Always', containers, initContainers = []} = pod.spec;
  const before = known.sandbox;
  const ran = containers.some(container => known.newest(container.name));
  const nothing: PodPlan = {end: true, sandbox: undefined, stop: [], start: []};
  const isPlain = !containers.some(each => each.restartPolicy ?? each.restartPolicyRules);
  if (before && restartPolicy === 'Never' && isPlain && known.containers.length > 0) return nothing;
  const wanted = containers.filter(container => {
    const last = known.newest(container.name);
    const isOver = last?.state === 'exited' && !runsAgain(pod, container, last.exitCode ?? 0);
    return !isOver || (isPlain && restartPolicy === 'Never');
  });
  if (wanted.length === 0) return nothing;
  const failed = initContainers.some(container => {
    const last = known.newest(container.name);
    const {exitCode = 0} = last ?? {};
    return !isSidecar(container) && last?.state === 'exited' && exitCode !== 0 && !runsAgain(pod, container, exitCode);
  });
  if (failed) return nothing;
  const [first] = initContainers;
  const start: StartPlan[] = first
    ? [{kind: 'init', container: first, ended: known.ended(first.name)}]
    : wanted.map(container => ({kind: 'regular', container, ended: known.ended(container.name)}));
  return {end: ran && before !== undefined, sandbox: before ? before.attempt + 1 : 0, stop: [], start};
}

interface InitPlan {
  readonly start: readonly StartPlan[];
  readonly done: boolean;
  readonly failed: boolean;
}

function planInit(pod: Pod, known: PodKnowledge, stop: StopPlan[]): InitPlan {
  const {initContainers = []} = pod.spec;
  if (initContainers.length === 0) return {start: [], done: true, failed: false};
  const start: StartPlan[] = [];
  const begun = pod.spec.containers.some(container => known.isCurrent(known.newest(container.name)));
  for (const container of initContainers) {
    const newest = known.newest(container.name);
    const current = known.isCurrent(newest) ? newest : undefined;
    const plan: StartPlan = {kind: 'init', container, ended: known.ended(container.name)};
    if (isSidecar(container)) {
      if (current?.state === 'running') {
        const failed = failedProbe(known, current);
        if (failed) stop.push(stopFor('init', container, {id: current.id, because: failed}));
        if (failed) start.push(plan);
        if (!begun && !hasStarted(known, container)) return {start, done: false, failed: false};
      } else if (current?.state !== 'created') {
        start.push(plan);
        if (!begun) return {start, done: false, failed: false};
      }
    } else if (!begun) {
      if (!current) return {start: [...start, plan], done: false, failed: false};
      if (current.state !== 'exited') return {start, done: false, failed: false};
      if (current.exitCode !== 0) {
        if (!runsAgain(pod, container, current.exitCode ?? 0)) return {start: [], done: false, failed: true};
        return {start: [...start, plan], done: false, failed: false};
      }
    }
  }
  return {start, done: true, failed: false};
}

/** Plans one regular container; true when it is there and stays. */
function planRegular(
  pod: Pod,
  known: PodKnowledge,
  plan: {readonly container: Container; readonly stop: StopPlan[]; readonly start: StartPlan[]},
): boolean {
  const {container, stop, start} = plan;
  const newest = known.newest(container.name);
  const again: StartPlan = {kind: 'regular', container, ended: known.ended(container.name)};
  if (!known.isCurrent(newest)) {
    start.push(again);
    return false;
  }
  if (newest.state === 'exited') {
    if (runsAgain(pod, container, newest.exitCode ?? 0)) start.push(again);
    return false;
  }
  if (newest.state !== 'running') return true;
  const {image, resources} = known.find(container.name) ?? {};
  const isResized = resources !== undefined && known.resizing && needsRestart(container, resources);
  const because =
    image !== undefined && image !== container.image ? 'changed' : isResized ? 'resize' : failedProbe(known, newest);
  if (!because) return true;
  const restarts = because === 'changed' || because === 'resize' || runsAgain(pod, container, KILLED);
  stop.push(stopFor('regular', container, {id: newest.id, because, restarts}));
  if (restarts) start.push(again);
  return true;
}

/** A container without a startup probe has started when it runs. */
function hasStarted(known: PodKnowledge, container: Container): boolean {
  return known.find(container.name)?.probes?.started ?? !container.startupProbe;
}

function failedProbe(known: PodKnowledge, status: ContainerStatus): 'liveness' | 'startup' | undefined {
  const findings = known.find(status.name)?.probes;
  return findings?.id === status.id ? findings.failed : undefined;
}

function stopFor(
  kind: ContainerKind,
  container: Container,
  what: {readonly id: string; readonly because: StopPlan['because']; readonly restarts?: boolean},
): StopPlan {
  const {id, because, restarts = true} = what;
  if (because === 'resize') return {kind, container, id, because, message: `Container ${container.name} resize requires restart`};
  const said =
    because === 'changed'
      ? `Container ${container.name} definition changed`
      : `Container ${container.name} failed ${because} probe`;
  return {kind, container, id, because, message: restarts ? `${said}, will be restarted` : said};
}
