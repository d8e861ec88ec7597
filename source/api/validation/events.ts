// Events: the older form asks for little; what comes through the newer group must be whole.
import type {Event} from '../kinds/core-v1.ts';
import type {FieldPath} from '../meta/field-error.ts';
import {invalid, required, root} from '../meta/field-error.ts';
import {checkQualifiedName} from '../meta/names.ts';
import {sameJson} from '../schema/merge/index.ts';
import {type Errors, sentences} from './rules.ts';

const MOST = 128;
const MOST_MESSAGE = 1024;

/** An Event as both groups take it. */
export function validateEvent(event: Event, errors: Errors): void {
  const namespace = event.involvedObject?.namespace ?? '';
  const own = event.metadata.namespace ?? '';
  const good = namespace === own || (namespace === '' && (own === 'default' || own === 'kube-system'));
  if (!good) errors.push(invalid(root('involvedObject', 'namespace'), namespace, 'does not match event.namespace'));
  if (!event.eventTime) return;
  const controller = root('reportingController');
  if (!event.reportingComponent) errors.push(required(controller));
  sentences(
    checkQualifiedName(event.reportingComponent ?? ''),
    {path: controller, value: event.reportingComponent ?? ''},
    errors,
  );
  short(event.reportingInstance, root('reportingInstance'), errors);
  short(event.action, root('action'), errors);
  short(event.reason, root('reason'), errors);
  if ((event.message?.length ?? 0) > MOST_MESSAGE)
    errors.push(invalid(root('message'), '', `can have at most ${MOST_MESSAGE} characters`));
}

function short(text: string | undefined, path: FieldPath, errors: Errors): void {
  if (!text) errors.push(required(path));
  else if (text.length > MOST) errors.push(invalid(path, '', `can have at most ${MOST} characters`));
}

/** What a new Event of `events.k8s.io` must heed besides: a time of its own, one of two types, nothing of the older form. */
export function validateNewStyleEvent(event: Event, errors: Errors): void {
  series(event, errors);
  if (!event.eventTime) errors.push(required(root('eventTime')));
  if (event.type !== 'Normal' && event.type !== 'Warning')
    errors.push(invalid(root('type'), '', `has invalid value: ${event.type ?? ''}`));
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[field]) errors.push(invalid(root(field), '', 'needs to be unset'));
  }
  if (event.source?.component || event.source?.host) errors.push(invalid(root('source'), '', 'needs to be unset'));
}

const SETTLED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
] as const;

/** Of an Event that was written through `events.k8s.io` nothing changes but how often it happened. */
export function validateNewStyleEventUpdate(event: Event, before: Event, errors: Errors): void {
  if (!sameJson(event.series ?? null, before.series ?? null)) series(event, errors);
  for (const field of SETTLED) settled(event[field], before[field], {path: root(field), errors});
  settled(event.reportingComponent ?? '', before.reportingComponent ?? '', {path: root('reportingController'), errors});
  settled(event.reportingInstance ?? '', before.reportingInstance ?? '', {path: root('reportingInstance'), errors});
}

function settled(now: unknown, before: unknown, at: {path: FieldPath; errors: Errors}): void {
  const empty = (value: unknown): unknown => value ?? null;
  if (!sameJson(empty(now), empty(before))) at.errors.push(invalid(at.path, empty(now), 'field is immutable'));
}

function series({series: one}: Event, errors: Errors): void {
  if (!one) return;
  if ((one.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
  if (!one.lastObservedTime) errors.push(required('series.lastObservedTime'));
}
