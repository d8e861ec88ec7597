// Starts one container of a pod: back-off, image, configuration, create, start, and the hook after the start. The answer is
// why it does not run, and until when it is no use to try again.
import type {Container, Pod} from '../../../api/kinds/core-v1.ts';
import {formatGoDuration} from '../../../api/meta/time.ts';
import {isCriError, type ContainerStatus, type CriError, type ImageStatus} from '../../../api/wire/cri.ts';
import type {Task} from '../../../sim/task.ts';
import {mountsImages, pullImageVolumes} from './image-volumes.ts';
import {checkUser, containerConfig} from './container-config.ts';
import {EMPTY, environmentOf, expand, hasEnvironment} from './environment.ts';
import {runHook} from './hooks.ts';
import type {PodKnowledge, WaitingReason} from '../knowledge.ts';
import type {StartPlan} from '../plan-pod.ts';
import {plainError} from '../runtime-client.ts';
import {fieldPath, podText, tell, type KubeletParts} from '../surroundings.ts';
import type {PodVolumes} from '../volumes/volumes.ts';

/** The pod that a container belongs to. */
export interface StartingPod {
  readonly parts: KubeletParts;
  readonly pod: Pod;
  readonly known: PodKnowledge;
  readonly volumes: PodVolumes;
  readonly podIP: string;
}

export interface NotStarted {
  readonly failure: WaitingReason;
  /** When the back-off is over. */
  readonly until?: number;
}

/** Starts a container. */
export function* startContainer(of: StartingPod, plan: StartPlan): Task<NotStarted | undefined> {
  const {parts, pod, known, volumes} = of;
  const {container, kind} = plan;
  const path = fieldPath(kind, container.name);
  const waits = crashBackoff(of, plan);
  if (waits) {
    const message = `Back-off restarting failed container ${container.name} in pod ${podText(pod)}`;
    tell(parts, pod, {type: 'Warning', reason: 'BackOff', message, fieldPath: path});
    return waits;
  }
  const say = (happening: {readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string}) =>
    tell(parts, pod, {...happening, fieldPath: path});
  const without = mountsImages(pod, container) ? yield* pullImageVolumes(parts, pod, container) : undefined;
  if (without) return {failure: without};
  let image = parts.images.present(container, say);
  if (!image) {
    const pulled = yield* parts.images.ensure(pod, container, say);
    if ('failure' in pulled) return failed(of, plan, {...pulled.failure, said: pulled.failure.reason});
    ({image} = pulled);
  }
  const prepared = isPlain(pod, container, image) ? EMPTY : yield* prepare(of, plan, image);
  if ('reason' in prepared) return failed(of, plan, prepared);
  const attempt = (known.newest(container.name)?.attempt ?? -1) + 1;
  const config = containerConfig(container, pod, {volumes, attempt, values: prepared});
  const created = (yield parts.runtime.begin({kind: 'create-container', sandboxId: known.sandbox?.id ?? '', config})) as
    | ContainerStatus
    | CriError;
  if (isCriError(created)) return failed(of, plan, {reason: 'CreateContainerError', message: plainError(created)});
  known.take({kind: 'container', status: created});
  known.of(container.name).image = container.image ?? '';
  known.of(container.name).resources = (container as Container).resources ?? NOTHING;
  say(CREATED);
  const started = (yield parts.runtime.begin({kind: 'start-container', id: created.id})) as ContainerStatus | CriError;
  if (isCriError(started)) return failed(of, plan, {reason: 'RunContainerError', message: plainError(started)});
  known.take({kind: 'container', status: started});
  say(STARTED);
  return (container as Container).lifecycle?.postStart ? yield* afterStart(of, plan, started) : undefined;
}

const NOTHING = Object.freeze({});
const CREATED = Object.freeze({type: 'Normal', reason: 'Created', message: 'Container created'});
const STARTED = Object.freeze({type: 'Normal', reason: 'Started', message: 'Container started'});

/** Nothing has to be fetched for it: it reads neither files nor environment, and runs as its image says. */
function isPlain({spec}: Pod, container: StartPlan['container'], image: ImageStatus): boolean {
  const isGuarded = container.securityContext !== undefined || spec.securityContext?.runAsNonRoot === true;
  return (
    runsAsItIs(container, image) &&
    !hasEnvironment(container) &&
    !isGuarded &&
    !container.volumeMounts?.some(mount => mount.subPathExpr)
  );
}

/** Runs what the image is made for, in the one way that it knows. */
function runsAsItIs(container: StartPlan['container'], image: ImageStatus): boolean {
  return image.inert && !container.command && !container.args;
}

/** What a container that looks around needs: a user that may be, tokens, an environment. */
function* prepare(
  of: StartingPod,
  {container}: StartPlan,
  image: ImageStatus,
): Task<ReadonlyMap<string, string> | WaitingReason> {
  const {parts, pod, volumes, podIP} = of;
  const refused = checkUser(pod, container, image);
  if (refused !== undefined) return {reason: 'CreateContainerConfigError', message: refused};
  const withoutServices = runsAsItIs(container, image);
  if (!withoutServices) {
    const missing = yield* volumes.fetchTokens();
    if (missing) return {reason: 'CreateContainerConfigError', message: missing.message};
  }
  const {references, hostIP, config} = parts;
  const environment = yield* environmentOf(pod, container, {
    references,
    podIP,
    hostIP,
    allocatable: config.allocatable,
    withoutServices,
    fileIn: (volume, path) => volumes.read(volume, path),
  });
  const unknown = 'error' in environment ? environment.error : whyNoSubPath(container, environment.values);
  if (unknown !== undefined) return {reason: 'CreateContainerConfigError', message: unknown};
  return 'error' in environment ? EMPTY : environment.values;
}

/** The folders of its volumes may be named by its environment, which then has to say something. */
function whyNoSubPath({volumeMounts = []}: StartPlan['container'], values: ReadonlyMap<string, string>): string | undefined {
  for (const {subPathExpr} of volumeMounts) {
    const missing = new Set<string>();
    if (subPathExpr)
      expand(subPathExpr, name => {
        if (!values.get(name)) missing.add(name);
        return '';
      });
    if (missing.size > 0) return `missing value for ${[...missing].sort().join(', ')}`;
  }
  return undefined;
}

/** Tells of a failure, with other words than those of the status where `said` has some. */
function failed(
  {parts, pod}: StartingPod,
  {container, kind}: StartPlan,
  failure: WaitingReason & {readonly said?: string},
): NotStarted {
  const {said, reason, message} = failure;
  tell(parts, pod, {
    type: 'Warning',
    reason: 'Failed',
    message: `Error: ${said ?? message}`,
    fieldPath: fieldPath(kind, container.name),
  });
  return {failure: {reason, message}};
}

function* afterStart(of: StartingPod, {container, kind}: StartPlan, started: ContainerStatus): Task<NotStarted | undefined> {
  const {parts, pod, podIP} = of;
  const handler = (container as Container).lifecycle?.postStart;
  if (!handler) return undefined;
  const why = yield* runHook(parts, pod, {handler, container, id: started.id, podIP});
  if (why === undefined) return undefined;
  const path = fieldPath(kind, container.name);
  tell(parts, pod, {type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed', fieldPath: path});
  tell(parts, pod, {type: 'Normal', reason: 'Killing', message: 'FailedPostStartHook', fieldPath: path});
  yield* parts.runtime.ask({kind: 'stop-container', id: started.id, graceSeconds: pod.spec.terminationGracePeriodSeconds ?? 30});
  return {failure: {reason: 'PostStartHookError', message: why}};
}

/** Is it too early for another life? Takes the next step of the back-off when it is not. */
function crashBackoff({parts, pod}: StartingPod, {container, ended}: StartPlan): NotStarted | undefined {
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
