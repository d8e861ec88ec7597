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
import {jobName, planCron} from './plan.ts';

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
    crons.on({added: wake, updated: wake});
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
  for (const event of plan.events) recorder.record(cron, event);
  for (const {metadata} of plan.remove) {
    yield* client.ask(remove(jobs, {name: metadata.name, namespace: metadata.namespace}, {propagationPolicy: 'Background'}));
  }
  for (const {name = '', namespace} of plan.replace) {
    const gone = yield* client.ask(remove(jobs, {name, namespace}, {propagationPolicy: 'Background'}));
    if (gone.ok) recorder.record(cron, {type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted job ${name}`});
  }
  const replaced = new Set(plan.replace.map(each => each.uid));
  const active = (plan.status.active ?? []).filter(each => !replaced.has(each.uid));
  const status = {...plan.status, ...(active.length > 0 || plan.status.active ? {active} : {})};
  const started = plan.start === undefined ? status : yield* start(context, cron, {timeMs: plan.start, status});
  if (!started) return 'again';
  const fine = yield* writeStatus(context, cron, started);
  if (!fine) return 'again';
  return plan.afterMs === undefined ? undefined : {afterMs: plan.afterMs};
}

/** Makes the Job of a time; gives the status with it, or undefined when that failed. */
function* start(context: Context, cron: CronJob, how: {timeMs: number; status: CronJobStatus}): Task<CronJobStatus | undefined> {
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
  if (result.ok) {
    recorder.record(cron, {type: 'Normal', reason: 'SuccessfulCreate', message: `Created job ${name}`});
    return {...status, active: [...(status.active ?? []), referenceOf(result.value)], lastScheduleTime: formatTime(timeMs)};
  }
  if (isNamespaceTerminating(result.status)) return status;
  if (result.status.reason === 'AlreadyExists') {
    // It was made by an earlier look that could not write it down.
    const found = yield* client.ask<Job>(get(jobs, {name, namespace: metadata.namespace}));
    const mine = found.ok && controllerOf(found.value)?.uid === cron.metadata.uid;
    return mine ? {...status, lastScheduleTime: formatTime(timeMs)} : status;
  }
  recorder.record(cron, {type: 'Warning', reason: 'FailedCreate', message: `Error creating job: ${result.status.message}`});
  return undefined;
}

function* writeStatus({client}: Context, cron: CronJob, status: CronJobStatus): Task<boolean> {
  const {active = [], ...rest} = status;
  const next = active.length > 0 ? {...rest, active} : rest;
  if (isSameValue(cron.status ?? {}, next)) return true;
  const result = yield* client.ask(update(cronjobs, {...cron, status: next}, 'status'));
  return result.ok || result.status.code === 404;
}
