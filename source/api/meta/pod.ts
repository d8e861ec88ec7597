// What one asks of a Pod again and again: whether it runs again, is ready, or done.
import type {Container, Pod} from '../kinds/core-v1.ts';
import {findCondition, isConditionTrue} from './conditions.ts';
import {parseTime} from './time.ts';

/** Will a container that ended with a code be run again? Its own rules and policy come before the pod's. */
export function runsAgain({spec}: Pod, {restartPolicy, restartPolicyRules = []}: Container, exitCode: number): boolean {
  const fits = restartPolicyRules.some(({action, exitCodes}) => {
    const listed = exitCodes?.values?.includes(exitCode) === true;
    return action === 'Restart' && exitCodes !== undefined && (exitCodes.operator === 'In' ? listed : !listed);
  });
  const policy = restartPolicy ?? spec.restartPolicy ?? 'Always';
  return fits || policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** An init container that keeps running beside the others. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** Has it ended, for good or ill? */
export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Has somebody asked for its end? */
export function isTerminating(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** Neither ended nor being ended: what controllers count as one of theirs. */
export function isActive(pod: Pod): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

/** Is its Ready condition True? */
export function isReady(pod: Pod): boolean {
  return isConditionTrue(pod.status?.conditions, 'Ready');
}

/** Has it been Ready for so many seconds? */
export function isAvailable(pod: Pod, minReadySeconds: number, nowMs: number): boolean {
  const ready = findCondition(pod.status?.conditions, 'Ready');
  if (ready?.status !== 'True') return false;
  if (minReadySeconds === 0) return true;
  const since = parseTime(ready.lastTransitionTime);
  return since !== undefined && since + minReadySeconds * 1000 <= nowMs;
}
