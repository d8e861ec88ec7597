// CronJobs start each time once, not before it is time, and one at a time where nothing else is allowed; autoscalers keep their bounds.
import type {Deployment} from '../../../../source/api/kinds/apps-v1.ts';
import type {HorizontalPodAutoscaler} from '../../../../source/api/kinds/autoscaling-v2.ts';
import type {CronJob, Job} from '../../../../source/api/kinds/batch-v1.ts';
import {controllerOf} from '../../../../source/api/meta/object.ts';
import {parseTime} from '../../../../source/api/meta/time.ts';
import type {State} from '../ledger.ts';
import type {Check, Scene} from './check.ts';
import {listOf, nameOf} from './reading.ts';

const SCHEDULED = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

function isOver({status}: Job): boolean {
  return (status?.conditions ?? []).some(({type, status: is}) => (type === 'Complete' || type === 'Failed') && is === 'True');
}

function started(job: Job, state: State, {world}: Scene): string | undefined {
  const owner = controllerOf(job);
  const cron = listOf<CronJob>(state, 'cronjobs').find(({metadata}) => metadata.uid === owner?.uid);
  if (!cron) return undefined;
  const at = parseTime(job.metadata.annotations?.[SCHEDULED]) ?? 0;
  if (at > world.wall) return `${nameOf(job)} comes before its time`;
  if (at < (parseTime(cron.metadata.creationTimestamp) ?? 0))
    return `${nameOf(job)} is for a time before there was ${nameOf(cron)}`;
  const siblings = listOf<Job>(state, 'jobs').filter(
    each => each.metadata.uid !== job.metadata.uid && controllerOf(each)?.uid === owner?.uid,
  );
  if (siblings.some(({metadata}) => metadata.annotations?.[SCHEDULED] === job.metadata.annotations?.[SCHEDULED]))
    return `${nameOf(job)} is the second one for its time`;
  const running = siblings.filter(each => !isOver(each) && !each.metadata.deletionTimestamp);
  return cron.spec.concurrencyPolicy === 'Forbid' && running.length > 0
    ? `${nameOf(job)} comes while ${running.map(nameOf).join(', ')} still runs`
    : undefined;
}

function outOfBounds(state: State, hpa: HorizontalPodAutoscaler): readonly string[] {
  const {namespace} = hpa.metadata;
  const {scaleTargetRef, minReplicas = 1, maxReplicas} = hpa.spec;
  const target = listOf<Deployment>(state, 'deployments').find(
    ({metadata}) => metadata.namespace === namespace && metadata.name === scaleTargetRef.name,
  );
  const replicas = target?.spec?.replicas ?? 1;
  if (!target || replicas === 0 || (replicas >= minReplicas && replicas <= maxReplicas)) return [];
  return [`${nameOf(target)} has ${replicas} replicas, and ${nameOf(hpa)} wants ${minReplicas} to ${maxReplicas}`];
}

export const SCHEDULES: Check = {
  change({resource, before, after}, scene) {
    return resource === 'jobs' && after && !before ? started(after as unknown as Job, scene.ledger, scene) : undefined;
  },
  rest: state => listOf<HorizontalPodAutoscaler>(state, 'horizontalpodautoscalers').flatMap(hpa => outOfBounds(state, hpa)),
};
