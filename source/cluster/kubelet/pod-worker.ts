// The worker of one pod. It looks at the pod, one look at a time: writes the status as it is known, asks the plan what is to be
// done, does it, and says when to look again. Whatever happens to the pod (its object changed, a container died, a probe
// found something) wants another look; wishes that come during a look make one look afterwards.
//
// As in life the status is written before the work: a container in back-off shows what it was until somebody looks again.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {isTerminating} from '../../api/meta/pod.ts';
import {isCriError, type ContainerStatus, type RuntimeEvent, type SandboxStatus} from '../../api/wire/cri.ts';
import type {Timer} from '../../sim/clock.ts';
import type {Task} from '../../sim/task.ts';
import {endPod, stopOne} from './end-pod.ts';
import {PodKnowledge} from './knowledge.ts';
import {lastWords} from './last-words.ts';
import {planPod, type PodPlan} from './plan-pod.ts';
import {podStatus, rejectedStatus} from './pod-status.ts';
import {Probes} from './probes.ts';
import {rpcError} from './runtime-client.ts';
import {sandboxConfig} from './sandbox-config.ts';
import {startContainer} from './start-container.ts';
import {tell, type KubeletParts} from './surroundings.ts';
import {canChange, PodVolumes} from './volumes.ts';

const RETRY_MS = 10_000;
const NETWORK_RETRY_MS = 1000;
const REFRESH_MS = 60_000;
const MOUNT_FIRST_MS = 500;
const MOUNT_MOST_MS = 122_000;

/** One pod on its node. */
export class PodWorker {
  readonly known = new PodKnowledge();
  readonly volumes: PodVolumes;
  readonly probes: Probes;
  readonly #parts: KubeletParts;
  readonly #startTime: string;
  readonly #done: (worker: PodWorker) => void;
  pod: Pod;
  #busy = false;
  #again = false;
  #timer: Timer | undefined;
  #mounted = false;
  #refreshed: number;
  /** Nothing will run any more: ended by itself, failed as a whole, or asked to end. */
  #terminal = false;
  #ending = false;
  #over = false;
  #gone = false;
  #rejected = false;
  #mountDelay = MOUNT_FIRST_MS;

  constructor(parts: KubeletParts, pod: Pod, done: (worker: PodWorker) => void) {
    this.#parts = parts;
    this.pod = pod;
    this.#done = done;
    this.#startTime = parts.daemon.now();
    this.#refreshed = parts.daemon.clock.now;
    this.volumes = new PodVolumes({
      references: parts.references,
      client: parts.client,
      nodeFiles: parts.files,
      wall: parts.daemon.wall,
      fields: () => ({podIP: this.podIP, hostIP: parts.hostIP, allocatable: parts.config.allocatable}),
    });
    this.probes = new Probes({parts, pod: () => this.pod, known: this.known, podIP: () => this.podIP, found: () => this.wake()});
  }

  get podIP(): string {
    return (this.pod.spec.hostNetwork ? '' : this.known.sandbox?.ip) || this.#parts.hostIP;
  }

  /** Does it still count for what the node has to give? */
  get active(): boolean {
    return !this.#terminal && !this.#rejected && !this.#over;
  }

  /** The node will not run it. */
  reject(failure: {readonly reason: string; readonly message: string}): void {
    this.#rejected = true;
    this.#terminal = true;
    this.known.failure = failure;
    const {parts, pod} = {parts: this.#parts, pod: this.pod};
    tell(parts, pod, {type: 'Warning', reason: failure.reason, message: failure.message});
    parts.writer.write(pod, rejectedStatus(pod, failure, parts.daemon.now()));
  }

  /** The pod as a whole has failed: too late, or evicted. All of it is ended. */
  fail(reason: string, message: string): void {
    if (this.known.failure) return;
    this.known.failure = {reason, message};
    this.wake();
  }

  /** The object changed. */
  update(pod: Pod): void {
    const before = this.pod;
    this.pod = pod;
    if (
      before.spec === pod.spec &&
      before.metadata.deletionTimestamp === pod.metadata.deletionTimestamp &&
      !metadataChanged(before, pod)
    )
      return;
    if (isTerminating(pod) || before.metadata.generation !== pod.metadata.generation || metadataChanged(before, pod)) this.wake();
  }

  /** The object is gone, at once and by force. */
  remove(): void {
    this.#gone = true;
    this.#parts.writer.forget(this.pod.metadata.uid);
    if (this.#over) this.#done(this);
    else this.wake();
  }

  /** The runtime said something of this pod. */
  hear(event: Exclude<RuntimeEvent, {kind: 'status'}>): void {
    if (!this.known.take(event)) return;
    if (event.kind === 'container') {
      const {status} = event;
      if (status.state === 'created') return;
      if (status.state === 'running') this.probes.start(status);
      else {
        this.probes.stop(status.name, status.id);
        this.#parts.daemon.scope.run(lastWords(this.#parts, this, status), () => this.wake());
        return;
      }
    }
    this.wake();
  }

  /** A container that was there before this kubelet. */
  adopt(status: ContainerStatus): void {
    this.known.take({kind: 'container', status});
    this.#mounted = false;
    if (status.state === 'running') this.probes.start(status);
  }

  /** Wants a look. */
  wake(): void {
    if (this.#over) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    const {daemon} = this.#parts;
    daemon.clock.cancel(this.#timer);
    this.#timer = undefined;
    this.#busy = true;
    daemon.scope.run(this.#look(), afterMs => {
      this.#busy = false;
      if (this.#over) {
        // An object that finalizers hold back is still there: its worker stays, or it would be taken for a new pod.
        if (this.#gone) this.#done(this);
        return;
      }
      if (this.#again) {
        this.#again = false;
        daemon.scope.soon(() => this.wake());
      } else if (afterMs !== undefined && afterMs < Infinity) this.#timer = daemon.scope.after(afterMs, () => this.wake());
    });
  }

  *#look(): Task<number | undefined> {
    if (this.#rejected) {
      if (this.#gone || isTerminating(this.pod)) this.#finish();
      return undefined;
    }
    this.#checkDeadline();
    if (this.#gone || isTerminating(this.pod) || this.known.failure) return yield* this.#end();
    const plan = planPod(this.pod, this.known);
    this.#terminal = plan.end && plan.sandbox === undefined;
    this.#writeStatus();
    if (this.#terminal) return yield* this.#end();
    return yield* this.#work(plan);
  }

  *#work(plan: PodPlan): Task<number | undefined> {
    const {pod} = this;
    const notReady = pod.spec.hostNetwork || this.known.sandbox?.state === 'ready' ? undefined : this.#parts.networkNotReady();
    if (notReady !== undefined) {
      tell(this.#parts, pod, {type: 'Warning', reason: 'NetworkNotReady', message: `network is not ready: ${notReady}`});
      return NETWORK_RETRY_MS;
    }
    if (!(yield* this.#mount())) return this.#mountDelay;
    for (const stop of plan.stop) {
      tell(this.#parts, pod, {
        type: 'Normal',
        reason: 'Killing',
        message: stop.message,
        fieldPath: `spec.${stop.kind === 'init' ? 'initContainers' : 'containers'}{${stop.container.name}}`,
      });
      yield* stopOne(this.#parts, pod, {...stop, graceSeconds: graceAfter(pod, stop)}, this.podIP);
    }
    if (plan.sandbox !== undefined && !(yield* this.#makeSandbox(plan.sandbox))) return this.#jittered(RETRY_MS);
    return yield* this.#start(plan);
  }

  /** Sees to the volumes. False while one is not to be had. */
  *#mount(): Task<boolean> {
    const {daemon} = this.#parts;
    if (!this.#mounted) {
      const failed = yield* this.volumes.setUp(this.pod);
      if (failed) {
        const message = `MountVolume.SetUp failed for volume "${failed.volume}" : ${failed.message}`;
        tell(this.#parts, this.pod, {type: 'Warning', reason: 'FailedMount', message});
        this.#mountDelay = Math.min(MOUNT_MOST_MS, this.#mountDelay * 2);
        return false;
      }
      this.#mounted = true;
      return true;
    }
    if (daemon.clock.now - this.#refreshed >= REFRESH_MS && this.pod.spec.volumes?.some(canChange)) {
      this.#refreshed = daemon.clock.now;
      yield* this.volumes.refresh(this.pod);
    }
    return true;
  }

  *#makeSandbox(attempt: number): Task<boolean> {
    const {runtime} = this.#parts;
    const before = this.known.sandbox;
    if (before) {
      tell(this.#parts, this.pod, {
        type: 'Normal',
        reason: 'SandboxChanged',
        message: 'Pod sandbox changed, it will be killed and re-created.',
      });
      yield* runtime.ask({kind: 'stop-sandbox', id: before.id});
    }
    const config = sandboxConfig(this.pod, attempt, this.#parts);
    const made = yield* runtime.ask<SandboxStatus>({kind: 'run-sandbox', config});
    if (isCriError(made)) {
      tell(this.#parts, this.pod, {
        type: 'Warning',
        reason: 'FailedCreatePodSandBox',
        message: `Failed to create pod sandbox: ${rpcError(made)}`,
      });
      return false;
    }
    this.known.take({kind: 'sandbox', status: made});
    return true;
  }

  *#start(plan: PodPlan): Task<number | undefined> {
    const {known, pod, volumes} = this;
    const parts = this.#parts;
    let afterMs = Infinity;
    for (const start of plan.start) {
      if (this.#gone || isTerminating(this.pod)) return undefined;
      const failed = yield* startContainer({parts, pod, known, volumes}, start);
      if (!failed) {
        known.reasons.delete(start.container.name);
        continue;
      }
      known.reasons.set(start.container.name, failed.failure);
      const wait = failed.until === undefined ? this.#jittered(RETRY_MS) : Math.max(1, failed.until - parts.daemon.wall());
      afterMs = Math.min(afterMs, wait);
      if (start.kind === 'init') break;
    }
    return Math.min(afterMs, this.#refreshIn(), this.#deadlineIn());
  }

  /** All containers end, then the sandbox; the last status is written; an object that was to be deleted goes. */
  *#end(): Task<number | undefined> {
    if (!this.#ending) {
      this.#ending = true;
      this.probes.end();
      const {failure} = this.known;
      if (failure?.reason === 'DeadlineExceeded')
        tell(this.#parts, this.pod, {type: 'Normal', reason: failure.reason, message: failure.message});
      const grace = this.#graceSeconds();
      yield* endPod({
        parts: this.#parts,
        pod: this.pod,
        known: this.known,
        podIP: this.podIP,
        graceSeconds: () => this.#shorterGrace(grace),
      });
      this.#terminal = true;
    }
    if (this.#gone || isTerminating(this.pod)) this.#finish();
    else this.#writeStatus();
    return undefined;
  }

  #finish(): void {
    const {writer, runtime, daemon} = this.#parts;
    if (!this.#gone) {
      if (!this.#rejected) this.#writeStatus();
      else writer.write(this.pod, this.pod.status ?? {});
      writer.finish(this.pod);
    }
    const id = this.known.sandbox?.id;
    if (id !== undefined) daemon.scope.run(runtime.ask({kind: 'remove-sandbox', id}));
    this.#over = true;
  }

  #writeStatus(): void {
    if (this.#gone) return;
    const {writer, daemon, hostIP} = this.#parts;
    const status = podStatus(this.#withStatus(), this.known, {
      hostIP,
      now: daemon.now(),
      startTime: this.#startTime,
      terminal: this.#terminal && this.known.running.length === 0,
    });
    writer.write(this.pod, status);
  }

  /** The pod with the status that was asked to be written last: the informer may be behind. */
  #withStatus(): Pod {
    const last = this.#parts.writer.statusOf(this.pod.metadata.uid);
    if (!last) return this.pod;
    const foreign =
      this.pod.status?.conditions?.filter(condition => !last.conditions?.some(each => each.type === condition.type)) ?? [];
    return {...this.pod, status: {...this.pod.status, ...last, conditions: [...foreign, ...(last.conditions ?? [])]}};
  }

  #checkDeadline(): void {
    if (this.#deadlineIn() > 0 || this.known.failure || this.#terminal) return;
    this.known.failure = {reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline'};
  }

  #deadlineIn(): number {
    const {activeDeadlineSeconds: seconds} = this.pod.spec;
    if (seconds === undefined) return Infinity;
    const since = Date.parse(this.pod.status?.startTime ?? this.#startTime);
    return Math.max(0, since + seconds * 1000 - this.#parts.daemon.wall());
  }

  #refreshIn(): number {
    return this.pod.spec.volumes?.some(canChange) ? this.#jittered(REFRESH_MS) : Infinity;
  }

  #graceSeconds(): number {
    const {deletionGracePeriodSeconds} = this.pod.metadata;
    if (this.#gone) return 1;
    return deletionGracePeriodSeconds ?? this.pod.spec.terminationGracePeriodSeconds ?? 30;
  }

  /** Somebody may ask for a faster end in the middle. */
  #shorterGrace(grace: number): number {
    return Math.min(grace, this.#graceSeconds());
  }

  #jittered(ms: number): number {
    return ms * (1 + this.#parts.daemon.dice.fraction() / 2);
  }
}

function metadataChanged(before: Pod, pod: Pod): boolean {
  return before.metadata.labels !== pod.metadata.labels || before.metadata.annotations !== pod.metadata.annotations;
}

function graceAfter(pod: Pod, stop: PodPlan['stop'][number]): number {
  const probe =
    stop.because === 'startup'
      ? stop.container.startupProbe
      : stop.because === 'liveness'
        ? stop.container.livenessProbe
        : undefined;
  return probe?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
}
