// When did what a Service's endpoints show change? Slices carry that time, so that one can measure how long a change took to
// reach the proxies. It is the earliest of the new readiness changes among the Service's pods; for a new Service, its creation.
import type {Pod, Service} from '../../api/kinds/core-v1.ts';
import {findCondition} from '../../api/meta/conditions.ts';

interface Seen {
  service: string;
  /** The last readiness change of each pod, by name. */
  readonly pods: Map<string, string>;
}

/** Remembers, for each Service, what was seen at the last look. Times are RFC 3339 in UTC, so text order is time order. */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The time of what changed since the last look, if anything did. */
  look(key: string, service: Service, pods: readonly Pod[]): string | undefined {
    const created = service.metadata.creationTimestamp;
    const known = this.#seen.get(key);
    const seen = known ?? {service: created, pods: new Map<string, string>()};
    this.#seen.set(key, seen);
    let earliest = created > seen.service ? created : undefined;
    seen.service = created;
    let present = 0;
    for (const pod of pods) {
      const time = findCondition(pod.status?.conditions, 'Ready')?.lastTransitionTime;
      if (!time) continue;
      present++;
      const {name} = pod.metadata;
      const before = seen.pods.get(name);
      if (before === time) continue;
      seen.pods.set(name, time);
      const isNew = before === undefined || time > before;
      if (isNew && (earliest === undefined || time < earliest)) earliest = time;
    }
    if (seen.pods.size > present) forgetOthers(seen.pods, pods);
    return known ? earliest : created;
  }

  /** The Service is gone. */
  forget(key: string): void {
    this.#seen.delete(key);
  }
}

function forgetOthers(known: Map<string, string>, pods: readonly Pod[]): void {
  const names = new Set(pods.map(pod => pod.metadata.name));
  for (const name of known.keys()) if (!names.has(name)) known.delete(name);
}
