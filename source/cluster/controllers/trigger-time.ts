// When did what a Service's endpoints show change? Slices carry that time, so that one can measure how long a change took to
// reach the proxies. It is the earliest of the new readiness changes among the Service's pods; for a new Service, its creation.
import type {Pod, Service} from '../../api/kinds/core-v1.ts';
import {findCondition} from '../../api/meta/conditions.ts';

/** What was seen of a Service at the last look. */
export interface Seen {
  readonly service: string;
  /** The last readiness change of each pod, by name. */
  readonly pods: ReadonlyMap<string, string>;
}

/** The time of the change, if any, and what is seen now. Times are RFC 3339 in UTC, so text order is time order. */
export function triggerTime(
  before: Seen | undefined,
  service: Service,
  pods: readonly Pod[],
): {readonly time: string | undefined; readonly seen: Seen} {
  const changes = new Map<string, string>();
  let earliest: string | undefined;
  const consider = (time: string, known: string | undefined): void => {
    if (known !== undefined && time <= known) return;
    if (earliest === undefined || time < earliest) earliest = time;
  };
  for (const pod of pods) {
    const time = findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime;
    if (!time) continue;
    changes.set(pod.metadata.name, time);
    consider(time, before?.pods.get(pod.metadata.name));
  }
  const created = service.metadata.creationTimestamp;
  consider(created, before?.service);
  return {time: before ? earliest : created, seen: {service: created, pods: changes}};
}
