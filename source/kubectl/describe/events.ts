// The events of an object, as the end of its page lists them.
import type {Event} from '../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {humanDuration, parseTime} from '../../api/meta/time.ts';
import {Failure} from '../failure.ts';
import {goSorted} from '../print/go-sort.ts';
import type {Describer, Surroundings} from './describer.ts';
import type {Lines} from './lines.ts';

/** The events about an object, from the server; a failure counts as none. */
export async function eventsOf(object: AnyObject, around: Surroundings): Promise<readonly Event[] | undefined> {
  if (!around.showEvents) return undefined;
  const {name, namespace, uid} = object.metadata;
  const fields = [
    `involvedObject.name=${name}`,
    ...(namespace ? [`involvedObject.namespace=${namespace}`] : []),
    `involvedObject.kind=${object.kind}`,
    `involvedObject.uid=${uid}`,
  ];
  return askEvents(around, namespace ?? '', fields.toSorted().join(','));
}

/** The events that match a field selector. */
export async function askEvents(
  {session}: Surroundings,
  namespace: string,
  fieldSelector: string,
): Promise<readonly Event[] | undefined> {
  const api = session.api();
  if (api instanceof Failure) return undefined;
  const path = namespace === '' ? '/api/v1/events' : `/api/v1/namespaces/${namespace}/events`;
  const list = await api.ask<{items?: readonly Event[]}>({method: 'GET', path, query: {fieldSelector, limit: '500'}});
  return list instanceof Failure ? undefined : (list.items ?? []);
}

/** Writes the events, oldest first. */
export function addEvents(lines: Lines, events: readonly Event[] | undefined, now: number): void {
  if (events === undefined) return;
  if (events.length === 0) {
    lines.add(0, 'Events:\t<none>');
    return;
  }
  lines.raw('Events:\n  Type\tReason\tAge\tFrom\tMessage\n  ----\t------\t----\t----\t-------\n');
  for (const event of inOrder(events)) {
    const source = event.source?.component || event.reportingComponent || '';
    lines.raw(
      `  ${event.type ?? ''}\t${event.reason ?? ''}\t${eventAge(event, now)}\t${source}\t${aboutPart(event)}${(event.message ?? '').trim()}\n`,
    );
  }
}

/** An event of a container says which one. */
function aboutPart({involvedObject}: Event): string {
  return involvedObject.fieldPath ? `${involvedObject.fieldPath}: ` : '';
}

function inOrder(events: readonly Event[]): readonly Event[] {
  const last = (event: Event) => parseTime(event.lastTimestamp) ?? 0;
  return goSorted(events, (a, b) => last(a) < last(b));
}

/** When an event came last, and how often since when. */
export function eventAge(event: Event, now: number): string {
  const first = since(event.firstTimestamp ?? event.eventTime, now);
  if (event.series) return `${since(event.series.lastObservedTime, now)} (x${event.series.count ?? 0} over ${first})`;
  if ((event.count ?? 0) > 1) return `${since(event.lastTimestamp, now)} (x${event.count} over ${first})`;
  return first;
}

function since(timestamp: string | null | undefined, now: number): string {
  const ms = parseTime(timestamp);
  return ms === undefined ? '<unknown>' : humanDuration(now - ms);
}

/** A describer whose page ends with the object's events. */
export function withEvents(write: (lines: Lines, object: AnyObject) => void, makeLines: () => Lines): Describer {
  return async (object, around) => {
    const lines = makeLines();
    write(lines, object);
    addEvents(lines, await eventsOf(object, around), around.session.now);
    return lines.text();
  };
}
