// The CronJob controller: a timer for the next time of each CronJob, and a look at it whenever one of its Jobs changes.
import type {CronJob, CronJobStatus, Job} from '../../../api/kinds/batch-v1.ts';
import type {ObjectMeta} from '../../../api/kinds/meta.ts';
import {controllerOf, keyOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {formatTime} from '../../../api/meta/time.ts';
import {formatIn, timeZone} from '../../../api/meta/time-zone.ts';
import {referenceOf} from '../../../client/events.ts';
import type {Index} from '../../../client/informer.ts';
import {create, get, remove, update} from '../../../client/verbs.ts';
import type {Outcome} from '../../../client/work-queue.ts';
import type {Task} from '../../../sim/task.ts';
import type {Context, Controller} from '../context.ts';
import {controllerReference} from '../ownership.ts';
import {controllerUid} from '../pod-index.ts';
import {isSameValue} from '../same-value.ts';
import {isNamespaceTerminating} from '../send-all.ts';
import {afterChangeMs, jobName, planCron} from './plan.ts';

const cronjobs = builtin('batch', 'cronjobs');
const jobs = builtin('batch', 'jobs');
const KIND = Object.freeze({apiVersion: 'batch/v1', kind: 'CronJob'});
const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** Runs CronJobs. */
export const cronjobController: Controller = {
  name: 'cronjob-controller',
  account: 'cronjob-controller',
  start: context => {
    const crons = context.informers.of<CronJob>(cronjobs);
    const informer = context.informers.of<Job>(jobs);
    const byOwner = informer.index(controllerUid);
    const queue = context.queue({reconcile: key => sync(context, key, byOwner)});
    const wake = (cron: CronJob): void => queue.add(keyOf(cron));
    crons.on({
      added: wake,
      updated: (cron, old) => {
        const isSame = cron.spec.schedule === old.spec.schedule && cron.spec.timeZone === old.spec.timeZone;
        const afterMs = isSame ? 0 : afterChangeMs(cron, context.daemon.wall());
        if (afterMs !== undefined) queue.addAfter(keyOf(cron), afterMs);
      },
    });
    const owner = (job: Job): void => {
      const reference = controllerOf(job);
      if (reference?.kind === KIND.kind) queue.add(`${job.metadata.namespace}/${reference.name}`);
    };
    informer.on({added: owner, updated: owner, deleted: owner});
  },
};

function* sync(context: Context, key: string, byOwner: Index<Job>): Task<Outcome> {
  const {client, daemon, informers, recorder} = context;
  const cron = informers.of<CronJob>(cronjobs).get(key);
  if (!cron) return undefined;
  const plan = planCron(cron, [...byOwner.of(cron.metadata.uid).values()], daemon.wall());
  for (const {metadata} of plan.remove) yield* removeJob(context, cron, metadata);
  for (const event of plan.events) recorder.record(cron, event);
  for (const {name = '', namespace} of plan.replace) {
    const found = yield* client.ask(get(jobs, {name, namespace}));
    if (!found.ok) {
      recorder.record(cron, {type: 'Warning', reason: 'FailedGet', message: `Get job: ${found.status.message}`});
      return 'again';
    }
    if (!(yield* removeJob(context, cron, {name, namespace}))) return 'again';
  }
  const replaced = new Set(plan.replace.map(each => each.uid));
  const active = (plan.status.active ?? []).filter(each => !replaced.has(each.uid));
  const status = {...plan.status, ...(active.length > 0 || plan.status.active ? {active} : {})};
  const started = plan.start === undefined ? status : yield* start(context, cron, {timeMs: plan.start, status});
  if (started === 'failed') return 'again';
  const fine = yield* writeStatus(context, cron, started === 'foreign' ? status : started);
  if (!fine) return 'again';
  // Who else made the Job of that time is believed to keep the book too.
  return plan.afterMs === undefined || started === 'foreign' ? undefined : {afterMs: plan.afterMs};
}

/** Removes a Job with its pods, and tells of it; false when that failed. */
function* removeJob(
  {client, recorder}: Context,
  cron: CronJob,
  {name, namespace}: {readonly name: string; readonly namespace?: string | undefined},
): Task<boolean> {
  const gone = yield* client.ask(remove(jobs, {name, namespace}, {propagationPolicy: 'Background'}));
  if (gone.ok) recorder.record(cron, {type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}`});
  else recorder.record(cron, {type: 'Warning', reason: 'FailedDelete', message: `Deleted job: ${gone.status.message}`});
  return gone.ok;
}

/** Makes the Job of a time; gives the status with it, unless that failed or somebody else made a Job of that name. */
function* start(
  context: Context,
  cron: CronJob,
  how: {timeMs: number; status: CronJobStatus},
): Task<CronJobStatus | 'failed' | 'foreign'> {
  const {client, recorder} = context;
  const {timeMs, status} = how;
  const {metadata: template, spec} = cron.spec.jobTemplate;
  const zone = cron.spec.timeZone === undefined ? undefined : timeZone(cron.spec.timeZone);
  const name = jobName(cron, timeMs);
  const metadata = {
    name,
    namespace: cron.metadata.namespace ?? '',
    ...(template?.labels ? {labels: template.labels} : {}),
    annotations: {...template?.annotations, [SCHEDULED]: zone ? formatIn(zone, timeMs) : formatTime(timeMs)},
    ownerReferences: [controllerReference(cron, KIND)],
  };
  const draft = {apiVersion: 'batch/v1', kind: 'Job', metadata: metadata as unknown as ObjectMeta, spec};
  const result = yield* client.ask<Job>(create(jobs, draft));
  const listed = (job: Job): CronJobStatus => {
    return {...status, active: [...(status.active ?? []), referenceOf(job)], lastScheduleTime: formatTime(timeMs)};
  };
  if (result.ok) {
    recorder.record(cron, {type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${name}`});
    return listed(result.value);
  }
  if (isNamespaceTerminating(result.status)) return status;
  if (result.status.reason === 'AlreadyExists') {
    // It was made by an earlier look that could not write it down.
    const found = yield* client.ask<Job>(get(jobs, {name, namespace: metadata.namespace}));
    if (!found.ok) return 'failed';
    return controllerOf(found.value)?.uid === cron.metadata.uid ? listed(found.value) : 'foreign';
  }
  recorder.record(cron, {type: 'Warning', reason: 'FailedCreate', message: `Error creating job: ${result.status.message}`});
  return 'failed';
}

function* writeStatus({client}: Context, cron: CronJob, status: CronJobStatus): Task<boolean> {
  const {active = [], ...rest} = status;
  const next = active.length > 0 ? {...rest, active} : rest;
  if (isSameValue(cron.status ?? {}, next)) return true;
  const result = yield* client.ask(update(cronjobs, {...cron, status: next}, 'status'));
  return result.ok || result.status.code === 404;
}
