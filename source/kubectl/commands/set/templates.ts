// Where the containers of an object are: in a pod itself, or in the template of a workload.
import type {Container, PodSpec} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';

/** The path to the pod spec of each kind that has one. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  PodTemplate: ['template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/** The pod spec; undefined for kinds without one. */
export function podSpecOf(object: AnyObject): PodSpec | undefined {
  const path = PATHS[object.kind];
  if (!path) return undefined;
  let at: unknown = object;
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at as PodSpec | undefined;
}

/** The object with another pod spec. */
export function withPodSpec(object: AnyObject, spec: PodSpec): AnyObject {
  return replaceAt(object as unknown as Record<string, unknown>, PATHS[object.kind] ?? [], spec) as unknown as AnyObject;
}

function replaceAt(
  fields: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const [key, ...rest] = path;
  if (key === undefined) return fields;
  return {...fields, [key]: rest.length === 0 ? value : replaceAt((fields[key] ?? {}) as Record<string, unknown>, rest, value)};
}

/** The pod spec with its containers changed; init containers too where `withInit`. */
export function changeContainers(spec: PodSpec, change: (container: Container) => Container, withInit: boolean): PodSpec {
  return {
    ...spec,
    containers: spec.containers.map(change),
    ...(withInit && spec.initContainers ? {initContainers: spec.initContainers.map(change)} : {}),
  };
}

/** Does the name fit a pattern with `*`? */
export function fitsPattern(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map(part => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
