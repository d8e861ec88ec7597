// The worker of one pod. It looks at the pod, one look at a time: writes the status as it is known, asks the plan what is to be
// done, does it, and says when to look again. Whatever happens to the pod (its object changed, a container died, a probe
// found something) wants another look; wishes that come during a look make one look afterwards.
//
// As in life the status is written before the work: a container in back-off shows what it was until somebody looks again.
// Most looks find nothing to do; only those that do are tasks.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {keyOf} from '../../api/meta/object.ts';
import {isTerminating} from '../../api/meta/pod.ts';
import type {ContainerStatus} from '../../api/wire/cri.ts';
import type {Timer} from '../../sim/clock.ts';
import type {Task} from '../../sim/task.ts';
import {deadlineIn, TOO_LATE} from './deadline.ts';
import {endPod, graceAfter, stopOne} from './end-pod.ts';
import {isStatic} from './static-pods/manifest-pod.ts';
import {PodKnowledge, type PodEvent, type PodFailure} from './knowledge.ts';
import {takeLastWords} from './containers/last-words.ts';
import {makeSandbox} from './make-sandbox.ts';
import {metadataChanged} from './metadata-change.ts';
import {planPod, type PodPlan, type StopPlan} from './plan-pod.ts';
import {podStatus, rejectedStatus} from './status/pod-status.ts';
import {probedContainer, Probes} from './containers/probes.ts';
import {lookForPullSecrets} from './containers/pull-secrets.ts';
import {PodResize} from './containers/resize.ts';
import {startContainer} from './containers/start-container.ts';
import {fieldPath, tell, type KubeletParts} from './surroundings.ts';
import {PodVolumes} from './volumes/volumes.ts';

const RETRY_MS = 10_000;
const NETWORK_RETRY_MS = 1000;
/** A node that has just registered gets its range in a moment: too soon to speak of it. One that gets none is not asked about so often. */
const RANGE_RETRY_MS = 100;
const RANGE_QUICK_TRIES = 30;
const REFRESH_MS = 60_000;
const MOUNT_FIRST_MS = 500;
const MOUNT_MOST_MS = 122_000;
const ATTACH_LOOK_MS = 1000;
const ATTACH_MOST_MS = 123_000;

/** One pod on its node. */
export class PodWorker {
  readonly known = new PodKnowledge();
  readonly volumes: PodVolumes;
  readonly parts: KubeletParts;
  readonly #done: (worker: PodWorker) => void;
  readonly #startTime: string;
  pod: Pod;
  #probes: Probes | undefined;
  #timer: Timer | undefined;
  #busy = false;
  #again = false;
  #mounted = false;
  #refreshed: number;
  #mountDelay = MOUNT_FIRST_MS;
  #rangeTries = 0;
  #attachSince: number | undefined;
  /** Nothing will run any more: ended by itself, failed as a whole, or asked to end. */
  #terminal = false;
  #ending = false;
  #over = false;
  #gone = false;
  #rejected = false;
  readonly #resize: PodResize;
  #evictionGrace: number | undefined;

  constructor(parts: KubeletParts, pod: Pod, done: (worker: PodWorker) => void) {
    this.parts = parts;
    this.pod = pod;
    this.#resize = new PodResize({parts, known: this.known}, pod);
    this.#done = done;
    this.#startTime = parts.daemon.now();
    this.#refreshed = parts.daemon.clock.now;
    this.volumes = new PodVolumes(this);
  }

  get podIP(): string {
    return (this.pod.spec.hostNetwork ? '' : this.known.sandbox?.ip) || this.parts.hostIP;
  }

  /** The node will not run it. */
  reject(failure: PodFailure): void {
    const {parts, pod} = this;
    this.#rejected = true;
    this.#terminal = true;
    this.known.failure = failure;
    tell(parts, pod, {type: 'Warning', reason: failure.reason, message: failure.message});
    parts.writer.write(pod, rejectedStatus(pod, failure, parts.daemon.now()));
  }

  /** The pod as a whole has failed: too late, or evicted. All of it is ended. */
  fail(failure: PodFailure): void {
    if (this.known.failure) return;
    this.known.failure = failure;
    this.wake();
  }

  /** The node sends it away, with so much time to end; it need not be told of. */
  evict(failure: PodFailure, graceSeconds: number, isTold = true): void {
    if (this.known.failure || this.#ending || this.#gone) return;
    this.#evictionGrace = graceSeconds;
    if (isTold) tell(this.parts, this.pod, {type: 'Warning', reason: failure.reason, message: failure.message});
    this.fail(failure);
  }

  /** Nothing of it runs any more, nor will. */
  get hasEnded(): boolean {
    return this.#terminal && this.known.running.length === 0;
  }

  /** The object changed. What the kubelet itself wrote is no news. */
  update(pod: Pod): void {
    const before = this.pod;
    this.pod = isStatic(pod) ? pod : this.#resize.take(pod);
    if (before.status !== pod.status) this.parts.writer.heard(pod);
    if (metadataChanged(before, pod)) this.volumes.refreshFields();
    if (before.metadata.deletionGracePeriodSeconds !== pod.metadata.deletionGracePeriodSeconds) this.#hurry();
    if (
      isTerminating(pod) ||
      before.metadata.generation !== pod.metadata.generation ||
      before.spec !== pod.spec ||
      metadataChanged(before, pod)
    )
      this.wake();
  }

  /** There may be room for what was put off. */
  retryResize(): void {
    if (this.known.pendingResize?.reason === 'Deferred') this.update(this.#resize.desired);
  }

  /** The object is gone, at once and by force. */
  remove(): void {
    this.#gone = true;
    this.parts.writer.forget(this.pod.metadata.uid);
    this.#hurry();
    if (this.#over) this.#done(this);
    else this.wake();
  }

  /** The runtime said something of this pod, which the worker may know already from an answer. When does it want a look? */
  hear(event: PodEvent): 'now' | 'later' | 'never' {
    const isNews = this.known.take(event);
    if (event.kind === 'removed') return isNews ? 'now' : 'never';
    if (event.kind === 'sandbox') return 'now';
    const {status} = event;
    if (status.state === 'created') return 'never';
    if (status.state === 'running') {
      if (this.known.newest(status.name) === status) this.#probe(status);
      return 'now';
    }
    this.#probes?.stop(status.name, status.id);
    this.#dropDead(status);
    const rest = takeLastWords(this, status);
    if (!rest) return 'now';
    this.parts.daemon.scope.run(rest, () => this.wake());
    return 'later';
  }

  /** A container that was there before this kubelet. */
  adopt(status: ContainerStatus): void {
    this.known.take({kind: 'container', status});
    if (status.state === 'running' && this.known.newest(status.name)?.id === status.id) this.#probe(status);
  }

  /** Wants a look. */
  wake(): void {
    if (this.#over) return;
    if (this.#busy) {
      this.#again = true;
      return;
    }
    const {clock, scope} = this.parts.daemon;
    clock.cancel(this.#timer);
    this.#timer = undefined;
    this.#busy = true;
    const work = this.#look();
    if (work) scope.run(work, afterMs => this.#looked(afterMs));
    else this.#looked(this.#idleMs());
  }

  /** Looks, and writes what it sees. The work that is to be done, if any. */
  #look(): Task<number> | undefined {
    if (this.#rejected) {
      if (this.#gone || isTerminating(this.pod)) this.#finish();
      return undefined;
    }
    if (this.#deadlineIn() <= 0 && !this.#terminal) this.known.failure ??= TOO_LATE;
    if (this.#gone || isTerminating(this.pod) || this.known.failure) return this.#end();
    const plan = planPod(this.pod, this.known);
    this.#terminal = plan.end && plan.sandbox === undefined;
    this.#writeStatus();
    if (this.#terminal) return this.#end();
    const idle = this.#mounted && plan.sandbox === undefined && plan.start.length === 0 && plan.stop.length === 0;
    return idle && !this.#isStale() && !this.#resize.isBehind(this.pod) ? undefined : this.#work(plan);
  }

  #looked(afterMs: number): void {
    this.#busy = false;
    if (this.#over) {
      // An object that finalizers hold back is still there: its worker stays, or it would be taken for a new pod.
      if (this.#gone) this.#done(this);
    } else if (this.#again) {
      this.#again = false;
      this.wake();
    } else if (afterMs < Infinity) this.#timer = this.parts.daemon.scope.after(afterMs, () => this.wake());
  }

  *#work(plan: PodPlan): Task<number> {
    const {pod, parts, known} = this;
    const needsNetwork = !pod.spec.hostNetwork && known.sandbox?.state !== 'ready';
    if (needsNetwork && !parts.hasRange()) return this.#rangeTries++ < RANGE_QUICK_TRIES ? RANGE_RETRY_MS : RETRY_MS;
    const notReady = needsNetwork ? parts.networkNotReady() : undefined;
    if (notReady !== undefined) {
      tell(parts, pod, {type: 'Warning', reason: 'NetworkNotReady', message: `network is not ready: ${notReady}`});
      this.#complain(`network is not ready: ${notReady}`);
      return NETWORK_RETRY_MS;
    }
    if (!this.#mounted && !(this.#mounted = this.volumes.setUpNow()) && !(yield* this.#mount())) return this.#mountDelay;
    if (this.#isStale()) yield* this.#refresh();
    yield* lookForPullSecrets(parts, pod);
    const isResizing = known.resizing;
    const isHeld = !(yield* this.#resize.carryOut(pod));
    if (isResizing) this.#writeStatus();
    if (plan.stop.length > 0) yield* this.#stop(plan.stop);
    if (plan.sandbox !== undefined) {
      if (known.sandbox) yield* this.#dropSandbox(known.sandbox.id);
      const made = yield* makeSandbox(parts, pod, plan.sandbox);
      if (!made) return this.#jittered(RETRY_MS);
      known.take({kind: 'sandbox', status: made});
    }
    let afterMs = isHeld ? this.#jittered(RETRY_MS) : Infinity;
    for (const start of plan.start) {
      if (this.#gone || isTerminating(this.pod)) return 0;
      const failed = yield* startContainer(this, start);
      known.of(start.container.name).reason = failed?.failure;
      if (!failed) continue;
      this.#complain(
        `failed to "StartContainer" for "${start.container.name}" with ${failed.failure.reason}: ${JSON.stringify(failed.failure.message)}`,
      );
      const wait = failed.until === undefined ? RETRY_MS : Math.max(1, failed.until - parts.daemon.wall());
      afterMs = Math.min(afterMs, this.#jittered(Math.min(wait, REFRESH_MS)));
      if (start.kind === 'init') break;
    }
    return Math.min(afterMs, this.#idleMs());
  }

  /** Sees to the volumes, with patience. False while one is not to be had. */
  *#mount(): Task<boolean> {
    const failures = yield* this.volumes.setUp();
    this.#mounted = failures.length === 0;
    if (this.#mounted) return true;
    const waiting = failures.filter(({attaching}) => attaching).map(({volume}) => volume);
    for (const {message, attaching} of failures)
      if (!attaching) tell(this.parts, this.pod, {type: 'Warning', reason: 'FailedMount', message});
    if (waiting.length > 0) this.#awaitAttached(waiting);
    else this.#mountDelay = Math.min(MOUNT_MOST_MS, this.#mountDelay * 2);
    return false;
  }

  /** Volumes that are not attached yet are looked for every second; every two minutes the log tells of them. */
  #awaitAttached(volumes: readonly string[]): void {
    const {clock} = this.parts.daemon;
    this.#mountDelay = ATTACH_LOOK_MS;
    this.#attachSince ??= clock.now;
    if (clock.now < this.#attachSince + ATTACH_MOST_MS) return;
    this.#attachSince = clock.now;
    this.#complain(
      `unmounted volumes=[${volumes.join(' ')}], unattached volumes=[], failed to process volumes=[]: context deadline exceeded`,
    );
  }

  *#refresh(): Task {
    this.#refreshed = this.parts.daemon.clock.now;
    yield* this.volumes.refresh();
  }

  *#stop(stops: readonly StopPlan[]): Task {
    const {parts, pod} = this;
    for (const stop of stops) {
      tell(parts, pod, {
        type: 'Normal',
        reason: 'Killing',
        message: stop.message,
        fieldPath: fieldPath(stop.kind, stop.container.name),
      });
      yield* stopOne(parts, pod, {...stop, graceSeconds: graceAfter(pod, stop)}, this.podIP);
    }
  }

  *#dropSandbox(id: string): Task {
    const {parts, pod} = this;
    tell(parts, pod, {
      type: 'Normal',
      reason: 'SandboxChanged',
      message: 'Pod sandbox changed, it will be killed and re-created.',
    });
    yield* parts.runtime.ask({kind: 'stop-sandbox', id});
  }

  /** All containers end, then the sandbox; the last status is written; an object that was to be deleted goes. */
  *#end(): Task<number> {
    const {parts, pod, known, podIP} = this;
    if (!this.#ending) {
      this.#ending = true;
      this.#probes?.end();
      if (known.failure === TOO_LATE) tell(parts, pod, {type: 'Normal', ...TOO_LATE});
      yield* endPod({parts, pod, known, podIP, graceSeconds: () => this.#graceSeconds()});
      this.#probes?.close();
      known.lost = known.failure?.disrupts === false;
      this.#terminal = true;
      parts.room.release(pod.metadata.uid);
      parts.inUse.release(pod.metadata.uid);
    }
    if (this.#gone || isTerminating(this.pod)) this.#finish();
    else this.#writeStatus();
    return Infinity;
  }

  /** Somebody wants the end to come sooner: what is being stopped is stopped with what is left. */
  #hurry(): void {
    if (!this.#ending || this.#terminal) return;
    const {runtime, daemon} = this.parts;
    for (const {id} of this.known.running)
      daemon.scope.run(runtime.ask({kind: 'stop-container', id, graceSeconds: this.#graceSeconds()}));
  }

  #finish(): void {
    const {writer, runtime, daemon, room} = this.parts;
    const {uid} = this.pod.metadata;
    if (!this.#gone) {
      if (!this.#rejected) this.#writeStatus();
      writer.finish(this.pod);
    }
    room.release(uid);
    const id = this.known.sandbox?.id;
    if (id !== undefined) daemon.scope.run(runtime.ask({kind: 'remove-sandbox', id}));
    this.#over = true;
  }

  #writeStatus(): void {
    if (this.#gone) return;
    const {pod, known} = this;
    const {writer, daemon, hostIP} = this.parts;
    const old = writer.statusOf(pod.metadata.uid) ?? this.parts.mirrorOf(pod)?.status ?? pod.status ?? {};
    const terminal = this.#terminal && known.running.length === 0;
    writer.write(pod, podStatus(pod, known, {old, hostIP, now: daemon.now(), startTime: this.#startTime, terminal}));
  }

  /** Of a container's dead lives one is kept: with a new death the one before goes, and its log with it. */
  #dropDead({name, id}: ContainerStatus): void {
    const {newest, before} = this.known.find(name) ?? {};
    if (newest?.id !== id || before?.state !== 'exited') return;
    const {daemon, runtime} = this.parts;
    daemon.scope.run(runtime.ask({kind: 'remove-container', id: before.id}));
  }

  #probe(status: ContainerStatus): void {
    const container = probedContainer(this.pod, status.name);
    if (container) (this.#probes ??= new Probes(this)).start(container, status);
  }

  /** Until the next look when nothing else happens. */
  #idleMs(): number {
    const refresh = this.volumes.canChange ? this.#jittered(REFRESH_MS) : Infinity;
    return this.#terminal ? Infinity : Math.min(refresh, this.#deadlineIn());
  }

  /** Has what the volumes hold been looked at for long? */
  #isStale(): boolean {
    return this.parts.daemon.clock.now - this.#refreshed >= REFRESH_MS && this.volumes.canChange;
  }

  #deadlineIn(): number {
    return deadlineIn(this.pod, this.pod.status?.startTime ?? this.#startTime, this.parts.daemon.wall());
  }

  #graceSeconds(): number {
    const {metadata, spec} = this.pod;
    if (this.#evictionGrace !== undefined) return this.#evictionGrace;
    if (this.#gone && !isStatic(this.pod)) return 1;
    return metadata.deletionGracePeriodSeconds ?? spec.terminationGracePeriodSeconds ?? 30;
  }

  /** The kubelet's own log of a look that did not come to its end. */
  #complain(why: string): void {
    const {pod} = this;
    this.parts.daemon.print(
      `E pod_workers.go:1324] "Error syncing pod, skipping" err=${JSON.stringify(why)} pod="${keyOf(pod)}" podUID="${pod.metadata.uid}"`,
    );
  }

  #jittered(ms: number): number {
    return ms * (1 + this.parts.daemon.dice.fraction() / 2);
  }
}
