// The TTL-after-finished controller: Jobs that are done go when the time that they name is over.
import type {Job} from '../../api/kinds/batch-v1.ts';
import {keyOf, splitKey} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import {parseTime} from '../../api/meta/time.ts';
import {remove} from '../../client/verbs.ts';
import type {Outcome} from '../../client/work-queue.ts';
import type {Task} from '../../sim/task.ts';
import type {Context, Controller} from './context.ts';

const jobs = builtin('batch', 'jobs');

/** Removes Jobs that are done. */
export const ttlAfterFinishedController: Controller = {
  name: 'ttl-after-finished-controller',
  account: 'ttl-after-finished-controller',
  start: context => {
    const queue = context.queue({reconcile: key => sync(context, key)});
    const look = (job: Job): void => {
      if (expiresAt(job) !== undefined) queue.add(keyOf(job));
    };
    context.informers.of<Job>(jobs).on({added: look, updated: look});
  },
};

/** When a Job is to go; undefined while it runs, or when it is to stay. */
function expiresAt({spec, status}: Job): number | undefined {
  const ttl = spec.ttlSecondsAfterFinished;
  const done = status?.conditions?.find(each => each.status === 'True' && (each.type === 'Complete' || each.type === 'Failed'));
  const since = parseTime(done?.lastTransitionTime);
  return ttl === undefined || since === undefined ? undefined : since + ttl * 1000;
}

function* sync({client, daemon, informers}: Context, key: string): Task<Outcome> {
  const job = informers.of<Job>(jobs).get(key);
  const at = job && expiresAt(job);
  if (!job || at === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const left = at - daemon.wall();
  if (left > 0) return {afterMs: left};
  const options = {propagationPolicy: 'Foreground', preconditions: {uid: job.metadata.uid}};
  const result = yield* client.ask(remove(jobs, splitKey(key), options));
  return result.ok || result.status.code === 404 ? undefined : 'again';
}
