// What a server counts of its requests, for /metrics.
import type {RequestInfo} from './info.ts';

/** Upper bounds of the buckets in which durations are counted, in seconds. */
export const BUCKETS = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
] as const;

/** Names come from clients: who asks for ever new ones does not fill the memory. */
const MOST = 5000;

/** The requests of one kind. */
export interface Count {
  readonly info: RequestInfo;
  readonly code: number;
  requests: number;
  seconds: number;
  /** How many lasted no longer than each bound, but longer than the one before. */
  readonly buckets: number[];
}

/** The counts of a server. */
export class Counts {
  readonly #counts = new Map<string, Count>();
  /** Requests under way that change nothing, and those that may. */
  readonly inFlight = {readOnly: 0, mutating: 0};

  /** A request was answered. */
  add(info: RequestInfo, code: number, seconds: number): void {
    const key = `${info.verb} ${code} ${info.query['dryRun'] ?? ''} ${info.group}/${info.version}/${info.resource}/${info.subresource} ${scopeOf(info)}`;
    let count = this.#counts.get(key);
    if (!count && this.#counts.size >= MOST) return;
    if (!count) this.#counts.set(key, (count = {info, code, requests: 0, seconds: 0, buckets: BUCKETS.map(() => 0)}));
    count.requests++;
    count.seconds += seconds;
    const bucket = BUCKETS.findIndex(bound => seconds <= bound);
    if (bucket >= 0) count.buckets[bucket] = (count.buckets[bucket] ?? 0) + 1;
  }

  get all(): readonly Count[] {
    return [...this.#counts.values()];
  }
}

/** What a request is about: one object, a namespace, or all of the cluster. */
export function scopeOf({resource, name, namespace}: RequestInfo): string {
  if (resource === '') return '';
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
