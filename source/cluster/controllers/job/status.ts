// A Job's status after a look.
import type {Job, JobCondition, JobStatus} from '../../../api/kinds/batch-v1.ts';
import {findCondition} from '../../../api/meta/conditions.ts';
import {isReady} from '../../../api/meta/pod.ts';
import type {Happening} from '../../../client/events.ts';
import type {Count} from './count.ts';
import {isIndexed} from './count.ts';
import {formatIndexes} from './indexes.ts';
import {jobCondition, type JobPlan} from './plan.ts';

/** What happened at a look. */
export interface Outcome {
  readonly count: Count;
  readonly plan: JobPlan;
  /** Pods made and taken away. */
  readonly made: number;
  readonly taken: number;
  /** The pods that ended are counted, none is listed any more. */
  readonly settled: boolean;
  readonly now: string;
}

/** The status, and what is told of it. */
export interface JobReport {
  readonly status: JobStatus;
  readonly events: readonly Happening[];
}

/** Writes the report. */
export function reportJob(job: Job, outcome: Outcome): JobReport {
  const {count, plan, now} = outcome;
  const active = count.active.length + outcome.made - outcome.taken;
  const terminating = count.leaving.length + outcome.taken;
  const events: Happening[] = [];
  const conditions = nextConditions(job, outcome, {over: active === 0 && terminating === 0, events});
  const startTime = startOf(job, plan, now);
  const complete = findCondition(conditions, 'Complete')?.status === 'True';
  const failed = outcome.settled ? count.failed : (job.status?.failed ?? 0);
  const succeeded = outcome.settled || isIndexed(job) ? count.succeeded : (job.status?.succeeded ?? 0);
  const status: JobStatus = {
    ...(active > 0 ? {active} : {}),
    ready: count.ready - outcome.plan.remove.filter(isReady).length,
    terminating,
    ...(succeeded > 0 ? {succeeded} : {}),
    ...(failed > 0 ? {failed} : {}),
    ...(startTime === undefined ? {} : {startTime}),
    ...(complete ? {completionTime: job.status?.completionTime ?? now} : {}),
    ...(conditions.length > 0 ? {conditions} : {}),
    ...indexesOf(job, count),
    uncountedTerminatedPods: outcome.settled ? {} : listed(job, count),
  };
  return {status, events};
}

function indexesOf(job: Job, {completedIndexes, failedIndexes}: Count): Partial<JobStatus> {
  if (!isIndexed(job)) return {};
  const failed = job.spec.backoffLimitPerIndex === undefined ? {} : {failedIndexes: formatIndexes(failedIndexes)};
  return {...(completedIndexes.size > 0 ? {completedIndexes: formatIndexes(completedIndexes)} : {}), ...failed};
}

/** Pods that ended and are not in the numbers yet. The indexes of an Indexed Job say by themselves which successes are counted. */
function listed(job: Job, {newSucceeded, newFailed}: Count): NonNullable<JobStatus['uncountedTerminatedPods']> {
  const known = job.status?.uncountedTerminatedPods;
  const succeeded = [...(known?.succeeded ?? []), ...(isIndexed(job) ? [] : newSucceeded).map(pod => pod.metadata.uid)];
  const failed = [...(known?.failed ?? []), ...newFailed.map(pod => pod.metadata.uid)];
  return {...(succeeded.length > 0 ? {succeeded} : {}), ...(failed.length > 0 ? {failed} : {})};
}

/** A Job's clock starts with its first look, and anew when it is resumed; it does not begin while the Job is suspended. */
function startOf({spec, status}: Job, {turned}: JobPlan, now: string): string | undefined {
  if (turned === 'Resumed') return now;
  return status?.startTime ?? (spec.suspend ? undefined : now);
}

const TURNED = {
  Suspended: {status: 'True', reason: 'JobSuspended', message: 'Job suspended'},
  Resumed: {status: 'False', reason: 'JobResumed', message: 'Job resumed'},
} as const;

function nextConditions(
  job: Job,
  {count, plan, settled, now}: Outcome,
  how: {readonly over: boolean; readonly events: Happening[]},
): readonly JobCondition[] {
  let conditions = job.status?.conditions ?? [];
  if (plan.turned) {
    const {status, reason, message} = TURNED[plan.turned];
    conditions = [
      ...conditions.filter(each => each.type !== 'Suspended'),
      jobCondition('Suspended', status, {reason, message, now}),
    ];
    how.events.push({type: 'Normal', reason: plan.turned, message});
  }
  const {ending} = plan;
  if (!ending) return conditions;
  if (!findCondition(conditions, ending.type)) conditions = [...conditions, ending];
  const last = ending.type === 'FailureTarget' ? 'Failed' : 'Complete';
  if (!how.over || !settled || findCondition(conditions, last)) return conditions;
  const {reason = '', message = ''} = ending;
  if (last === 'Complete' && count.succeeded > (job.spec.completions ?? Infinity))
    how.events.push({
      type: 'Warning',
      reason: 'TooManySucceededPods',
      message: 'Too many succeeded pods running after completion count reached',
    });
  how.events.push(
    last === 'Failed' ? {type: 'Warning', reason, message} : {type: 'Normal', reason: 'Completed', message: 'Job completed'},
  );
  return [...conditions, jobCondition(last, 'True', {reason, message, now})];
}
