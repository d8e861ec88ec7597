// The row of a Job.
import type {Job} from '../kinds/batch-v1.ts';
import {isConditionTrue} from '../meta/conditions.ts';
import {selectorText} from '../meta/selector.ts';
import {humanDuration, parseTime} from '../meta/time.ts';
import {age, type Cell, containerCells} from './cells.ts';

/** Name, Status, Completions, Duration, Age, Containers, Images, Selector. */
export function jobRow(job: Job, nowMs: number): readonly Cell[] {
  const containers = containerCells(job.spec.template.spec?.containers);
  const head = [job.metadata.name, jobStatus(job), jobCompletions(job), jobDuration(job, nowMs)];
  return [...head, age(job, nowMs), ...containers, selectorText(job.spec.selector)];
}

function jobStatus(job: Job): string {
  const is = (type: string) => isConditionTrue(job.status?.conditions, type);
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}

function jobCompletions(job: Job): string {
  const succeeded = job.status?.succeeded ?? 0;
  if (job.spec.completions !== undefined) return `${succeeded}/${job.spec.completions}`;
  const parallelism = job.spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Job, nowMs: number): string {
  const start = parseTime(job.status?.startTime);
  if (start === undefined) return '';
  return humanDuration((parseTime(job.status?.completionTime) ?? nowMs) - start);
}
