// The row of an Event.
import type {Event} from '../kinds/core-v1.ts';
import type {Event as NewEvent} from '../kinds/events-v1.ts';
import {type Cell, or, since} from './cells.ts';

/** An event of either group: they are one object under two names. */
export function eventRow(event: Event | NewEvent, nowMs: number): readonly Cell[] {
  const read =
    'regarding' in event || 'note' in event || 'deprecatedCount' in event
      ? readNewEvent(event as NewEvent)
      : readEvent(event as Event);
  const first = since(read.first ?? event.eventTime, nowMs);
  const last = event.series ? since(event.series.lastObservedTime, nowMs) : read.last ? since(read.last, nowMs) : first;
  const kind = read.about.kind?.toLowerCase() ?? '';
  return [
    last,
    event.type ?? '',
    event.reason ?? '',
    read.about.name ? `${kind}/${read.about.name}` : kind,
    read.about.fieldPath ?? '',
    [read.component, read.instance].filter(part => part !== '').join(', '),
    read.message.trim(),
    first,
    event.series ? (event.series.count ?? 0) : read.count || 1,
    event.metadata.name,
  ];
}

interface EventReading {
  readonly about: {readonly kind?: string; readonly name?: string; readonly fieldPath?: string};
  readonly message: string;
  readonly first: string | undefined;
  readonly last: string | undefined;
  readonly count: number;
  readonly component: string;
  readonly instance: string;
}

function readEvent(event: Event): EventReading {
  return {
    about: event.involvedObject ?? {},
    message: event.message ?? '',
    first: event.firstTimestamp,
    last: event.lastTimestamp,
    count: event.count ?? 0,
    component: or(event.source?.component, event.reportingComponent ?? ''),
    instance: or(event.source?.host, event.reportingInstance ?? ''),
  };
}

function readNewEvent(event: NewEvent): EventReading {
  return {
    about: event.regarding ?? {},
    message: event.note ?? '',
    first: event.deprecatedFirstTimestamp,
    last: event.deprecatedLastTimestamp,
    count: event.deprecatedCount ?? 0,
    component: or(event.deprecatedSource?.component, event.reportingController ?? ''),
    instance: or(event.deprecatedSource?.host, event.reportingInstance ?? ''),
  };
}
