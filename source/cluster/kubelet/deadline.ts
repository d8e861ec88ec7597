// `activeDeadlineSeconds`: how long a pod may take, all in all.
import type {Pod} from '../../api/kinds/core-v1.ts';
import type {PodFailure} from './knowledge.ts';

export const TOO_LATE: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** Milliseconds that are left; Infinity for a pod without a deadline. */
export function deadlineIn({spec}: Pod, startTime: string, now: number): number {
  const {activeDeadlineSeconds: seconds} = spec;
  return seconds === undefined ? Infinity : Math.max(0, Date.parse(startTime) + seconds * 1000 - now);
}
