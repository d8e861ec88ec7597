// Jobs and CronJobs.
import type {CronJob, Job, JobSpec, PodFailurePolicyRule} from '../kinds/batch-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, Printed, required, root} from '../meta/field-error.ts';
import {checkDomainPath, checkQualifiedName} from '../meta/names.ts';
import {selectorMatcher} from '../meta/selector.ts';
import {isTimeZone} from '../meta/time-zone.ts';
import {goPodSpec} from '../schema/go-structs.ts';
import {sameJson} from '../schema/merge/index.ts';
import {checkSchedule} from './schedule.ts';
import {type Errors, immutable, labelSelector, notNegative, oneOf, requiredOneOf, sentences} from './rules.ts';
import {podTemplate} from './workloads.ts';

const UID_LABEL = 'batch.kubernetes.io/controller-uid';
const INDEXED_ONLY = 'requires indexed completion mode';

/** A Job. */
export function validateJob(job: Job, errors: Errors): void {
  const {spec} = job;
  const path = root('spec');
  generatedSelector(job, path, errors);
  jobSpec(spec, path, errors);
  const own = spec.template.metadata?.labels;
  if (spec.selector && !selectorMatcher(spec.selector)(own)) {
    errors.push(
      invalid(path.child('template', 'metadata', 'labels'), own ?? null, '`selector` does not match template `labels`'),
    );
  }
}

/** Unless it is the user's own matter, a Job selects its pods by its uid. */
function generatedSelector(job: Job, path: FieldPath, errors: Errors): void {
  const {spec} = job;
  if (spec.manualSelector === true) {
    if (!spec.selector) errors.push(required(path.child('selector')));
    return;
  }
  const wanted = {matchLabels: {[UID_LABEL]: job.metadata.uid}};
  // Before the registry has filled it in there is nothing to compare.
  if (spec.selector === undefined) return;
  if (!sameJson(spec.selector, wanted))
    errors.push(invalid(path.child('selector'), spec.selector, '`selector` not auto-generated'));
}

/** The spec of a Job or of the template of a CronJob. */
function jobSpec(spec: JobSpec, path: FieldPath, errors: Errors): void {
  for (const field of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    notNegative(spec[field], path.child(field), errors);
  }
  indexes(spec, path, errors);
  labelSelector(spec.selector, path.child('selector'), errors);
  if (spec.completionMode !== undefined)
    oneOf(spec.completionMode, {path: path.child('completionMode'), of: ['NonIndexed', 'Indexed']}, errors);
  if (spec.podReplacementPolicy !== undefined) {
    const of = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
    oneOf(spec.podReplacementPolicy, {path: path.child('podReplacementPolicy'), of}, errors);
  }
  spec.podFailurePolicy?.rules.forEach((rule, i) =>
    failureRule(rule, {path: path.child('podFailurePolicy', 'rules').index(i), spec}, errors),
  );
  success(spec, path.child('successPolicy'), errors);
  if (spec.managedBy !== undefined)
    sentences(checkDomainPath(spec.managedBy), {path: path.child('managedBy'), value: spec.managedBy}, errors);
  podTemplate(spec.template, path.child('template'), errors);
  restartPolicy(spec, path.child('template', 'spec', 'restartPolicy'), errors);
}

function indexes(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const indexed = spec.completionMode === 'Indexed';
  if (spec.backoffLimitPerIndex !== undefined && !indexed) {
    errors.push(invalid(path.child('backoffLimitPerIndex'), spec.backoffLimitPerIndex, INDEXED_ONLY));
  }
  if (indexed && spec.completions === undefined) {
    errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
  }
  const most = spec.maxFailedIndexes;
  if (most === undefined) return;
  if (spec.completions !== undefined && most > spec.completions) {
    errors.push(invalid(path.child('maxFailedIndexes'), most, 'must be less than or equal to completions'));
  }
  if (spec.backoffLimitPerIndex === undefined)
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
}

function failureRule(rule: PodFailurePolicyRule, {path, spec}: {path: FieldPath; spec: JobSpec}, errors: Errors): void {
  if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(path.child('action'), rule.action, 'requires the backoffLimitPerIndex to be set'));
  }
  oneOf(rule.action, {path: path.child('action'), of: ['Count', 'FailIndex', 'FailJob', 'Ignore']}, errors);
  failureCause(rule, path, errors);
  if (rule.onExitCodes) exitCodes(rule.onExitCodes, {path: path.child('onExitCodes'), spec}, errors);
  rule.onPodConditions?.forEach((condition, i) => {
    const at = path.child('onPodConditions').index(i);
    sentences(checkQualifiedName(condition.type), {path: at.child('type'), value: condition.type}, errors);
    oneOf(condition.status ?? 'True', {path: at.child('status'), of: ['False', 'True', 'Unknown']}, errors);
  });
}

/** A rule looks at the exit codes or at the conditions. */
function failureCause(rule: PodFailurePolicyRule, path: FieldPath, errors: Errors): void {
  const exit = rule.onExitCodes;
  const conditions = rule.onPodConditions;
  if (exit && conditions) {
    errors.push(invalid(path, new Printed('specifying both OnExitCodes and OnPodConditions is not supported'), ''));
  }
  if (!exit && !conditions)
    errors.push(invalid(path, new Printed('specifying one of OnExitCodes and OnPodConditions is required'), ''));
}

function exitCodes(
  exit: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  {path: at, spec}: {path: FieldPath; spec: JobSpec},
  errors: Errors,
): void {
  const name = exit.containerName;
  const {containers, initContainers = []} = spec.template.spec ?? {containers: []};
  if (name !== undefined && ![...(containers ?? []), ...initContainers].some(each => each.name === name)) {
    errors.push(
      invalid(at.child('containerName'), name, 'must be one of the container or initContainer names in the pod template'),
    );
  }
  oneOf(exit.operator, {path: at.child('operator'), of: ['In', 'NotIn']}, errors);
  if (exit.values.length === 0) errors.push(invalid(at.child('values'), exit.values, 'at least one value is required'));
  const seen = new Set<number>();
  exit.values.forEach((value, i) => {
    if (value === 0 && exit.operator === 'In')
      errors.push(invalid(at.child('values').index(i), value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(at.child('values').index(i), value));
    seen.add(value);
  });
}

function success(spec: JobSpec, path: FieldPath, errors: Errors): void {
  if (!spec.successPolicy) return;
  const rules = spec.successPolicy.rules.map(rule => ({
    SucceededIndexes: rule.succeededIndexes ?? null,
    SucceededCount: rule.succeededCount ?? null,
  }));
  if (spec.completionMode !== 'Indexed') errors.push(invalid(path, {Rules: rules}, INDEXED_ONLY));
  else if (rules.length === 0)
    errors.push(required(path.child('rules'), 'at least one rules must be specified when the successPolicy is specified'));
}

function restartPolicy(spec: JobSpec, path: FieldPath, errors: Errors): void {
  const policy = spec.template.spec?.restartPolicy;
  if (policy === undefined || policy === 'Always') errors.push(required(path, 'valid values: "OnFailure", "Never"'));
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
  const {nodeSelector: _n, tolerations: _t, schedulingGates: _g, affinity: _a, ...rest} = spec.template.spec ?? {containers: []};
  return {spec: rest};
}

/** A CronJob. */
export function validateCronJob(cronJob: CronJob, errors: Errors): void {
  const {spec} = cronJob;
  const path = root('spec');
  if (!spec.schedule) errors.push(required(path.child('schedule')));
  else {
    const wrong = checkSchedule(spec.schedule);
    if (wrong !== undefined) errors.push(invalid(path.child('schedule'), spec.schedule, wrong));
  }
  notNegative(spec.startingDeadlineSeconds, path.child('startingDeadlineSeconds'), errors);
  timeZone(spec.timeZone, path.child('timeZone'), errors);
  requiredOneOf(spec.concurrencyPolicy, {path: path.child('concurrencyPolicy'), of: ['Allow', 'Forbid', 'Replace']}, errors);
  if (spec.jobTemplate.spec) jobSpec(spec.jobTemplate.spec, path.child('jobTemplate', 'spec'), errors);
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
