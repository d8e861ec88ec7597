// The row of a CronJob.
import type {CronJob} from '../kinds/batch-v1.ts';
import {selectorText} from '../meta/selector.ts';
import {age, type Cell, containerCells, NONE, or, since, UNSET} from './cells.ts';

/** Name, Schedule, Timezone, Suspend, Active, Last Schedule, Age, Containers, Images, Selector. */
export function cronJobRow(cronJob: CronJob, nowMs: number): readonly Cell[] {
  const {spec, status} = cronJob;
  const suspended = spec.suspend === undefined ? UNSET : spec.suspend ? 'True' : 'False';
  return [
    cronJob.metadata.name,
    spec.schedule,
    or(spec.timeZone, NONE),
    suspended,
    status?.active?.length ?? 0,
    status?.lastScheduleTime ? since(status.lastScheduleTime, nowMs) : NONE,
    age(cronJob, nowMs),
    ...containerCells(spec.jobTemplate.spec?.template.spec?.containers),
    selectorText(spec.jobTemplate.spec?.selector),
  ];
}
