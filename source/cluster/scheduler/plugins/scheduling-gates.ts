// A pod with scheduling gates is not tried. The API server has written its condition; nothing is said of it here.
import type {Plugin} from '../framework.ts';

export const schedulingGates: Plugin = {
  name: 'SchedulingGates',
  preEnqueue: ({pod}) => (pod.pod.spec.schedulingGates?.length ? 'waiting for scheduling gates' : undefined),
  worthRetry: event => event.about === 'itself' && !event.after.pod.spec.schedulingGates?.length,
};
