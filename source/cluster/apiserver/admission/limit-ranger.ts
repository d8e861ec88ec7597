// LimitRanger: defaults for containers that say nothing, and bounds for what containers, pods and claims ask for. What it put in is
// written down in an annotation.
import type {Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, PodSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Refused} from '../http/refused.ts';
import type {Attributes} from '../registry/write.ts';
import {checkItem, type Lists} from './limit-bounds.ts';
import type {Plugin} from './plugin.ts';
import {podLists} from '../../../api/meta/pod-resources.ts';
import {forbid, specOf, withSpec} from './pod-object.ts';
import {SpecMemory} from './remember.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';
const memory = new SpecMemory<PodSpec>();
const notes = new WeakMap<PodSpec, string>();

/** Fills in what pods do not say. */
export const limitRangerDefaults: Plugin = {
  name: 'LimitRanger',
  resources: ['pods'],
  operations: ['CREATE'],
  mutate(object, attributes) {
    const ranges = rangesOf(attributes);
    if (ranges.length === 0) return object;
    const spec = specOf(object);
    const versions = ranges.map(range => `${range.metadata.uid} ${range.metadata.resourceVersion}`).join(' ');
    const filled = memory.of(spec, versions, () => fill(spec, ranges));
    const next = withSpec(object, filled);
    const note = notes.get(filled);
    if (note === undefined) return next;
    return {...next, metadata: {...next.metadata, annotations: {...next.metadata.annotations, [ANNOTATION]: note}}};
  },
};

/** Refuses what is out of bounds. */
export const limitRangerBounds: Plugin = {
  name: 'LimitRanger',
  resources: ['pods', 'persistentvolumeclaims'],
  operations: ['CREATE', 'UPDATE'],
  validate(attributes) {
    const {object, operation, write} = attributes;
    if (!object) return undefined;
    const isPod = write.served.facts.resource === 'pods';
    if (isPod && operation === 'UPDATE') return undefined;
    const ranges = rangesOf(attributes);
    if (ranges.length === 0) return undefined;
    return refusal(
      attributes,
      object,
      ranges
        .flatMap(range => range.spec?.limits ?? [])
        .flatMap(item => (isPod ? checkPod(item, specOf(object)) : checkClaim(item, object))),
    );
  },
};

function rangesOf({write}: Attributes): readonly LimitRange[] {
  const {cache} = write.core.resources.of('limitranges');
  if (cache.size === 0) return [];
  const {namespace} = write.info;
  return cache.keys(namespace).map(key => cache.get(key) as LimitRange);
}

function refusal(attributes: Attributes, object: AnyObject, errors: readonly string[]): Refused | undefined {
  const [first] = errors;
  if (first === undefined) return undefined;
  return forbid(attributes, object, errors.length === 1 ? first : `[${errors.join(', ')}]`);
}

function checkPod(item: LimitRangeItem, spec: PodSpec): readonly string[] {
  if (item.type === 'Container')
    return [...spec.containers, ...(spec.initContainers ?? [])].flatMap(container => checkItem(item, listsOf(container)));
  return item.type === 'Pod' ? checkItem(item, podLists(spec)) : [];
}

function listsOf({resources}: Container): Lists {
  return {requests: resources?.requests ?? {}, limits: resources?.limits ?? {}};
}

/** A claim has requests alone. */
function checkClaim(item: LimitRangeItem, object: AnyObject): readonly string[] {
  if (item.type !== 'PersistentVolumeClaim') return [];
  const {requests = {}} = (object as unknown as PersistentVolumeClaim).spec?.resources ?? {};
  return checkItem(item, {requests, limits: undefined});
}

function fill(spec: PodSpec, ranges: readonly LimitRange[]): PodSpec {
  const told: string[] = [];
  let next = spec;
  for (const item of ranges.flatMap(range => range.spec?.limits ?? [])) {
    if (item.type !== 'Container') continue;
    const containers = next.containers.map(each => fillContainer(each, item, {kind: 'container', told}));
    const initContainers = next.initContainers?.map(each => fillContainer(each, item, {kind: 'init container', told}));
    next = {...next, containers, ...(initContainers ? {initContainers} : {})};
  }
  if (told.length === 0) return spec;
  notes.set(next, `LimitRanger plugin set: ${told.join('; ')}`);
  return next;
}

function fillContainer(container: Container, item: LimitRangeItem, context: {kind: string; told: string[]}): Container {
  const {requests = {}, limits = {}} = container.resources ?? {};
  const missing = (wanted: LimitRangeItem['default'], present: object): string[] =>
    Object.keys(wanted ?? {})
      .filter(name => !Object.hasOwn(present, name))
      .sort();
  const newRequests = missing(item.defaultRequest, requests);
  const newLimits = missing(item.default, limits);
  if (newRequests.length > 0) context.told.push(`${newRequests.join(', ')} request for ${context.kind} ${container.name}`);
  if (newLimits.length > 0) context.told.push(`${newLimits.join(', ')} limit for ${context.kind} ${container.name}`);
  if (newRequests.length === 0 && newLimits.length === 0) return container;
  const take = (names: readonly string[], from: LimitRangeItem['default']) =>
    Object.fromEntries(names.map(name => [name, from?.[name] ?? '0']));
  return {
    ...container,
    resources: {
      ...container.resources,
      ...(newLimits.length > 0 ? {limits: {...limits, ...take(newLimits, item.default)}} : {}),
      ...(newRequests.length > 0 ? {requests: {...requests, ...take(newRequests, item.defaultRequest)}} : {}),
    },
  };
}
