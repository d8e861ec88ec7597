// When pods that are ready count as available: some seconds later, where their owner wants to see them well for a while. Nothing
// happens to a pod at that moment, so whoever waits for it has to look again by himself.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {findCondition} from '../../api/meta/conditions.ts';
import {isReady} from '../../api/meta/pod.ts';
import {parseTime} from '../../api/meta/time.ts';

/** How long until the next of these pods becomes available; undefined when none is waiting for that. */
export function nextAvailableMs(minReadySeconds: number | undefined, pods: Iterable<Pod>, nowMs: number): number | undefined {
  if (!minReadySeconds) return undefined;
  let next: number | undefined;
  for (const pod of pods) {
    if (!isReady(pod)) continue;
    const since = parseTime(findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime);
    const left = (since ?? nowMs) + minReadySeconds * 1000 - nowMs;
    if (left > 0 && (next === undefined || left < next)) next = left;
  }
  return next;
}
