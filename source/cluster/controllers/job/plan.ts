// What a Job does next: make pods, take pods away, or end.
//
// A Job ends in two steps. First a condition says why (FailureTarget, SuccessCriteriaMet); then, when no pod of it is left that
// could still do anything, another says that it is over (Failed, Complete). After a failure the next pod waits: ten seconds, twice
// as long after each further one, ten minutes at most.
import type {Job, JobCondition} from '../../../api/kinds/batch-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {findCondition, isConditionTrue} from '../../../api/meta/conditions.ts';
import {isReady} from '../../../api/meta/pod.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {podsToDelete} from '../replicaset/ranking.ts';
import type {Count} from './count.ts';
import {isIndexed} from './count.ts';
import {parseIndexes} from './indexes.ts';
import {indexOf, restartsOf} from './pod.ts';

/** The time, in both its forms. */
export interface Now {
  readonly nowMs: number;
  readonly now: string;
}

/** A pod to be made: of an index, where the Job has indexes. */
export interface NewPod {
  readonly index: number | undefined;
  /** How often the index failed before. */
  readonly failures: number;
}

/** What to do. */
export interface JobPlan {
  /** Why the Job is to end; nothing else is made then. */
  readonly ending: JobCondition | undefined;
  readonly create: readonly NewPod[];
  readonly remove: readonly Pod[];
  /** Suspended or resumed by this look. */
  readonly turned: 'Suspended' | 'Resumed' | undefined;
  /** When to look again although nothing happened. */
  readonly afterMs: number | undefined;
}

const BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 600_000;
const BURST = 500;

/** Is it over? */
export function isFinished({status}: Job): boolean {
  return isConditionTrue(status?.conditions, 'Complete') || isConditionTrue(status?.conditions, 'Failed');
}

/** A condition as it is written now. */
export function jobCondition(type: string, status: string, rest: {reason: string; message: string; now: string}): JobCondition {
  const {reason, message, now} = rest;
  return {type, status, reason, message, lastProbeTime: now, lastTransitionTime: now};
}

/** Plans one look; `may` when everything that was asked for has been seen. */
export function planJob(job: Job, count: Count, how: Now & {readonly may: boolean}): JobPlan {
  const ending = endingOf(job, count, how);
  if (ending) return {ending, create: [], remove: count.active, turned: undefined, afterMs: undefined};
  const deadline = deadlineAfterMs(job, how.nowMs);
  if (!how.may || job.metadata.deletionTimestamp !== undefined) return {...IDLE, afterMs: deadline};
  const work = manage(job, count, how.nowMs);
  const afterMs = earlier(deadline, work.afterMs);
  return {ending: undefined, ...work, turned: turning(job), afterMs};
}

const IDLE: JobPlan = {ending: undefined, create: [], remove: [], turned: undefined, afterMs: undefined};

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

/** Why the Job ends, if it does. */
function endingOf(job: Job, count: Count, {now, nowMs}: Now): JobCondition | undefined {
  const known =
    findCondition(job.status?.conditions, 'FailureTarget') ?? findCondition(job.status?.conditions, 'SuccessCriteriaMet');
  if (known?.status === 'True') return known;
  const failure = failureOf(job, count, nowMs);
  if (failure) return jobCondition('FailureTarget', 'True', {...failure, now});
  const rule = successRule(job, count);
  if (rule !== undefined) {
    return jobCondition('SuccessCriteriaMet', 'True', {reason: 'SuccessPolicy', message: `Matched rules at index ${rule}`, now});
  }
  const done = {reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods', now};
  if (count.active.length > 0) return undefined;
  const {completions} = job.spec;
  const complete = completions === undefined ? count.succeeded > 0 : count.succeeded >= completions;
  return complete ? jobCondition('SuccessCriteriaMet', 'True', done) : undefined;
}

/** The rule of the success policy that holds: enough of its indexes are done. */
function successRule({spec}: Job, {completedIndexes}: Count): number | undefined {
  const at = (spec.successPolicy?.rules ?? []).findIndex(({succeededIndexes, succeededCount}) => {
    const wanted = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes, spec.completions);
    const done = [...completedIndexes].filter(index => !wanted || wanted.has(index)).length;
    return done >= (succeededCount ?? wanted?.size ?? Infinity);
  });
  return at < 0 ? undefined : at;
}

function failureOf(job: Job, count: Count, nowMs: number): {reason: string; message: string} | undefined {
  const {backoffLimit = 6, backoffLimitPerIndex, completions = 0, maxFailedIndexes} = job.spec;
  if (count.fatal !== undefined) return {reason: 'PodFailurePolicy', message: count.fatal};
  if (count.failed > backoffLimit || restartsExceed(job, count.active)) {
    return {reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit'};
  }
  if (hasPassedDeadline(job, nowMs))
    return {reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline'};
  if (!isIndexed(job) || backoffLimitPerIndex === undefined || count.failedIndexes.size === 0) return undefined;
  if (maxFailedIndexes !== undefined && count.failedIndexes.size > maxFailedIndexes) {
    return {reason: 'MaxFailedIndexesExceeded', message: 'Job has exceeded the specified maximal number of failed indexes'};
  }
  const all = count.failedIndexes.size + count.completedIndexes.size >= completions;
  return all ? {reason: 'FailedIndexes', message: 'Job has failed indexes'} : undefined;
}

/** Where containers are restarted in place, restarts count as failures. */
function restartsExceed({spec}: Job, active: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const pod of active) {
    const phase = pod.status?.phase;
    if (phase === 'Running' || phase === 'Pending') restarts += restartsOf(pod);
  }
  const limit = spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function hasPassedDeadline(job: Job, nowMs: number): boolean {
  const left = deadlineAfterMs(job, nowMs);
  return left !== undefined && left <= 0;
}

/** How long the Job may still be active; undefined without a deadline. */
function deadlineAfterMs({spec, status}: Job, nowMs: number): number | undefined {
  const since = parseTime(status?.startTime);
  if (spec.activeDeadlineSeconds === undefined || spec.suspend || since === undefined) return undefined;
  return since + spec.activeDeadlineSeconds * 1000 - nowMs;
}

/** A condition is written only where it tells something new: a Job that was never suspended was never resumed. */
function turning({spec, status}: Job): JobPlan['turned'] {
  const suspended = isConditionTrue(status?.conditions, 'Suspended');
  if (spec.suspend) return suspended ? undefined : 'Suspended';
  return suspended ? 'Resumed' : undefined;
}

type Work = Pick<JobPlan, 'create' | 'remove' | 'afterMs'>;

function manage(job: Job, count: Count, nowMs: number): Work {
  const {active} = count;
  if (job.spec.suspend) return {create: [], remove: active.slice(0, BURST), afterMs: undefined};
  const wanted = wantedActive(job, count);
  const remove = surplus(job, active, {most: wanted, nowMs});
  if (remove.length > 0) return {create: [], remove: remove.slice(0, BURST), afterMs: undefined};
  const waiting = job.spec.podReplacementPolicy === 'Failed' ? count.leaving.length : 0;
  const missing = Math.min(BURST, wanted - waiting - active.length);
  if (missing <= 0) return {create: [], remove: [], afterMs: undefined};
  if (job.spec.backoffLimitPerIndex === undefined) {
    const left = backoffLeftMs(count.failuresInRow, count.lastFailureMs, nowMs);
    if (left > 0) return {create: [], remove: [], afterMs: left};
  }
  if (!isIndexed(job))
    return {create: Array.from({length: missing}, () => ({index: undefined, failures: 0})), remove: [], afterMs: undefined};
  return missingIndexes(job, count, {missing, nowMs});
}

/** Pods that are too many: of an Indexed Job first those that have no index of it, or one that another has too. */
function surplus(job: Job, active: readonly Pod[], {most, nowMs}: {most: number; nowMs: number}): readonly Pod[] {
  const odd = isIndexed(job) ? withoutOwnIndex(active, job.spec.completions ?? 0) : [];
  const rest = active.filter(pod => !odd.includes(pod));
  return [...odd, ...podsToDelete(rest, Math.max(0, rest.length - most), {related: active, nowMs})];
}

function withoutOwnIndex(active: readonly Pod[], completions: number): readonly Pod[] {
  const taken = new Set<number>();
  const byStart = [...active].sort((a, b) => rankOf(b) - rankOf(a));
  return byStart.filter(pod => {
    const index = indexOf(pod);
    if (index === undefined || index >= completions || taken.has(index)) return true;
    taken.add(index);
    return false;
  });
}

/** The further a pod has come, the sooner it keeps its index. */
function rankOf(pod: Pod): number {
  return (pod.spec.nodeName ? 1 : 0) + (pod.status?.phase === 'Running' ? 2 : 0) + (isReady(pod) ? 4 : 0);
}

function wantedActive({spec}: Job, {active, succeeded, failedIndexes}: Count): number {
  const {completions, parallelism = 1} = spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(parallelism, completions - succeeded - failedIndexes.size));
}

function backoffLeftMs(failures: number, lastMs: number | undefined, nowMs: number): number {
  if (failures === 0 || lastMs === undefined) return 0;
  const wait = Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(failures - 1, 10));
  return lastMs + wait - nowMs;
}

/** The lowest indexes that have no pod and are not done. Each waits for its own failures, and keeps its turn meanwhile. */
function missingIndexes(job: Job, count: Count, {missing, nowMs}: {missing: number; nowMs: number}): Work {
  const busy = new Set([...count.active, ...(job.spec.podReplacementPolicy === 'Failed' ? count.leaving : [])].map(indexOf));
  const create: NewPod[] = [];
  let afterMs: number | undefined;
  let turns = 0;
  for (let index = 0; index < (job.spec.completions ?? 0) && turns < missing; index++) {
    if (busy.has(index) || count.completedIndexes.has(index) || count.failedIndexes.has(index)) continue;
    turns++;
    const failed = count.indexFailures.get(index);
    const left = failed ? backoffLeftMs(failed.count, failed.lastMs, nowMs) : 0;
    if (left > 0) afterMs = earlier(afterMs, left);
    else create.push({index, failures: failed?.count ?? 0});
  }
  return {create, remove: [], afterMs};
}
