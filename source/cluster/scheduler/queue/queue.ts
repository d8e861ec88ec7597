// The pods that wait for a node, in three parts:
//
//   active         are tried next: the more important first, among equals who has waited longer
//   backing off    were refused, have been woken, and wait a little (1 s, doubling to 10 s); with nothing active they are tried
//                  anyway, so an idle scheduler never lets one wait. Those whose attempt failed by an error do wait.
//   unschedulable  were refused and sleep until news comes that a plugin which refused them finds worth another try, or for
//                  five minutes (looked at every thirty seconds, as long as somebody sleeps)
//
// A pod that a plugin holds back beforehand (gates, a missing claim, a preemption under way) sleeps too, and is asked again.
import type {Clock} from '../../../sim/clock.ts';
import type {ClusterEvent} from '../cluster-event.ts';
import type {ClusterState} from '../state/cluster-state.ts';
import type {Context, Plugin, Profile} from '../framework.ts';
import {Heap} from './heap.ts';
import type {PodInfo} from '../state/pod-info.ts';

/** A waiting pod. */
export interface Waiting {
  pod: PodInfo;
  readonly profile: Profile;
  part: 'active' | 'backing off' | 'unschedulable' | 'in flight';
  /** When it came, was refused last, or was held back last: equals are tried in this order. */
  since: number;
  order: number;
  /** How often it was refused, and how often in a row an attempt failed by an error. */
  refusals: number;
  errors: number;
  /** The plugins whose refusal it waits on; empty after an error. */
  plugins: readonly Plugin[];
  /** The plugin that holds it back. */
  heldBy: Plugin | undefined;
  /** The same for pods that news mean the same to; set while it sleeps. */
  kind: string;
  /** Trace entries: what brought it here first and last. */
  firstCause: number;
  lastCause: number;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly cluster: ClusterState;
  readonly firstBackoffMs: number;
  readonly mostBackoffMs: number;
}

/** How long a pod sleeps before it is tried anyway: five minutes, less than the looks drift in that time. */
const FLUSH_AFTER_MS = 5 * 60_000 - 100;

/** A place in a heap. It carries what it is ordered by, so that comparing does not look into the pods. */
interface Ticket {
  readonly waiting: Waiting;
  readonly priority: number;
  readonly since: number;
  readonly order: number;
  readonly due: number;
}

/** The waiting pods. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #all = new Map<string, Waiting>();
  readonly #active = new Heap<Ticket>(goesBefore);
  readonly #backoff = new Heap<Ticket>((a, b) => a.due < b.due || (a.due === b.due && goesBefore(a, b)));
  readonly #sleeping = new Map<string, Waiting>();
  /** Those who sleep, by what they ask for and who refused them. */
  readonly #kinds = new Map<string, Set<Waiting>>();
  #order = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** How many pods are in the queue or being tried. */
  get size(): number {
    return this.#all.size;
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.#sleeping.size;
  }

  get(uid: string): Waiting | undefined {
    return this.#all.get(uid);
  }

  /** A new pod. */
  add(pod: PodInfo, profile: Profile): void {
    const {clock} = this.#options;
    const waiting: Waiting = {
      pod,
      profile,
      part: 'in flight',
      since: clock.now,
      order: 0,
      refusals: 0,
      errors: 0,
      plugins: [],
      heldBy: undefined,
      kind: '',
      firstCause: clock.cause,
      lastCause: clock.cause,
    };
    this.#all.set(pod.uid, waiting);
    this.#activate(waiting);
  }

  /** The pod itself changed; `before` is what it was. */
  update(pod: PodInfo, before: PodInfo): void {
    const waiting = this.#all.get(pod.uid);
    if (!waiting) return;
    waiting.pod = pod;
    if (waiting.part !== 'unschedulable') return;
    this.#leaveKind(waiting);
    this.#joinKind(waiting);
    this.#wake(waiting, {about: 'itself', before, after: pod});
  }

  /** The pod is gone, or has a node. */
  delete(uid: string): PodInfo | undefined {
    const waiting = this.#all.get(uid);
    if (!waiting) return undefined;
    this.#leave(waiting);
    this.#all.delete(uid);
    return waiting.pod;
  }

  /** The next pod to try; it is in flight until `refuse`, `fail` or `delete`. */
  pop(): Waiting | undefined {
    this.#endBackoffs();
    for (const heap of [this.#active, this.#backoff]) {
      for (;;) {
        const ticket = heap.peek();
        if (!ticket) break;
        if (!this.#isCurrent(ticket, heap)) {
          heap.pop();
          continue;
        }
        if (heap === this.#backoff && ticket.waiting.errors > 0) break;
        heap.pop();
        this.#leave(ticket.waiting);
        return ticket.waiting;
      }
    }
    return undefined;
  }

  /** When the next pod may be tried: now, at the end of a back-off, or never without news. */
  get nextDue(): number {
    const {now} = this.#options.clock;
    for (const heap of [this.#active, this.#backoff]) {
      for (let ticket = heap.peek(); ticket; ticket = heap.peek()) {
        if (this.#isCurrent(ticket, heap))
          return heap === this.#active || ticket.waiting.errors === 0 ? now : Math.max(now, ticket.due);
        heap.pop();
      }
    }
    return Infinity;
  }

  /** No node would do: the pod sleeps until one of these plugins thinks otherwise. */
  refuse(waiting: Waiting, plugins: readonly Plugin[]): void {
    waiting.refusals++;
    waiting.errors = 0;
    waiting.plugins = plugins;
    this.#sleep(waiting);
  }

  /** The attempt failed by an error: again, after a back-off. */
  fail(waiting: Waiting): void {
    waiting.errors++;
    waiting.plugins = [];
    waiting.since = this.#options.clock.now;
    this.#backOff(waiting);
  }

  /** News. Wakes the sleeping pods that it may help; pods of one kind think alike, so only one of each kind is asked. */
  hear(event: ClusterEvent): void {
    if (this.#sleeping.size === 0) return;
    const woken: Waiting[] = [];
    for (const pods of this.#kinds.values()) {
      const [first] = pods;
      if (first && this.#isWorth(first, event)) woken.push(...pods);
    }
    for (const waiting of woken.sort((a, b) => a.since - b.since || a.order - b.order)) this.#requeue(waiting);
  }

  /** Wakes one pod, whatever refused it. */
  activate(uid: string): void {
    const waiting = this.#all.get(uid);
    if (waiting?.part === 'unschedulable') this.#requeue(waiting);
  }

  /** Wakes those who have slept for five minutes. */
  flush(): void {
    const {now} = this.#options.clock;
    const late = [...this.#sleeping.values()].filter(waiting => now - waiting.since > FLUSH_AFTER_MS);
    for (const waiting of late) this.#requeue(waiting);
  }

  #wake(waiting: Waiting, event: ClusterEvent): void {
    if (this.#isWorth(waiting, event)) this.#requeue(waiting);
  }

  #isWorth({pod, plugins, heldBy}: Waiting, event: ClusterEvent): boolean {
    const {cluster} = this.#options;
    if (heldBy) return heldBy.worthRetry?.(event, pod, cluster) ?? true;
    return plugins.length === 0 || plugins.some(plugin => plugin.worthRetry?.(event, pod, cluster) ?? true);
  }

  #requeue(waiting: Waiting): void {
    this.#leave(waiting);
    waiting.lastCause = this.#options.clock.cause;
    if (waiting.refusals > 0 && this.#backoffEnd(waiting) > this.#options.clock.now) this.#backOff(waiting);
    else this.#activate(waiting);
  }

  /** Puts a pod among the active ones, unless a plugin holds it back. */
  #activate(waiting: Waiting): void {
    const context: Context = {cluster: this.#options.cluster, pod: waiting.pod};
    waiting.heldBy = waiting.profile.preEnqueue.find(plugin => plugin.preEnqueue?.(context) !== undefined);
    if (waiting.heldBy) {
      this.#sleep(waiting);
      return;
    }
    waiting.part = 'active';
    waiting.order = ++this.#order;
    this.#active.push(ticketOf(waiting, 0));
  }

  #sleep(waiting: Waiting): void {
    waiting.part = 'unschedulable';
    waiting.since = this.#options.clock.now;
    this.#sleeping.set(waiting.pod.uid, waiting);
    this.#joinKind(waiting);
  }

  #joinKind(waiting: Waiting): void {
    waiting.kind = kindOf(waiting);
    const pods = this.#kinds.get(waiting.kind) ?? new Set<Waiting>();
    pods.add(waiting);
    this.#kinds.set(waiting.kind, pods);
  }

  #leaveKind(waiting: Waiting): void {
    const pods = this.#kinds.get(waiting.kind);
    pods?.delete(waiting);
    if (pods?.size === 0) this.#kinds.delete(waiting.kind);
  }

  #backOff(waiting: Waiting): void {
    waiting.part = 'backing off';
    waiting.order = ++this.#order;
    this.#backoff.push(ticketOf(waiting, this.#backoffEnd(waiting)));
  }

  #backoffEnd({since, refusals, errors}: Waiting): number {
    const {firstBackoffMs, mostBackoffMs} = this.#options;
    const times = Math.max(refusals, errors);
    return since + Math.min(mostBackoffMs, firstBackoffMs * 2 ** Math.min(20, times - 1));
  }

  #endBackoffs(): void {
    const {now} = this.#options.clock;
    for (let ticket = this.#backoff.peek(); ticket && ticket.due <= now; ticket = this.#backoff.peek()) {
      this.#backoff.pop();
      if (ticket.waiting.part !== 'backing off' || ticket.waiting.order !== ticket.order) continue;
      this.#leave(ticket.waiting);
      this.#activate(ticket.waiting);
    }
  }

  #isCurrent({waiting, order}: Ticket, heap: Heap<Ticket>): boolean {
    return waiting.order === order && waiting.part === (heap === this.#active ? 'active' : 'backing off');
  }

  #leave(waiting: Waiting): void {
    if (waiting.part === 'unschedulable') {
      this.#sleeping.delete(waiting.pod.uid);
      this.#leaveKind(waiting);
    }
    waiting.part = 'in flight';
  }
}

function kindOf({pod, heldBy, plugins}: Waiting): string {
  const names = heldBy ? `held by ${heldBy.name} ${pod.uid}` : plugins.map(plugin => plugin.name).join();
  const alone = pod.claims.length > 0 || pod.pod.spec.resourceClaims ? pod.uid : '';
  return `${pod.shape.id} ${pod.labels.key} ${names} ${alone}`;
}

function ticketOf(waiting: Waiting, due: number): Ticket {
  return {waiting, priority: waiting.pod.priority, since: waiting.since, order: waiting.order, due};
}

function goesBefore(a: Ticket, b: Ticket): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.since < b.since || (a.since === b.since && a.order < b.order);
}
