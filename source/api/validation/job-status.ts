// What may be written about a Job: it ends once, in one way, and what has been counted stays counted.
import type {Job} from '../kinds/batch-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {duplicate, invalid, OMITTED, required, root} from '../meta/field-error.ts';
import {sameJson} from '../schema/merge/index.ts';
import {readIndexes} from './job-policies.ts';
import {type Errors, notNegative} from './rules.ts';

type Status = NonNullable<Job['status']>;
type Field = keyof Status;

const COUNTS = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const;

/** A Job with another status. */
export function validateJobStatus(job: Job, before: Job, errors: Errors): void {
  const path = root('status');
  const {status = {}} = job;
  for (const field of COUNTS) notNegative(status[field], path.child(field), errors);
  uncounted(status, path.child('uncountedTerminatedPods'), errors);
  ending(job, before, errors);
  indexes(job, before, errors);
  history(job, before, errors);
}

function uncounted({uncountedTerminatedPods: pods}: Status, path: FieldPath, errors: Errors): void {
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    pods?.[list]?.forEach((uid, i) => {
      const at = path.child(list).index(i);
      if (uid === '') errors.push(invalid(at, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(at, uid));
      seen.add(uid);
    });
  }
}

function is({status}: Job, type: string): boolean {
  return status?.conditions?.some(condition => condition.type === type && condition.status === 'True') ?? false;
}

/** Does a Job end in one way only, and is all settled then? Only what changes is asked. */
function ending(job: Job, before: Job, errors: Errors): void {
  const path = root('status');
  const {status = {}} = job;
  const old = before.status ?? {};
  const changed = (...fields: readonly Field[]) => fields.some(field => !sameJson(status[field] ?? null, old[field] ?? null));
  const [complete, failed, target, met] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'].map(type =>
    is(job, type),
  );
  const finished = complete || failed;
  const conditions = (found: boolean | undefined, text: string) => {
    if (found && changed('conditions')) errors.push(invalid(path.child('conditions'), OMITTED, text));
  };
  const field = (name: Field, found: boolean | undefined, text: string) => {
    if (found && changed(name, 'conditions')) errors.push(invalid(path.child(name), status[name], text));
  };
  conditions(complete && failed, 'cannot set Complete=True and Failed=true conditions');
  conditions(complete && target, 'cannot set Complete=True and FailureTarget=true conditions');
  const done = status.completionTime;
  field('completionTime', done !== undefined && !complete, 'cannot set completionTime when there is no Complete=True condition');
  if (done === undefined && complete && changed('completionTime', 'conditions'))
    errors.push(required(path.child('completionTime'), 'completionTime is required for Complete jobs'));
  const early = done !== undefined && status.startTime !== undefined && done < status.startTime;
  field('completionTime', early, 'completionTime cannot be set before startTime');
  conditions(failed && !target, 'cannot set Failed=True condition without the FailureTarget=true condition');
  conditions(complete && !met, 'cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  field('active', finished && (status.active ?? 0) > 0, 'active>0 is invalid for finished job');
  if (finished && status.startTime === undefined && changed('startTime', 'conditions'))
    errors.push(required(path.child('startTime'), 'startTime is required for finished job'));
  const {succeeded = [], failed: lost = []} = status.uncountedTerminatedPods ?? {};
  const open = succeeded.length + lost.length > 0;
  field('uncountedTerminatedPods', finished && open, 'uncountedTerminatedPods needs to be empty for finished job');
  field('terminating', finished && (status.terminating ?? 0) > 0, 'terminating>0 is invalid for finished job');
  if ((status.ready ?? 0) > (status.active ?? 0) && changed('ready', 'active'))
    errors.push(invalid(path.child('ready'), status.ready, 'cannot set more ready pods than active'));
  conditions(met && failed, 'cannot set SuccessCriteriaMet=True and Failed=true conditions');
  conditions(met && target, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions');
}

/** The indexes that are done, in order and within the Job. */
function indexes({spec, status = {}}: Job, before: Job, errors: Errors): void {
  const path = root('status');
  const {completedIndexes = '', failedIndexes} = status;
  const check = (name: 'completedIndexes' | 'failedIndexes', text: string) => {
    const parsed = readIndexes(text, spec.completions ?? 0);
    if (typeof parsed === 'string') errors.push(invalid(path.child(name), text, `error parsing ${name}: ${parsed}`));
  };
  if (completedIndexes !== (before.status?.completedIndexes ?? '')) {
    if (spec.completions !== undefined) check('completedIndexes', completedIndexes);
    const text = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    if (completedIndexes !== '' && spec.completionMode !== 'Indexed')
      errors.push(invalid(path.child('completedIndexes'), completedIndexes, text));
  }
  if (failedIndexes === undefined || failedIndexes === before.status?.failedIndexes) return;
  if (spec.backoffLimitPerIndex !== undefined) check('failedIndexes', failedIndexes);
  else {
    const text = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid(path.child('failedIndexes'), failedIndexes, text));
  }
}

/** What has been said is not taken back. */
function history(job: Job, before: Job, errors: Errors): void {
  const path = root('status');
  const {status = {}, spec} = job;
  const old = before.status ?? {};
  for (const type of ['Failed', 'Complete', 'FailureTarget'])
    if (is(before, type) && !is(job, type))
      errors.push(invalid(path.child('conditions'), OMITTED, `cannot disable the terminal ${type}=True condition`));
  const elastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  for (const field of ['failed', 'succeeded'] as const)
    if ((status[field] ?? 0) < (old[field] ?? 0) && !(field === 'succeeded' && elastic))
      errors.push(invalid(path.child(field), status[field] ?? 0, `cannot decrease the ${field} counter`));
  if (status.completionTime !== undefined && old.completionTime !== undefined && status.completionTime !== old.completionTime)
    errors.push(invalid(path.child('completionTime'), status.completionTime, 'completionTime cannot be mutated'));
  if (old.startTime !== undefined && status.startTime !== old.startTime && spec.suspend !== true)
    errors.push(required(path.child('startTime'), 'startTime cannot be removed for unsuspended job'));
  if (is(before, 'SuccessCriteriaMet') && !is(job, 'SuccessCriteriaMet'))
    errors.push(invalid(path.child('conditions'), OMITTED, 'cannot disable the SuccessCriteriaMet=True condition'));
}
