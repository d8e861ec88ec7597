// Counting a Job's pods. A pod that has ended is counted once: its uid is written among the uncounted, its finalizer is taken
// away, and then the number goes up. So the numbers here are: what the status has counted, what it lists as uncounted, and what
// ended since.
import type {Job} from '../../../api/kinds/batch-v1.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {isActive, isReady, isTerminal, isTerminating} from '../../../api/meta/pod.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {judgeFailure} from './failure-policy.ts';
import {parseIndexes} from './indexes.ts';
import {indexFailuresOf, indexOf, isTracked} from './pod.ts';

/** What a Job's pods come to. */
export interface Count {
  readonly active: readonly Pod[];
  readonly ready: number;
  /** Being deleted, and not over yet. */
  readonly leaving: readonly Pod[];
  /** Ended, and to be counted now. */
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
  /** Ended, and to be let go without counting: ignored failures, and pods of a Job that is over. */
  readonly uncounted: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly completedIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** Why a failed pod makes the Job fail. */
  readonly fatal: string | undefined;
  /** How often the last failures followed each other, and when the last one was. */
  readonly failuresInRow: number;
  readonly lastFailureMs: number | undefined;
  /** How often each index failed so far, and when it last did. */
  readonly indexFailures: ReadonlyMap<number, {readonly count: number; readonly lastMs: number}>;
}

/** Has the Job indexes? */
export function isIndexed({spec}: Job): boolean {
  return spec.completionMode === 'Indexed';
}

/** Did the pod end well? */
function hasSucceeded(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded';
}

/** Did it fail? A pod that is being deleted counts as failed, unless the Job waits for its real end. */
function hasFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === 'Failed') return true;
  return job.spec.podReplacementPolicy !== 'Failed' && isTerminating(pod) && !hasSucceeded(pod);
}

/** Counts. */
export function countPods(job: Job, pods: readonly Pod[]): Count {
  const known = job.status?.uncountedTerminatedPods;
  const listed = new Set([...(known?.succeeded ?? []), ...(known?.failed ?? [])]);
  const limit = job.spec.completions ?? Infinity;
  const completed = new Set(parseIndexes(job.status?.completedIndexes, limit));
  const failedIndexes = new Set(parseIndexes(job.status?.failedIndexes, limit));
  const newSucceeded: Pod[] = [];
  const newFailed: Pod[] = [];
  const uncounted: Pod[] = [];
  let fatal: string | undefined;
  for (const pod of pods) {
    if (!isTracked(pod) || listed.has(pod.metadata.uid)) continue;
    if (hasSucceeded(pod)) {
      const fresh = !isIndexed(job) || takeIndex(pod, completed, limit);
      (fresh ? newSucceeded : uncounted).push(pod);
    } else if (hasFailed(job, pod)) {
      const verdict = isTerminal(pod) ? judgeFailure(job, pod) : {action: 'Count', message: ''};
      if (verdict.action === 'FailJob') fatal ??= verdict.message;
      (verdict.action === 'Ignore' ? uncounted : newFailed).push(pod);
      if (failsIndex(job, pod, verdict.action)) failedIndexes.add(indexOf(pod) ?? -1);
    }
  }
  for (const index of completed) failedIndexes.delete(index);
  const {succeeded = 0, failed = 0} = job.status ?? {};
  return {
    active: pods.filter(isActive),
    ready: pods.filter(pod => isActive(pod) && isReady(pod)).length,
    leaving: pods.filter(pod => isTerminating(pod) && !isTerminal(pod)),
    newSucceeded,
    newFailed,
    uncounted,
    succeeded: isIndexed(job) ? completed.size : succeeded + (known?.succeeded?.length ?? 0) + newSucceeded.length,
    failed: failed + (known?.failed?.length ?? 0) + newFailed.length,
    completedIndexes: completed,
    failedIndexes,
    fatal,
    ...failuresInRow(job, pods),
    indexFailures: failuresByIndex(job, pods),
  };
}

function takeIndex(pod: Pod, completed: Set<number>, limit: number): boolean {
  const index = indexOf(pod);
  if (index === undefined || index >= limit || completed.has(index)) return false;
  completed.add(index);
  return true;
}

/** An index fails for good when its own limit is passed, or a rule says so. */
function failsIndex(job: Job, pod: Pod, action: string): boolean {
  const limit = job.spec.backoffLimitPerIndex;
  if (limit === undefined || indexOf(pod) === undefined) return false;
  if (action === 'FailIndex') return true;
  return action === 'Count' && indexFailuresOf(pod) >= limit;
}

/** Failures since the last success, by the time at which pods ended; ignored ones too, but not those that the Job itself took away. */
function failuresInRow(job: Job, pods: readonly Pod[]): {failuresInRow: number; lastFailureMs: number | undefined} {
  const isOver = (pod: Pod) => hasSucceeded(pod) || hasFailed(job, pod);
  const over = pods.filter(pod => isOver(pod) && (!isTerminating(pod) || isTracked(pod)));
  const ends = over.map(pod => ({pod, at: endedAt(pod)}));
  ends.sort((a, b) => b.at - a.at);
  let count = 0;
  let last: number | undefined;
  for (const {pod, at} of ends) {
    if (hasSucceeded(pod)) break;
    count++;
    last ??= at;
  }
  return {failuresInRow: count, lastFailureMs: last};
}

function failuresByIndex(job: Job, pods: readonly Pod[]): Count['indexFailures'] {
  const failures = new Map<number, {count: number; lastMs: number}>();
  if (job.spec.backoffLimitPerIndex === undefined) return failures;
  for (const pod of pods) {
    const index = indexOf(pod);
    if (index === undefined || !hasFailed(job, pod)) continue;
    const known = failures.get(index);
    const count = Math.max(known?.count ?? 0, indexFailuresOf(pod) + 1);
    failures.set(index, {count, lastMs: Math.max(known?.lastMs ?? 0, endedAt(pod))});
  }
  return failures;
}

/** When a pod ended: its last container, or when it stopped being ready, or when it was deleted. */
function endedAt(pod: Pod): number {
  const finished = (pod.status?.containerStatuses ?? []).flatMap(each => parseTime(each.state?.terminated?.finishedAt) ?? []);
  if (finished.length > 0) return Math.max(...finished);
  const ready = pod.status?.conditions?.find(each => each.type === 'Ready' && each.status === 'False');
  return (
    parseTime(ready?.lastTransitionTime) ??
    parseTime(pod.metadata.deletionTimestamp) ??
    parseTime(pod.metadata.creationTimestamp) ??
    0
  );
}
