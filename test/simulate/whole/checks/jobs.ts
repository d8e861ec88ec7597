// A Job never counts more successes than it wants, never runs more pods at once than it may, and at rest has let go of its pods.
import type {Job} from '../../../../source/api/kinds/batch-v1.ts';
import type {Pod} from '../../../../source/api/kinds/core-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {isActive, isTerminal} from '../../../../source/api/meta/pod.ts';
import type {State} from '../ledger.ts';
import type {Check} from './check.ts';
import {differ, listOf, nameOf, ownedPods} from './reading.ts';

const KNOWN_MS = 3000;
const INDEX = 'batch.kubernetes.io/job-completion-index';
const TRACKING = 'batch.kubernetes.io/job-tracking';

function isFinished(job: Job): boolean {
  return (job.status?.conditions ?? []).some(({type, status}) => (type === 'Complete' || type === 'Failed') && status === 'True');
}

function tooMany(state: State, job: Job): string | undefined {
  const pods = ownedPods(state, job).filter(isActive);
  const {parallelism = 1, suspend = false} = job.spec ?? {};
  if (suspend && pods.length > 0) return `${nameOf(job)} is suspended and has a new pod`;
  if (isFinished(job)) return `${nameOf(job)} has finished and has a new pod`;
  if (pods.length > parallelism) return `${nameOf(job)} runs ${pods.length} pods, and may ${parallelism}`;
  const indexes = pods.map(({metadata}) => metadata.annotations?.[INDEX]);
  return job.spec?.completionMode === 'Indexed' && new Set(indexes).size < indexes.length
    ? `${nameOf(job)} runs an index twice: ${indexes.join()}`
    : undefined;
}

function atRest(state: State, job: Job): readonly string[] {
  const {succeeded = 0, failed = 0, active = 0, terminating = 0, ready = 0, conditions} = job.status ?? {};
  const name = nameOf(job);
  const pods = ownedPods(state, job);
  const completions = job.spec?.completions ?? 1;
  const found = [
    ...differ(`${name}: active`, active, pods.filter(pod => isActive(pod)).length),
    ...differ(`${name}: terminating`, terminating, pods.filter(pod => pod.metadata.deletionTimestamp && !isTerminal(pod)).length),
    ...pods
      .filter(pod => isTerminal(pod) && pod.metadata.finalizers?.includes(TRACKING))
      .map(pod => `${nameOf(pod)} has ended and is still tracked`),
  ];
  if (job.metadata.deletionTimestamp) found.push(`${name} does not go`);
  if (ready > active) found.push(`${name}: more are ready than active`);
  const isEnded = isFinished(job);
  if (isEnded && active > 0) found.push(`${name} has finished, and ${active} run`);
  if (isEnded && job.spec?.ttlSecondsAfterFinished !== undefined) found.push(`${name} has finished and outlived its time`);
  if (
    !isEnded &&
    !job.spec?.suspend &&
    active === 0 &&
    succeeded < completions &&
    (job.spec?.parallelism ?? 1) > 0 &&
    !listOf(state, 'resourcequotas').length
  ) {
    found.push(`${name} does nothing: ${succeeded} succeeded, ${failed} failed, ${JSON.stringify(conditions)}`);
  }
  if ((conditions ?? []).filter(({type, status}) => (type === 'Complete' || type === 'Failed') && status === 'True').length > 1)
    found.push(`${name} is both complete and failed`);
  return found;
}

export const JOBS: Check = {
  change({resource, before, after}, {ledger}) {
    if (resource === 'jobs' && after) {
      const job = after as unknown as Job;
      const {succeeded = 0, uncountedTerminatedPods} = job.status ?? {};
      const all = succeeded + (uncountedTerminatedPods?.succeeded?.length ?? 0);
      if (all > (job.spec?.completions ?? Infinity)) return `${nameOf(job)} counts ${all} successes`;
      const old = before as unknown as Job | undefined;
      if (old && isFinished(old) && !isFinished(job)) return `${nameOf(job)} had finished and has not any more`;
      return undefined;
    }
    if (resource !== 'pods' || before || !after) return undefined;
    const owner = controllerOf(after as unknown as Pod);
    if (owner?.kind !== 'Job') return undefined;
    let first: string | undefined;
    for (const state of ledger.recent(KNOWN_MS)) {
      const job = listOf<Job>(state, 'jobs').find(({metadata}) => metadata.uid === owner.uid);
      const why = job && tooMany(ledger, job);
      if (why === undefined) return undefined;
      first ??= why;
    }
    return first;
  },
  rest: state => listOf<Job>(state, 'jobs').flatMap(job => atRest(state, job)),
};
