// Kinds that are served in two versions and stored in one: Events (core v1 is stored, events.k8s.io/v1 is a view of it) and
// HorizontalPodAutoscalers (autoscaling/v2 is stored, v1 is a view). A view is made once per object.
//
// Not modelled: the annotations in which autoscaling/v1 keeps the metrics and behaviour that it has no fields for; an autoscaler
// read as v1 and written back loses them, unless it is changed by a patch of fields that v1 knows.
import {deepFreeze, type AnyObject} from '../../../api/meta/object.ts';

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

function renamed(object: AnyObject, apiVersion: string, names: ReadonlyMap<string, string>): AnyObject {
  const fields = Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return {...(Object.fromEntries(fields) as AnyObject), apiVersion};
}

const toOwnNames = new Map(EVENT_FIELDS.map(([core, own]) => [core, own]));
const toCoreNames = new Map(EVENT_FIELDS.map(([core, own]) => [own, core]));

const events: Conversion = {
  read: remembering(stored => renamed(stored, 'events.k8s.io/v1', toOwnNames)),
  write: object => deepFreeze(renamed(object, 'v1', toCoreNames)),
};

interface V2Spec {
  readonly metrics?: readonly {
    readonly type: string;
    readonly resource?: {readonly name: string; readonly target: {readonly averageUtilization?: number}};
  }[];
}

function isCpu(metric: NonNullable<V2Spec['metrics']>[number]): boolean {
  return metric.type === 'Resource' && metric.resource?.name === 'cpu' && metric.resource.target.averageUtilization !== undefined;
}

function hpaToV1(stored: AnyObject): AnyObject {
  const {metrics, behavior: _behavior, ...spec} = stored.spec as V2Spec & {readonly behavior?: unknown};
  const cpu = metrics?.find(isCpu)?.resource?.target.averageUtilization;
  const {currentMetrics: _metrics, conditions: _conditions, ...status} = (stored.status ?? {}) as Record<string, unknown>;
  return {
    ...stored,
    apiVersion: 'autoscaling/v1',
    spec: {...spec, ...(cpu === undefined ? {} : {targetCPUUtilizationPercentage: cpu})},
    ...(stored.status ? {status} : {}),
  };
}

function hpaToV2(object: AnyObject, old: AnyObject | undefined): AnyObject {
  const {targetCPUUtilizationPercentage: cpu, ...spec} = object.spec as {readonly targetCPUUtilizationPercentage?: number};
  const before = old?.spec as (V2Spec & {readonly behavior?: unknown}) | undefined;
  const others = before?.metrics?.filter(metric => !isCpu(metric)) ?? [];
  const own =
    cpu === undefined
      ? []
      : [{type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: cpu}}}];
  const metrics = [...own, ...others];
  return deepFreeze({
    ...object,
    apiVersion: 'autoscaling/v2',
    spec: {
      ...spec,
      ...(metrics.length > 0 ? {metrics} : {}),
      ...(before?.behavior === undefined ? {} : {behavior: before.behavior}),
    },
    ...(old?.status === undefined ? {} : {status: {...old.status, ...(object.status as object | undefined)}}),
  });
}

/** The versions that are views, by `group/version/resource`. */
export const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  'events.k8s.io/v1/events': events,
  'autoscaling/v1/horizontalpodautoscalers': {read: remembering(hpaToV1), write: hpaToV2},
};
