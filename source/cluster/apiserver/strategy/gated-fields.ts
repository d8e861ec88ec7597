// Fields of pods that stand in the schema, while what would heed them is switched off by default: the server drops them without a
// word, unless the object had such a field before. (Others of that kind are refused by validation, with a word.)
import type {Container, EphemeralContainer, PodSpec, Volume, VolumeProjection} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import type {Strategy} from './strategy.ts';

/** The spec of a pod without what is switched off. */
export function withoutGated(spec: PodSpec, old?: PodSpec): PodSpec {
  if (!hasGated(spec) || (old && hasGated(old))) return spec;
  const {workloadRef: _workload, ...rest} = spec;
  return Object.freeze({
    ...rest,
    containers: (spec.containers ?? []).map(withoutSignal),
    ...(spec.initContainers ? {initContainers: spec.initContainers.map(withoutSignal)} : {}),
    ...(spec.ephemeralContainers ? {ephemeralContainers: spec.ephemeralContainers.map(withoutSignal)} : {}),
    ...(spec.volumes ? {volumes: spec.volumes.map(withoutSources)} : {}),
  });
}

function hasGated({containers, initContainers, ephemeralContainers, volumes, workloadRef}: PodSpec): boolean {
  if (workloadRef !== undefined) return true;
  if (containers?.some(hasSignal) || initContainers?.some(hasSignal) || ephemeralContainers?.some(hasSignal)) return true;
  return volumes?.some(({projected}) => projected?.sources?.some(isGated)) === true;
}

function hasSignal({lifecycle}: Container | EphemeralContainer): boolean {
  return lifecycle?.stopSignal !== undefined;
}

function withoutSignal<C extends Container | EphemeralContainer>(container: C): C {
  if (!container.lifecycle || !hasSignal(container)) return container;
  const {stopSignal: _signal, ...lifecycle} = container.lifecycle;
  return {...container, lifecycle};
}

function isGated({clusterTrustBundle, podCertificate}: VolumeProjection): boolean {
  return clusterTrustBundle !== undefined || podCertificate !== undefined;
}

function withoutSources(volume: Volume): Volume {
  const {projected} = volume;
  if (!projected?.sources?.some(isGated)) return volume;
  const sources = projected.sources.map(({clusterTrustBundle: _bundle, podCertificate: _certificate, ...rest}) => rest);
  return {...volume, projected: {...projected, sources}};
}

interface Template {
  readonly spec?: PodSpec;
}

function goodTemplate<T extends Template>(template: T | undefined, old: Template | undefined): T | undefined {
  if (!template?.spec) return template;
  const spec = withoutGated(template.spec, old?.spec);
  return spec === template.spec ? template : {...template, spec};
}

interface Templated {
  readonly spec?: {readonly template?: Template; readonly jobTemplate?: {readonly spec?: {readonly template?: Template}}};
}

/** A workload whose template is without what is switched off. */
function withGoodTemplate(object: AnyObject, old?: AnyObject): AnyObject {
  const {spec} = object as Templated;
  const before = (old as Templated | undefined)?.spec;
  const template = goodTemplate(spec?.template, before?.template);
  const jobTemplate = spec?.jobTemplate;
  const ofJob = goodTemplate(jobTemplate?.spec?.template, before?.jobTemplate?.spec?.template);
  if (template !== spec?.template) return {...object, spec: {...spec, template}};
  if (ofJob === jobTemplate?.spec?.template) return object;
  return {...object, spec: {...spec, jobTemplate: {...jobTemplate, spec: {...jobTemplate?.spec, template: ofJob}}}};
}

/** The ways of a kind whose objects have a template. */
export function templated(strategy: Strategy): Strategy {
  const {create, update} = strategy;
  return {
    ...strategy,
    create(object, write) {
      const next = withGoodTemplate(object);
      return create ? create(next, write) : next;
    },
    update(object, old, write) {
      const next = withGoodTemplate(object, old);
      return update ? update(next, old, write) : next;
    },
  };
}
