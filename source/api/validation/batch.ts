// Jobs and CronJobs.
import type {CronJob, Job, JobSpec} from '../kinds/batch-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, notSupported, required, root, tooLong} from '../meta/field-error.ts';
import {checkLabel} from '../meta/names.ts';
import {selectorMatcher} from '../meta/selector.ts';
import {isTimeZone} from '../meta/time-zone.ts';
import {goPodSpec} from '../schema/go-structs.ts';
import {failurePolicy, successPolicy} from './job-policies.ts';
import {checkSchedule} from './schedule.ts';
import {domainPath, type Errors, immutable, labelSelector, notNegative, oneOf, requiredOneOf} from './rules.ts';
import {podTemplate} from './workloads.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const NAME_LABEL = 'batch.kubernetes.io/job-name';
const INDEXED_ONLY = 'requires indexed completion mode';

/** A Job. */
export function validateJob(job: Job, errors: Errors): void {
  const {spec, metadata} = job;
  const path = root('spec');
  generatedSelector(job, path, errors);
  jobSpec(spec, path, errors);
  const own = spec.template.metadata?.labels;
  const count = errors.length;
  if (spec.selector) labelSelector(spec.selector, path.child('selector'), errors);
  else if (spec.manualSelector === true) errors.push(required(path.child('selector')));
  if (errors.length === count && spec.selector && !selectorMatcher(spec.selector)(own)) {
    errors.push(
      invalid(path.child('template', 'metadata', 'labels'), own ?? null, '`selector` does not match template `labels`'),
    );
  }
  if (spec.completionMode !== 'Indexed' || !spec.completions || spec.completions < 1) return;
  // The pods of an indexed Job have hosts of their own.
  const host = `${metadata.name}-${spec.completions - 1}`;
  if (checkLabel(host).length > 0)
    errors.push(invalid(root('metadata', 'name'), metadata.name, `will not able to create pod with invalid DNS label: ${host}`));
}

/** Unless it is the user's own matter, a Job selects its pods by its uid, and its template has the labels for that. */
function generatedSelector({spec, metadata}: Job, path: FieldPath, errors: Errors): void {
  if (spec.manualSelector === true || !spec.selector) return;
  const wanted: Readonly<Record<string, string>> = {
    'controller-uid': metadata.uid,
    'job-name': metadata.name,
    [UID_LABEL]: metadata.uid,
    [NAME_LABEL]: metadata.name,
  };
  const own = spec.template.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    const at = path.child('template', 'metadata', 'labels').key(key);
    if (own[key] === undefined) errors.push(required(at, `must be '${value}'`));
    else if (own[key] !== value) errors.push(invalid(at, own, `must be '${value}'`));
  }
  const unreadable: Errors = [];
  labelSelector(spec.selector, path.child('selector'), unreadable);
  if (unreadable.length === 0 && !selectorMatcher(spec.selector)(wanted))
    errors.push(invalid(path.child('selector'), spec.selector, '`selector` not auto-generated'));
}

/** The spec of a Job or of the template of a CronJob. */
function jobSpec(spec: JobSpec, path: FieldPath, errors: Errors): void {
  for (const field of COUNTS) notNegative(spec[field], path.child(field), errors);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined)
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  if (spec.managedBy !== undefined) managedBy(spec.managedBy, path.child('managedBy'), errors);
  if (spec.completionMode !== undefined)
    oneOf(spec.completionMode, {path: path.child('completionMode'), of: ['NonIndexed', 'Indexed']}, errors);
  if (spec.completionMode === 'Indexed') indexed(spec, path, errors);
  else if (spec.completionMode === undefined || spec.completionMode === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[field] !== undefined) errors.push(invalid(path.child(field), spec[field], INDEXED_ONLY));
  }
  if (spec.podFailurePolicy) failurePolicy(spec, path.child('podFailurePolicy'), errors);
  successPolicy(spec, path.child('successPolicy'), errors);
  if (spec.podReplacementPolicy !== undefined) {
    const of = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    oneOf(spec.podReplacementPolicy, {path: path.child('podReplacementPolicy'), of}, errors);
  }
  podTemplate(spec.template, path.child('template'), errors);
  restartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors);
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** With so many completions a Job may do less at once. */
const MANY = 100_000;
const LESS = 10_000;

function indexed(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const {completions, parallelism = 0, maxFailedIndexes: failed, backoffLimitPerIndex} = spec;
  const most = (field: 'parallelism' | 'maxFailedIndexes', value: number | undefined, limit: number, when = '') => {
    if (value !== undefined && value > limit)
      errors.push(invalid(path.child(field), value, `must be less than or equal to ${limit}${when}`));
  };
  if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
  most('parallelism', parallelism, MANY, ' when completion mode is Indexed');
  if (completions !== undefined && failed !== undefined && failed > completions)
    errors.push(invalid(path.child('maxFailedIndexes'), failed, 'must be less than or equal to completions'));
  most('maxFailedIndexes', failed, MANY);
  if (completions === undefined || completions <= MANY || backoffLimitPerIndex === undefined) return;
  const when = ` when completions are above ${MANY} and used with backoff limit per index`;
  if (failed === undefined)
    errors.push(required(path.child('maxFailedIndexes'), `must be specified when completions is above ${MANY}`));
  most('parallelism', parallelism, LESS, when);
  most('maxFailedIndexes', failed, LESS, when);
}

const LONGEST_MANAGER = 63;

/** Who runs a Job instead of the server's own controller. */
function managedBy(name: string, path: FieldPath, errors: Errors): void {
  domainPath(name, path, errors);
  if (name.length > LONGEST_MANAGER) errors.push(tooLong(path, LONGEST_MANAGER));
}

function restartPolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const policy = spec.template.spec?.restartPolicy;
  if (policy === undefined || policy === 'Always') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') errors.push(notSupported(path, policy, ['OnFailure', 'Never']));
  else if (policy === 'OnFailure' && spec.podFailurePolicy) {
    errors.push(invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified'));
  }
}

/** A changed Job: what it is to do is settled, how fast is not. */
export function validateJobUpdate(job: Job, before: Job, errors: Errors): void {
  validateJob(job, errors);
  const path = root('spec');
  const {spec} = job;
  const old = before.spec;
  completions(spec, old, {path: path.child('completions'), errors});
  immutable(spec.selector, old.selector, {path: path.child('selector'), errors});
  // A suspended Job that has not begun may still be placed elsewhere.
  const placeable = old.suspend === true && before.status?.startTime === undefined;
  immutable(fixedTemplate(spec, placeable), fixedTemplate(old, placeable), {
    path: path.child('template'),
    errors,
    printed: goTemplate(spec),
  });
  for (const field of ['completionMode', 'podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const) {
    immutable(spec[field], old[field], {path: path.child(field), errors});
  }
}

/** The number of an indexed Job may change together with how many run at once; else it is settled. */
function completions(spec: JobSpec, old: JobSpec, {path, errors}: {path: FieldPath; errors: Errors}): void {
  if (spec.completionMode !== 'Indexed' || spec.completions === undefined || old.completions === undefined) {
    immutable(spec.completions, old.completions, {path, errors});
    return;
  }
  if (spec.completions === old.completions) return;
  if (spec.completions !== spec.parallelism)
    errors.push(invalid(path, spec.completions, 'can only be modified in tandem with spec.parallelism'));
}

/** The template as the server prints it: metadata as users know it, the spec as its own struct. */
function goTemplate(spec: JobSpec): object {
  return {...spec.template.metadata, Spec: goPodSpec({...spec.template.spec})};
}

function fixedTemplate(spec: JobSpec, placeable: boolean): unknown {
  if (!placeable) return spec.template;
  const {nodeSelector: _n, tolerations: _t, schedulingGates: _g, affinity, ...rest} = spec.template.spec ?? {containers: []};
  const {nodeAffinity: _a, ...pods} = affinity ?? {};
  return {spec: {...rest, ...(Object.keys(pods).length > 0 ? {affinity: pods} : {})}};
}

/** A new CronJob. */
export function validateCronJob(cronJob: CronJob, errors: Errors): void {
  cronSpec(cronJob, {}, errors);
}

/** A changed CronJob: a zone that stays is not judged again. */
export function validateCronJobUpdate(cronJob: CronJob, before: CronJob, errors: Errors): void {
  cronSpec(cronJob, {known: before.spec.timeZone}, errors);
}

function cronSpec({spec}: CronJob, {known}: {readonly known?: string | undefined}, errors: Errors): void {
  const path = root('spec');
  if (!spec.schedule) errors.push(required(path.child('schedule')));
  else {
    const wrong = checkSchedule(spec.schedule);
    if (wrong !== undefined) errors.push(invalid(path.child('schedule'), spec.schedule, wrong));
  }
  notNegative(spec.startingDeadlineSeconds, path.child('startingDeadlineSeconds'), errors);
  if (spec.timeZone !== known) timeZone(spec.timeZone, path.child('timeZone'), errors);
  requiredOneOf(spec.concurrencyPolicy, {path: path.child('concurrencyPolicy'), of: ['Allow', 'Forbid', 'Replace']}, errors);
  const template = path.child('jobTemplate', 'spec');
  const {spec: job} = spec.jobTemplate;
  if (job) jobSpec(job, template, errors);
  if (job?.selector) errors.push(invalid(template.child('selector'), job.selector, '`selector` will be auto-generated'));
  if (job?.manualSelector === true) errors.push(notSupported(template.child('manualSelector'), true, ['nil', 'false']));
  notNegative(spec.successfulJobsHistoryLimit, path.child('successfulJobsHistoryLimit'), errors);
  notNegative(spec.failedJobsHistoryLimit, path.child('failedJobsHistoryLimit'), errors);
}

function timeZone(name: string | undefined, path: FieldPath, errors: Errors): void {
  if (name === undefined) return;
  if (name === '') errors.push(invalid(path, name, 'timeZone must be nil or non-empty string'));
  else if (name.toLowerCase() === 'local')
    errors.push(invalid(path, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  else if (!isTimeZone(name)) errors.push(invalid(path, name, `unknown time zone ${name}`));
}
