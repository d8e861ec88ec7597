// Kinds that are served in two versions and stored in one: Events (core v1 is stored, events.k8s.io/v1 is a view of it) and
// HorizontalPodAutoscalers (autoscaling/v2 is stored, v1 is a view). A view is made once per object.
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';
import {autoscalerToV1, autoscalerToV2} from './autoscaler-v1.ts';

/** Between a served version and the stored one. */
export interface Conversion {
  /** As the served version shows it. */
  read(stored: AnyObject): AnyObject;
  /** As it is stored. */
  write(object: AnyObject, old: AnyObject | undefined): AnyObject;
}

function remembering(read: (stored: AnyObject) => AnyObject): (stored: AnyObject) => AnyObject {
  const known = new WeakMap<AnyObject, AnyObject>();
  return stored => {
    const view = known.get(stored);
    if (view) return view;
    const made = deepFreeze(read(stored));
    known.set(stored, made);
    return made;
  };
}

const EVENT_FIELDS: readonly (readonly [core: string, own: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['count', 'deprecatedCount'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
];

/** Who told of it: core always shows these, its view only where they say something. */
const REPORTERS = ['reportingController', 'reportingInstance'];
const NO_REPORTER = {reportingComponent: '', reportingInstance: ''};

function withoutEmpty(object: AnyObject): AnyObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => value !== '' || !REPORTERS.includes(name)),
  ) as AnyObject;
}

function renamed(object: AnyObject, apiVersion: string, names: ReadonlyMap<string, string>): AnyObject {
  const fields = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return {...(Object.fromEntries(fields) as AnyObject), apiVersion};
}

const toOwnNames = new Map(EVENT_FIELDS.map(([core, own]) => [core, own]));
const toCoreNames = new Map(EVENT_FIELDS.map(([core, own]) => [own, core]));

const events: Conversion = {
  read: remembering(stored => withoutEmpty(renamed(stored, 'events.k8s.io/v1', toOwnNames))),
  write: object => deepFreeze({...NO_REPORTER, ...renamed(object, 'v1', toCoreNames)}),
};

/** The versions that are views, by `group/version/resource`. */
export const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1/events': events,
  'autoscaling/v1/horizontalpodautoscalers': {read: remembering(autoscalerToV1), write: autoscalerToV2},
};
