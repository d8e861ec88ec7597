// What a CronJob does: keeps book of its Jobs, removes old ones, and makes one when it is time.
//
// Times that were missed (the controller did not run, the CronJob was suspended) are not made up for: only the latest one counts,
// and only if it is not older than the starting deadline.
import type {CronJob, CronJobStatus, Job} from '../../../api/kinds/batch-v1.ts';
import type {ObjectReference} from '../../../api/kinds/core-v1.ts';
import {isConditionTrue} from '../../../api/meta/conditions.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {timeZone} from '../../../api/meta/time-zone.ts';
import type {Happening} from '../../../client/events.ts';
import {latestTime, nextTime, parseSchedule, type Schedule} from './schedule.ts';

/** What is to be done. */
export interface CronPlan {
  /** Jobs that go: old ones, and with Replace the running ones. */
  readonly remove: readonly Job[];
  readonly replace: readonly ObjectReference[];
  readonly start: number | undefined;
  readonly status: CronJobStatus;
  readonly events: readonly Happening[];
  readonly afterMs: number | undefined;
}

const SKEW_MS = 100;
/** So many times may be missed without a word. */
const MANY = 100;

/** Why a Job is over, if it is. */
function endOf(job: Job): string | undefined {
  if (isConditionTrue(job.status?.conditions, 'Complete')) return 'Complete';
  return isConditionTrue(job.status?.conditions, 'Failed') ? 'Failed' : undefined;
}

/** Plans one look. `jobs` are those that the CronJob controls. */
export function planCron(cron: CronJob, jobs: readonly Job[], nowMs: number): CronPlan {
  const events: Happening[] = [];
  const remove = outlived(cron, jobs);
  const status = bookOf(cron, {jobs, removed: new Set(remove.map(({metadata}) => metadata.uid))}, events);
  const idle: CronPlan = {remove, replace: [], start: undefined, status, events, afterMs: undefined};
  if (cron.metadata.deletionTimestamp !== undefined) return idle;
  const {schedule: text, timeZone: zoneName} = cron.spec;
  if (zoneName !== undefined && !timeZone(zoneName))
    events.push(warning('UnknownTimeZone', `invalid timeZone: "${zoneName}": unknown time zone ${zoneName}`));
  else if (!cron.spec.suspend) {
    const schedule = scheduleOf(cron);
    if (schedule) return {...idle, ...timeFor(cron, schedule, {status, events, nowMs})};
    events.push(warning('UnparseableSchedule', `unparseable schedule: "${text}"`));
  }
  return idle;
}

/** The schedule of a CronJob; undefined when it has none that can be read. */
function scheduleOf({spec}: CronJob): Schedule | undefined {
  const zone = spec.timeZone === undefined ? undefined : timeZone(spec.timeZone);
  return spec.timeZone !== undefined && !zone ? undefined : parseSchedule(spec.schedule, zone);
}

/** How long until a CronJob whose schedule was changed is looked at: to its next time, counted from the last one. */
export function afterChangeMs(cron: CronJob, nowMs: number): number | undefined {
  const schedule = scheduleOf(cron);
  return schedule && nextLookMs(cron, schedule, nowMs);
}

function nextLookMs(cron: CronJob, schedule: Schedule, nowMs: number): number | undefined {
  const last = lastOf(cron, nowMs);
  const {time, missed} = latestTime(schedule, last, nowMs);
  const next = nextTime(schedule, time ?? (missed > 0 ? nowMs : last));
  return next === undefined ? undefined : next + SKEW_MS - nowMs;
}

/** When it was started last, or made. */
function lastOf({status, metadata}: CronJob, nowMs: number): number {
  return parseTime(status?.lastScheduleTime) ?? parseTime(metadata.creationTimestamp) ?? nowMs;
}

function normal(reason: string, message: string): Happening {
  return {type: 'Normal', reason, message};
}

function warning(reason: string, message: string): Happening {
  return {type: 'Warning', reason, message};
}

/** Which of its Jobs run, and when the last one succeeded. */
function bookOf(
  cron: CronJob,
  {jobs, removed}: {readonly jobs: readonly Job[]; readonly removed: ReadonlySet<string>},
  events: Happening[],
): CronJobStatus {
  const byUid = new Map(jobs.map(job => [job.metadata.uid, job]));
  const listed = (cron.status?.active ?? []).filter(({uid = ''}) => !removed.has(uid));
  const known = new Set(listed.map(each => each.uid));
  let lastSuccess = cron.status?.lastSuccessfulTime;
  for (const job of jobs) {
    const end = endOf(job);
    const {name, uid} = job.metadata;
    if (!known.has(uid) && !end) {
      events.push(warning('UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`));
    } else if (known.has(uid) && end) {
      events.push(normal('SawCompletedJob', `Saw completed job: ${name}, condition: ${end}`));
    }
    const at = end === 'Complete' ? job.status?.completionTime : undefined;
    if (at !== undefined && (lastSuccess === undefined || at > lastSuccess)) lastSuccess = at;
  }
  const active = listed.filter(each => {
    const job = byUid.get(each.uid ?? '');
    if (!job) events.push(normal('MissingJob', `Active job went missing: ${each.name}`));
    return job && !endOf(job);
  });
  const {lastScheduleTime} = cron.status ?? {};
  return {
    ...(active.length > 0 ? {active} : {}),
    ...(lastScheduleTime ? {lastScheduleTime} : {}),
    ...(lastSuccess ? {lastSuccessfulTime: lastSuccess} : {}),
  };
}

/** Jobs beyond what the history keeps, oldest first; successful and failed ones are counted apart. */
function outlived({spec}: CronJob, jobs: readonly Job[]): readonly Job[] {
  const limits = {Complete: spec.successfulJobsHistoryLimit, Failed: spec.failedJobsHistoryLimit};
  return (['Complete', 'Failed'] as const).flatMap(end => {
    const limit = limits[end];
    if (limit === undefined) return [];
    const ended = jobs.filter(job => endOf(job) === end).toSorted(byStart);
    return ended.slice(0, Math.max(0, ended.length - limit));
  });
}

function byStart(a: Job, b: Job): number {
  const left = `${a.status?.startTime ?? '~'} ${a.metadata.name}`;
  const right = `${b.status?.startTime ?? '~'} ${b.metadata.name}`;
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Circumstances {
  readonly status: CronJobStatus;
  readonly events: Happening[];
  readonly nowMs: number;
}

/** Is it time, and for which time? */
function timeFor(cron: CronJob, schedule: Schedule, {status, events, nowMs}: Circumstances): Partial<CronPlan> {
  const {concurrencyPolicy = 'Allow', startingDeadlineSeconds} = cron.spec;
  const last = lastOf(cron, nowMs);
  const earliest = startingDeadlineSeconds === undefined ? last : Math.max(last, nowMs - startingDeadlineSeconds * 1000);
  const afterMs = nextLookMs(cron, schedule, nowMs);
  if (afterMs === undefined) {
    // Such as the 31st of February: nothing is to be done until the schedule is another one.
    const why = 'time difference between two schedules is less than 1 second';
    events.push(warning('InvalidSchedule', `invalid schedule: ${cron.spec.schedule} : ${why}`));
    return {};
  }
  const {time, missed} = latestTime(schedule, earliest, nowMs);
  if (time === undefined) return {afterMs};
  if (missed > MANY) {
    const advice = 'Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    events.push(warning('TooManyMissedTimes', `too many missed start times. ${advice}`));
  }
  const running = status.active ?? [];
  if (running.some(({name}) => name === jobName(cron, time)) || parseTime(status.lastScheduleTime) === time) return {afterMs};
  if (concurrencyPolicy === 'Forbid' && running.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    events.push(normal('JobAlreadyActive', message));
    return {afterMs};
  }
  return {start: time, replace: concurrencyPolicy === 'Replace' ? running : [], afterMs};
}

/** The name of the Job of a time: the minutes since 1970. */
export function jobName({metadata}: CronJob, timeMs: number): string {
  return `${metadata.name}-${Math.floor(timeMs / 60_000)}`;
}
