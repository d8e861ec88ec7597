// What Jobs and CronJobs get.
import type {CronJob, Job, JobSpec} from '../../kinds/batch-v1.ts';
import {change, each, fill} from './fill.ts';
import {defaultTemplate} from './pod.ts';

const ENDLESS = 2_147_483_647;

export function defaultJob(job: Job): Job {
  const out = change(job, 'spec', spec => {
    // Without either number a Job runs one pod to its end; with one of them the other is its own matter.
    const alone = spec.completions === undefined && spec.parallelism === undefined;
    const filled = fill(defaultJobSpec(spec), {
      ...(alone ? {completions: 1} : {}),
      parallelism: 1,
      backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : ENDLESS,
      completionMode: 'NonIndexed',
      manualSelector: false,
      suspend: false,
      podReplacementPolicy: spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed',
    });
    return filled;
  });
  const labels = job.spec.template?.metadata?.labels;
  return labels && job.metadata.labels === undefined ? change(out, 'metadata', metadata => fill(metadata, {labels})) : out;
}

export function defaultCronJob(cronJob: CronJob): CronJob {
  return change(cronJob, 'spec', spec => {
    const out = fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    return change(out, 'jobTemplate', template => change(template, 'spec', defaultJobSpec));
  });
}

function defaultJobSpec(spec: JobSpec): JobSpec {
  const out = change(spec, 'podFailurePolicy', policy =>
    change(policy, 'rules', rules =>
      each(rules, rule =>
        change(rule, 'onPodConditions', patterns => each(patterns, pattern => fill(pattern, {status: 'True'}))),
      ),
    ),
  );
  return change(out, 'template', defaultTemplate);
}
