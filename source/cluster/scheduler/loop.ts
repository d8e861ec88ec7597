// The loop: takes the next pod, decides, and carries the decision out. Deciding is pure (decide.ts); here are the requests, the
// events, and the queue. One attempt follows the other; a binding does not hold up the next attempt, since its pod counts on its
// node from the moment of the decision.
import type {Binding} from '../../api/kinds/core-v1.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {Client} from '../../client/client.ts';
import {create, patch} from '../../client/verbs.ts';
import {attemptDetail} from './outcome/attempt-detail.ts';
import type {ClusterState} from './state/cluster-state.ts';
import {decide, newCourse, type Course, type Decision} from './decide.ts';
import type {Diagnosis} from './diagnosis.ts';
import {SeriesRecorder} from '../../client/series-events.ts';
import {failurePatch, type FailureReport} from './outcome/failure.ts';
import type {PostFilter} from './framework.ts';
import {News} from './news.ts';
import type {NodeInfo} from './state/node-info.ts';
import type {PodInfo} from './state/pod-info.ts';
import {carryOut, preBindingsOf, type NamedPreBinding} from './outcome/prebinding.ts';
import {endVictims} from './outcome/preempting.ts';
import type {Queue, Waiting} from './queue/queue.ts';
import {untilNext} from '../../sim/grid.ts';

export interface LoopOptions {
  readonly client: Client;
  readonly cluster: ClusterState;
  readonly queue: Queue;
}

/** Virtual time that an attempt takes: a little, and a little more for each node that is looked at. */
const ATTEMPT_MS = 0.2;
const NODE_MS = 0.001;
const FLUSH_EVERY_MS = 30_000;
const pods = builtin('pods');

/** Places waiting pods, one after the other. */
export class SchedulingLoop {
  readonly #client: Client;
  readonly #cluster: ClusterState;
  readonly #queue: Queue;
  readonly #course: Course;
  readonly #news = new News();
  readonly #recorders = new Map<string, SeriesRecorder>();
  #running = false;
  #startedAt = 0;
  #wakeAt = Infinity;
  #busyUntil = 0;
  #flushing = false;

  constructor({client, cluster, queue}: LoopOptions) {
    this.#client = client;
    this.#cluster = cluster;
    this.#queue = queue;
    this.#course = newCourse(client.daemon.dice.of('ties'));
  }

  /** Begins to place pods. */
  start(): void {
    this.#running = true;
    this.#startedAt = this.#client.daemon.clock.now;
    this.wake();
  }

  /** The queue may have something to do. */
  wake(): void {
    this.#news.tell();
    if (!this.#running) return;
    this.#keepFlushing();
    const due = Math.max(this.#queue.nextDue, this.#busyUntil);
    if (due === Infinity || due >= this.#wakeAt) return;
    const {scope, clock} = this.#client.daemon;
    this.#wakeAt = due;
    scope.after(due - clock.now, () => {
      if (this.#wakeAt !== due) return;
      this.#wakeAt = Infinity;
      this.#turn();
    });
  }

  #turn(): void {
    const {clock} = this.#client.daemon;
    const waiting = this.#queue.pop();
    if (waiting) {
      const before = clock.cause;
      clock.cause = waiting.lastCause;
      const evaluated = this.#attempt(waiting);
      clock.cause = before;
      this.#busyUntil = clock.now + ATTEMPT_MS + NODE_MS * evaluated;
    }
    this.wake();
  }

  #attempt(waiting: Waiting): number {
    const {pod, profile} = waiting;
    if (pod.pod.metadata.deletionTimestamp) {
      this.#queue.refuse(waiting, []);
      return 0;
    }
    const decision = decide(profile, {cluster: this.#cluster, pod}, this.#course);
    if (decision.node) this.#bind(waiting, decision, decision.node);
    else this.#refused(waiting, decision);
    return decision.evaluated;
  }

  #note(waiting: Waiting, detail: unknown): void {
    const {trace} = this.#client.daemon;
    trace.note('kube-scheduler', 'schedule', `pods/${waiting.pod.key}`, detail, waiting.firstCause);
  }

  #bind(waiting: Waiting, decision: Decision, node: NodeInfo): void {
    const {pod, profile} = waiting;
    this.#note(waiting, attemptDetail(decision));
    const before = preBindingsOf(profile, {cluster: this.#cluster, pod}, node);
    this.#cluster.place(pod, node.name, true);
    this.#cluster.nominations.delete(pod.uid);
    if (before.length === 0) this.#sendBinding(waiting, node.name);
    else this.#preBind(waiting, node.name, before);
  }

  /** Does what must be done before the binding. The pod's status names the node meanwhile. */
  #preBind(waiting: Waiting, node: string, bindings: readonly NamedPreBinding[]): void {
    const {pod} = waiting;
    const {taken} = this.#cluster;
    for (const [key, taking] of bindings.flatMap(({binding}) => [...binding.takes]))
      taken.set(key, {...taking, uid: pod.uid, node});
    const place = {namespace: pod.namespace, name: pod.pod.metadata.name, subresource: 'status'};
    this.#client.send(patch(pods, place, 'strategic', {status: {nominatedNodeName: node}}));
    const errand = {
      client: this.#client,
      news: (mostMs: number) => this.#news.next(mostMs),
      isOver: () => this.#queue.get(pod.uid) !== waiting,
    };
    const release = (isBound: boolean) => {
      for (const [key, {uid}] of taken) if (uid === pod.uid) taken.delete(key);
      if (!isBound) for (const {binding} of bindings) binding.undo?.(this.#client);
    };
    this.#client.daemon.scope.run(carryOut(bindings, errand), failed => {
      if (errand.isOver()) release(false);
      else if (failed === undefined) this.#sendBinding(waiting, node, release);
      else {
        release(false);
        this.#unbound(waiting, failed, '');
      }
    });
  }

  #sendBinding(waiting: Waiting, node: string, done?: (isBound: boolean) => void): void {
    const {pod} = waiting;
    const {metadata} = pod.pod;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: {namespace: pod.namespace, name: metadata.name, uid: pod.uid},
      target: {kind: 'Node', name: node},
    };
    const place = {namespace: pod.namespace, name: metadata.name, subresource: 'binding'};
    const regarding = pod.pod;
    this.#client.send<Binding>(create(pods, binding, place), result => {
      done?.(result.ok);
      if (result.ok) {
        const note = `Successfully assigned ${pod.key} to ${node}`;
        this.#recorder(waiting).record(regarding, {type: 'Normal', reason: 'Scheduled', action: 'Binding', note, once: true});
      } else {
        this.#unbound(waiting, `running Bind plugin "DefaultBinder": ${result.status.message ?? ''}`, undefined);
      }
    });
  }

  /** The binding was refused or got lost. If it worked after all, the informer will tell. */
  #unbound(waiting: Waiting, message: string, nominated: '' | undefined): void {
    const {pod} = waiting;
    if (this.#queue.get(pod.uid) !== waiting) return;
    if (this.#cluster.placed(pod.uid)?.assumed) this.#cluster.unplace(pod.uid);
    this.#queue.fail(waiting);
    this.#report(waiting, {reason: 'SchedulerError', message, nominated});
    this.#queue.hear({about: 'placed', before: pod});
    this.wake();
  }

  #refused(waiting: Waiting, decision: Decision): void {
    const {profile, pod} = waiting;
    const {diagnosis} = decision;
    if (diagnosis.failed) {
      const message = diagnosis.message();
      this.#note(waiting, attemptDetail(decision, {message}));
      this.#queue.fail(waiting);
      this.#report(waiting, {reason: 'SchedulerError', message, nominated: undefined});
      return;
    }
    const outcome = diagnosis.total === 0 ? undefined : this.#postFilter(waiting, diagnosis);
    const message = diagnosis.message();
    this.#note(waiting, attemptDetail(decision, {message, nominated: outcome?.nominated}));
    if (outcome?.nominated) this.#cluster.nominations.set(pod, outcome.nominated);
    else if (outcome?.clears) this.#cluster.nominations.delete(pod.uid);
    const plugins = [...diagnosis.plugins].map(name => profile.plugins.get(name)).filter(plugin => plugin !== undefined);
    this.#queue.refuse(waiting, plugins);
    this.#report(waiting, {
      reason: 'Unschedulable',
      message,
      nominated: outcome?.nominated ?? (outcome?.clears ? '' : undefined),
    });
    if (outcome?.nominated) this.#preempt(waiting, outcome.nominated, outcome.victims ?? []);
  }

  /** Asks who may still help; their words become part of the text unless one of them does help. */
  #postFilter({profile, pod}: Waiting, diagnosis: Diagnosis): PostFilter | undefined {
    const messages: string[] = [];
    let last: PostFilter | undefined;
    for (const plugin of profile.postFilters) {
      last = plugin.postFilter?.({cluster: this.#cluster, pod, profile, diagnosis, dice: this.#course.dice});
      if (!last) continue;
      if (last.nominated) return last;
      messages.push(last.message);
      if (last.write) this.#client.send(last.write);
      if (last.final) break;
    }
    diagnosis.postFilter = messages.join(', ');
    return last;
  }

  #report(waiting: Waiting, report: FailureReport): void {
    const {pod} = waiting.pod;
    this.#recorder(waiting).record(pod, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      note: report.message,
    });
    const body = failurePatch(pod, report, this.#client.daemon.now());
    if (body === undefined) return;
    const place = {namespace: waiting.pod.namespace, name: pod.metadata.name, subresource: 'status'};
    this.#client.send(patch(pods, place, 'strategic', body));
  }

  #preempt(waiting: Waiting, node: string, victims: readonly PodInfo[]): void {
    const {pod, profile} = waiting;
    const {preempting, nominations} = this.#cluster;
    for (const other of nominations.on(node).values()) if (other.priority < pod.priority) this.#unpromise(other);
    preempting.add(pod.uid);
    const preemption = {
      preemptor: pod,
      victims,
      node,
      schedulerName: profile.schedulerName,
      release: () => preempting.delete(pod.uid),
    };
    this.#client.daemon.scope.run(endVictims(this.#client, this.#recorder(waiting), preemption), went => {
      if (went) return;
      this.#queue.activate(pod.uid);
      this.wake();
    });
  }

  /** A less important pod loses the node that it was promised. */
  #unpromise(other: PodInfo): void {
    this.#cluster.nominations.delete(other.uid);
    const place = {namespace: other.namespace, name: other.pod.metadata.name, subresource: 'status'};
    this.#client.send(patch(pods, place, 'strategic', {status: {nominatedNodeName: null}}));
    this.#queue.activate(other.uid);
  }

  #recorder({profile}: Waiting): SeriesRecorder {
    const name = profile.schedulerName;
    const known = this.#recorders.get(name);
    if (known) return known;
    const made = new SeriesRecorder(this.#client, name);
    this.#recorders.set(name, made);
    return made;
  }

  /** Looks every thirty seconds for pods that slept too long, as long as any sleeps. */
  #keepFlushing(): void {
    if (this.#flushing || this.#queue.sleeping === 0) return;
    this.#flushing = true;
    const {clock, scope} = this.#client.daemon;
    scope.after(untilNext(clock.now, FLUSH_EVERY_MS, this.#startedAt), () => {
      this.#flushing = false;
      this.#queue.flush();
      this.wake();
    });
  }
}
