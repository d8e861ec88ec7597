// The loop that keeps a number of pods alive, for ReplicaSets and for ReplicationControllers: claim pods, plan, create in
// batches that double, or delete, then write the status. What was asked for but not seen yet is remembered as an expectation;
// until that is met, a look only updates the status.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../../api/kinds/meta.ts';
import {keyOf, type Resource} from '../../../api/meta/object.ts';
import {isActive, isReady, isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {selectorMatcher} from '../../../api/meta/selector.ts';
import {Expectations} from '../../../client/expectations.ts';
import type {Index, Informer} from '../../../client/informer.ts';
import {update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import {nextAvailableMs} from '../availability.ts';
import type {Context} from '../context.ts';
import {claim, controllerReference, settleClaim} from '../ownership.ts';
import {watchOwned} from '../owned-watch.ts';
import {createPods, removePods, type PodsDone} from '../pod-control.ts';
import {podFromTemplate} from '../pod-creation.ts';
import {controllerUid, orphansFor, podIndexes, type PodIndexes} from '../pod-index.ts';
import {isSameStatus, planReplicas, planStatus, wanted, type ReplicaKeeper} from './plan.ts';

/** Which kind is kept. */
export interface Kept<S extends ReplicaKeeper> {
  readonly resource: Resource;
  readonly kind: {readonly apiVersion: string; readonly kind: string};
  readonly selectorOf: (set: S) => LabelSelector | undefined;
  /** Does the status count the pods that are going? */
  readonly countsTerminating: boolean;
}

const pods = builtin('pods');
/** Pods become ready one by one; the status is written for many at once. */
const LIE_MS = 20;

/** Keeps the replicas of one kind. */
export class ReplicaLoop<S extends ReplicaKeeper> {
  readonly #context: Context;
  readonly #kept: Kept<S>;
  readonly #sets: Informer<S>;
  readonly #siblings: Index<S>;
  readonly #indexes: PodIndexes;
  readonly #expectations: Expectations;
  readonly #queue: WorkQueue;

  constructor(context: Context, kept: Kept<S>) {
    this.#context = context;
    this.#kept = kept;
    this.#sets = context.informers.of<S>(kept.resource);
    this.#siblings = this.#sets.index(controllerUid);
    this.#indexes = podIndexes(context.informers);
    this.#expectations = new Expectations(context.daemon.clock);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 100, lieMs: LIE_MS});
  }

  /** Begins to listen. */
  start(): void {
    const queue = this.#queue;
    this.#sets.on({
      added: set => queue.add(keyOf(set)),
      updated: set => queue.add(keyOf(set)),
      deleted: set => {
        this.#expectations.forget(keyOf(set));
        queue.add(keyOf(set));
      },
    });
    watchOwned<Pod, S>({
      owned: this.#indexes.pods,
      owners: this.#sets,
      kind: this.#kept.kind.kind,
      selectorOf: this.#kept.selectorOf,
      matters: (pod, old) => isReady(pod) !== isReady(old) || isTerminal(pod) !== isTerminal(old),
      wake: key => queue.add(key),
      seen: key => this.#expectations.created(key),
      gone: (key, pod) => this.#expectations.deleted(key, keyOf(pod)),
    });
  }

  *#reconcile(key: string): Task<Outcome> {
    const set = this.#sets.get(key);
    if (!set) return undefined;
    const may = this.#expectations.met(key);
    const own = [...this.#indexes.byController.of(set.metadata.uid).values()];
    const active = yield* this.#claim(set, own);
    const failure = may ? yield* this.#replicate(key, set, active) : undefined;
    const selector = selectorMatcher(this.#kept.selectorOf(set));
    const terminating = own.filter(pod => isTerminating(pod) && !isTerminal(pod) && selector(pod.metadata.labels));
    const written = yield* this.#writeStatus(set, {active, terminating}, failure);
    if (failure !== undefined || !written) return 'again';
    const next = nextAvailableMs(set.spec.minReadySeconds, active, this.#context.daemon.wall());
    return next === undefined ? undefined : {afterMs: next};
  }

  *#claim(set: S, own: readonly Pod[]): Task<readonly Pod[]> {
    const selector = this.#kept.selectorOf(set);
    const orphans = orphansFor(this.#indexes, set.metadata.namespace ?? '', selector);
    const candidates = own.filter(isActive);
    for (const pod of orphans) if (isActive(pod)) candidates.push(pod);
    const {client} = this.#context;
    return yield* settleClaim(client, claim(set, selector, candidates), {resource: pods, owner: set, kind: this.#kept.kind});
  }

  /** Creates or deletes; gives the words of the first failure. */
  *#replicate(key: string, set: S, active: readonly Pod[]): Task<string | undefined> {
    const related = active.length > wanted(set) ? this.#related(set, active) : active;
    const plan = planReplicas(set, active, {related, nowMs: this.#context.daemon.wall()});
    if (plan.create > 0) return (yield* this.#create(key, set, plan.create)).failure;
    const work = {owner: set, key, expectations: this.#expectations};
    return (yield* removePods(this.#context, work, plan.remove)).failure;
  }

  #related(set: S, active: readonly Pod[]): readonly Pod[] {
    const [owner] = controllerUid(set);
    if (owner === undefined) return active;
    const siblings = [...this.#siblings.of(owner).values()];
    return siblings.flatMap(each => [...this.#indexes.byController.of(each.metadata.uid).values()].filter(isActive));
  }

  #create(key: string, set: S, count: number): Task<PodsDone> {
    const {name, namespace = ''} = set.metadata;
    const reference = controllerReference(set, this.#kept.kind);
    const draft = set.spec.template && podFromTemplate(set.spec.template, {namespace, owner: name}, reference);
    const drafts = draft ? Array.from({length: count}, () => draft) : [];
    return createPods(this.#context, {owner: set, key, expectations: this.#expectations}, drafts);
  }

  /** False when the write failed. */
  *#writeStatus(set: S, own: {active: readonly Pod[]; terminating: readonly Pod[]}, failure: string | undefined): Task<boolean> {
    const {client, daemon} = this.#context;
    const planned = planStatus(set, own, {failure, nowMs: daemon.wall(), now: daemon.now()});
    const {terminatingReplicas, ...plain} = planned;
    const status = this.#kept.countsTerminating ? {...plain, terminatingReplicas: terminatingReplicas ?? 0} : plain;
    if (isSameStatus(set.status, status)) return true;
    const result = yield* client.ask(update(this.#kept.resource, {...set, status}, 'status'));
    return result.ok || result.status.code === 404;
  }
}
