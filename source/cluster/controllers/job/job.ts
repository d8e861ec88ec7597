// The Job controller: sees a Job with its pods, counts, plans, writes. Changes of pods are gathered for a second.
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {controllerOf, keyOf} from '../../../api/meta/object.ts';
import {isReady} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {Expectations} from '../../../client/expectations.ts';
import type {Informer} from '../../../client/informer.ts';
import {patch, update} from '../../../client/verbs.ts';
import type {Outcome, WorkQueue} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {claim, controllerReference, settleClaim} from '../ownership.ts';
import {watchOwned} from '../owned-watch.ts';
import {createPods, removePods, type PodsDone} from '../pod-control.ts';
import {orphansFor, podIndexes, type PodIndexes} from '../pod-index.ts';
import {isSameValue} from '../same-value.ts';
import {sendAll} from '../send-all.ts';
import {countPods, isIndexed, type Count} from './count.ts';
import {isFinished, planJob, type JobPlan} from './plan.ts';
import {indexOf, isTracked, JOB_KIND, jobPod, jobTemplate, restartsOf, TRACKING} from './pod.ts';
import {reportJob} from './status.ts';

const jobs = builtin('batch', 'jobs');
const pods = builtin('pods');
const GATHER_MS = 1000;

/** Runs Jobs. */
export const jobController: Controller = {
  name: 'job-controller',
  account: 'job-controller',
  start: context => {
    new JobLoop(context).start();
  },
};

class JobLoop {
  readonly #context: Context;
  readonly #jobs: Informer<Job>;
  readonly #indexes: PodIndexes;
  readonly #expectations: Expectations;
  readonly #queue: WorkQueue;
  /** Pods that nobody will count. */
  readonly #lost: WorkQueue;

  constructor(context: Context) {
    this.#context = context;
    this.#jobs = context.informers.of<Job>(jobs);
    this.#indexes = podIndexes(context.informers);
    this.#expectations = new Expectations(context.daemon.clock);
    this.#queue = context.queue({reconcile: key => this.#reconcile(key), workers: 50});
    this.#lost = context.queue({reconcile: key => this.#letGo(key)});
  }

  /** Begins to listen. */
  start(): void {
    const wake = (job: Job): void => this.#queue.add(keyOf(job));
    this.#jobs.on({
      added: wake,
      updated: wake,
      deleted: job => {
        this.#expectations.forget(keyOf(job));
        for (const key of this.#indexes.byController.of(job.metadata.uid).keys()) this.#lost.add(key);
      },
    });
    watchOwned<Pod, Job>({
      owned: this.#indexes.pods,
      owners: this.#jobs,
      kind: JOB_KIND.kind,
      selectorOf: job => job.spec.selector,
      matters: (pod, old) =>
        isReady(pod) !== isReady(old) ||
        pod.status?.phase !== old.status?.phase ||
        isTracked(pod) !== isTracked(old) ||
        restartsOf(pod) !== restartsOf(old),
      wake: key => this.#queue.addAfter(key, GATHER_MS),
      seen: key => this.#expectations.created(key),
      gone: (key, pod) => this.#expectations.deleted(key, keyOf(pod)),
    });
    this.#indexes.pods.on({added: pod => this.#checkLost(pod), updated: pod => this.#checkLost(pod)});
  }

  #checkLost(pod: Pod): void {
    if (pod.metadata.deletionTimestamp === undefined || !isTracked(pod)) return;
    if (!this.#ownerOf(pod)) this.#lost.add(keyOf(pod));
  }

  #ownerOf(pod: Pod): Job | undefined {
    const reference = controllerOf(pod);
    const job = reference?.kind === JOB_KIND.kind ? this.#jobs.get(`${pod.metadata.namespace}/${reference.name}`) : undefined;
    return job?.metadata.uid === reference?.uid ? job : undefined;
  }

  *#letGo(key: string): Task<Outcome> {
    const pod = this.#indexes.pods.get(key);
    if (!pod || !isTracked(pod) || this.#ownerOf(pod)) return undefined;
    return (yield* this.#untrack([pod])) ? undefined : 'again';
  }

  *#reconcile(key: string): Task<Outcome> {
    const job = this.#jobs.get(key);
    if (!job || (job.spec.managedBy !== undefined && job.spec.managedBy !== 'kubernetes.io/job-controller')) return undefined;
    const own = yield* this.#claim(job);
    if (isFinished(job)) return (yield* this.#untrack(own.filter(isTracked))) ? undefined : 'again';
    const {daemon} = this.#context;
    const count = countPods(job, own);
    const plan = planJob(job, count, {nowMs: daemon.wall(), now: daemon.now(), may: this.#expectations.met(key)});
    // What a Job takes away of its own accord is no failure: nobody is to count it.
    if (!plan.ending && !(yield* this.#untrack(plan.remove.filter(isTracked)))) return 'again';
    const taken = yield* this.#remove(key, job, plan.remove);
    const made = yield* this.#create(key, job, plan);
    const written = yield* this.#settle(job, own, {count, plan, made: made.count, taken: taken.count});
    if (made.failure !== undefined || taken.failure !== undefined || !written) return 'again';
    return plan.afterMs === undefined ? undefined : {afterMs: Math.max(1, plan.afterMs)};
  }

  *#claim(job: Job): Task<readonly Pod[]> {
    const own = this.#indexes.byController.of(job.metadata.uid).values();
    const orphans = orphansFor(this.#indexes, job.metadata.namespace ?? '', job.spec.selector);
    const claimed = claim(job, job.spec.selector, [...own, ...orphans]);
    return yield* settleClaim(this.#context.client, claimed, {resource: pods, owner: job, kind: JOB_KIND});
  }

  /** Lists what ended, lets those pods go, counts them. False when a write failed. */
  *#settle(job: Job, own: readonly Pod[], done: {count: Count; plan: JobPlan; made: number; taken: number}): Task<boolean> {
    const {daemon, recorder} = this.#context;
    const {count, dropped} = whenEnding(job, done);
    let latest = job;
    const ended = [...count.newSucceeded, ...count.newFailed];
    if (ended.length > 0) {
      const listed = reportJob(job, {...done, count, settled: false, now: daemon.now()});
      const written = yield* this.#writeStatus(job, listed.status);
      if (!written) return false;
      latest = written;
    }
    const known = new Set([
      ...(job.status?.uncountedTerminatedPods?.succeeded ?? []),
      ...(job.status?.uncountedTerminatedPods?.failed ?? []),
    ]);
    const before = own.filter(pod => known.has(pod.metadata.uid) && isTracked(pod));
    if (!(yield* this.#untrack([...ended, ...dropped, ...count.uncounted, ...before]))) return false;
    const final = reportJob(job, {...done, count, settled: true, now: daemon.now()});
    const written = yield* this.#writeStatus(latest, final.status);
    if (written) for (const event of final.events) recorder.record(job, event);
    return written !== undefined;
  }

  *#writeStatus(job: Job, status: NonNullable<Job['status']>): Task<Job | undefined> {
    if (isSameValue(job.status, status)) return job;
    const result = yield* this.#context.client.ask<Job>(update(jobs, {...job, status}, 'status'));
    return result.ok ? result.value : undefined;
  }

  *#untrack(counted: readonly Pod[]): Task<boolean> {
    const requests = counted.map(({metadata: {name, namespace, uid, finalizers = []}}) =>
      patch(pods, {name, namespace}, 'merge', {metadata: {uid, finalizers: finalizers.filter(each => each !== TRACKING)}}),
    );
    const results = yield* sendAll(this.#context.client, requests);
    return results.every(result => result.ok || result.status.code === 404 || result.status.code === 409);
  }

  #create(key: string, job: Job, plan: JobPlan): Task<PodsDone> {
    const reference = controllerReference(job, JOB_KIND);
    const template = jobTemplate(job);
    const drafts = plan.create.map(each => jobPod(job, template, {reference, ...each}));
    return createPods(this.#context, {owner: job, key, expectations: this.#expectations}, drafts);
  }

  #remove(key: string, job: Job, victims: readonly Pod[]): Task<PodsDone> {
    return removePods(this.#context, {owner: job, key, expectations: this.#expectations}, victims);
  }
}

/** A Job that ends lets go of the pods that it still had: they count as failed where it fails, and not at all where it has what it wanted. */
function whenEnding(
  job: Job,
  {count, plan, taken}: {readonly count: Count; readonly plan: JobPlan; readonly taken: number},
): {readonly count: Count; readonly dropped: readonly Pod[]} {
  const dropped = plan.ending && taken === plan.remove.length ? plan.remove.filter(isTracked) : [];
  if (dropped.length === 0 || plan.ending?.type !== 'FailureTarget') return {count, dropped};
  const failed = isIndexed(job) ? dropped.filter(pod => (indexOf(pod) ?? Infinity) < (job.spec.completions ?? 0)) : dropped;
  return {count: {...count, newFailed: [...count.newFailed, ...failed], failed: count.failed + failed.length}, dropped};
}
