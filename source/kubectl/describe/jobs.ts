// The pages of jobs and cron jobs.
import type {CronJob, Job} from '../../api/kinds/batch-v1.ts';
import {controllerOf} from '../../api/meta/object.ts';
import {selectorText} from '../../api/meta/selector.ts';
import {humanDuration, parseTime} from '../../api/meta/time.ts';
import {timeText, type Describer} from './describer.ts';
import {addEvents, eventsOf} from './events.ts';
import {Lines} from './lines.ts';
import {addAnnotations, addLabels} from './maps.ts';
import {addTemplate} from './template.ts';

/** A list of indexes is cut after so many letters. */
const MOST_INDEXES = 50;

type Shown = string | number | boolean;

function optional(lines: Lines, title: string, value: Shown | undefined, unit = ''): void {
  if (value !== undefined) lines.field(0, title, `${value}${unit}`);
}

function orUnset(lines: Lines, title: string, value: Shown | undefined, unit = ''): void {
  lines.field(0, title, value === undefined ? '<unset>' : `${value}${unit}`);
}

export const describeJob: Describer = async (object, around) => {
  const job = object as unknown as Job;
  const {metadata, spec} = job;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  lines.field(0, 'Selector', spec?.selector ? selectorText(spec.selector) : '');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  const owner = controllerOf(object);
  if (owner) lines.field(0, 'Controlled By', `${owner.kind}/${owner.name}`);
  optional(lines, 'Parallelism', spec?.parallelism);
  orUnset(lines, 'Completions', spec?.completions);
  optional(lines, 'Completion Mode', spec?.completionMode);
  optional(lines, 'Suspend', spec?.suspend);
  optional(lines, 'Backoff Limit', spec?.backoffLimit);
  optional(lines, 'TTL Seconds After Finished', spec?.ttlSecondsAfterFinished);
  addCourse(lines, job);
  addTemplate(lines, spec?.template);
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};

function addCourse(lines: Lines, {spec, status}: Job): void {
  const {startTime, completionTime, active = 0, ready, succeeded = 0, failed = 0, completedIndexes = ''} = status ?? {};
  if (startTime) lines.field(0, 'Start Time', timeText(startTime));
  if (completionTime) lines.field(0, 'Completed At', timeText(completionTime));
  if (startTime && completionTime)
    lines.field(0, 'Duration', humanDuration((parseTime(completionTime) ?? 0) - (parseTime(startTime) ?? 0)));
  optional(lines, 'Active Deadline Seconds', spec?.activeDeadlineSeconds, 's');
  const readyText = ready === undefined ? '' : ` (${ready} Ready)`;
  lines.field(0, 'Pods Statuses', `${active} Active${readyText} / ${succeeded} Succeeded / ${failed} Failed`);
  if (spec?.completionMode !== 'Indexed') return;
  const cut = completedIndexes.length > MOST_INDEXES ? `${completedIndexes.slice(0, MOST_INDEXES)}...` : completedIndexes;
  lines.field(0, 'Completed Indexes', cut || '<none>');
}

export const describeCronJob: Describer = async (object, around) => {
  const {metadata, spec, status} = object as unknown as CronJob;
  const job = spec?.jobTemplate.spec;
  const lines = new Lines();
  lines.field(0, 'Name', metadata.name);
  lines.field(0, 'Namespace', metadata.namespace ?? '');
  addLabels(lines, 'Labels', metadata.labels);
  addAnnotations(lines, 'Annotations', metadata.annotations);
  lines.field(0, 'Schedule', spec?.schedule ?? '');
  lines.field(0, 'Concurrency Policy', spec?.concurrencyPolicy ?? '');
  orUnset(lines, 'Suspend', spec?.suspend === undefined ? undefined : spec.suspend ? 'True' : 'False');
  orUnset(lines, 'Successful Job History Limit', spec?.successfulJobsHistoryLimit);
  orUnset(lines, 'Failed Job History Limit', spec?.failedJobsHistoryLimit);
  orUnset(lines, 'Starting Deadline Seconds', spec?.startingDeadlineSeconds, 's');
  orUnset(lines, 'Selector', job?.selector ? selectorText(job.selector) : undefined);
  orUnset(lines, 'Parallelism', job?.parallelism);
  orUnset(lines, 'Completions', job?.completions);
  optional(lines, 'Active Deadline Seconds', job?.activeDeadlineSeconds, 's');
  addTemplate(lines, job?.template);
  orUnset(lines, 'Last Schedule Time', status?.lastScheduleTime ? timeText(status.lastScheduleTime) : undefined);
  lines.field(0, 'Active Jobs', (status?.active ?? []).map(({name = ''}) => name).join(', ') || '<none>');
  addEvents(lines, await eventsOf(object, around), around.session.now);
  return lines.text();
};
