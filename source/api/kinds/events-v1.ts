// Made from the facts of v1.35 by test/facts/make-kinds.ts: do not edit.
import type * as coreV1 from './core-v1.ts';
import type * as meta from './meta.ts';

export interface Event {
  readonly action?: string;
  readonly apiVersion: string;
  readonly deprecatedCount?: number;
  readonly deprecatedFirstTimestamp?: meta.Time;
  readonly deprecatedLastTimestamp?: meta.Time;
  readonly deprecatedSource?: coreV1.EventSource;
  readonly eventTime: meta.MicroTime;
  readonly kind: string;
  readonly metadata: meta.ObjectMeta;
  readonly note?: string;
  readonly reason?: string;
  readonly regarding?: coreV1.ObjectReference;
  readonly related?: coreV1.ObjectReference;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
  readonly series?: EventSeries;
  readonly type?: string;
}
export interface EventList {
  readonly apiVersion: string;
  readonly items: readonly Event[];
  readonly kind: string;
  readonly metadata: meta.ListMeta;
}
export interface EventSeries {
  readonly count: number;
  readonly lastObservedTime: meta.MicroTime;
}
