// From what is named to the pods behind it: a pod itself, or one of the pods that a workload or a service selects.
import type {Container, Pod} from '../../api/kinds/core-v1.ts';
import type {LabelSelector} from '../../api/kinds/meta.ts';
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {isReady} from '../../api/meta/pod.ts';
import {builtin} from '../../api/meta/resources.ts';
import {requirementsText, selectorRequirements} from '../../api/meta/selector.ts';
import {parseTime} from '../../api/meta/time.ts';
import {fail, Failure, prefixed} from '../failure.ts';
import type {Session} from '../session.ts';

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Lists the pods that a label selector chooses. */
export async function podsOf(session: Session, namespace: string, labelSelector: string): Promise<readonly Pod[] | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const list = await api.ask<{items?: readonly Pod[]}>({
    method: 'GET',
    path: pathOf(builtin('pods'), namespace),
    query: labelSelector === '' ? {} : {labelSelector},
  });
  if (!(list instanceof Failure)) return list.items ?? [];
  const words = `Unable to find "/v1, Resource=pods" that match label selector ${JSON.stringify(labelSelector)}, field selector ""`;
  return labelSelector !== '' && list.is('BadRequest') ? prefixed(list, words) : list;
}

const LOGS = 'cannot get the logs from';

/** The selector of a workload or a service in its text form; a Failure for what has no pods. */
export function podSelectorOf(object: AnyObject, words = LOGS): string | Failure {
  const spec = object.spec as {selector?: unknown} | undefined;
  const selector = spec?.selector;
  if (typeof selector !== 'object' || selector === null) {
    return object.kind === 'Service' || object.kind === 'ReplicationController'
      ? fail(
          `${words === LOGS ? '' : `${words} *${goType(object)}: `}invalid ${object.kind.toLowerCase()} '${object.metadata.name}': Service is defined without a selector`,
        )
      : fail(`${words} *${goType(object)}: selector for *${goType(object)} not implemented`);
  }
  if (object.kind === 'Service' || object.kind === 'ReplicationController') {
    return Object.entries(selector as Readonly<Record<string, string>>)
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
  }
  return requirementsText(selectorRequirements(selector as LabelSelector));
}

function goType(object: AnyObject): string {
  const version = object.apiVersion.split('/').at(-1);
  return `${version ?? ''}.${object.kind}`;
}

/** The pods in the order in which they are looked at for logs: those that run and are ready first, the longest ready before. */
export function bestFirst(pods: readonly Pod[]): readonly Pod[] {
  return pods.toSorted((a, b) => rankOf(a) - rankOf(b) || readySince(a) - readySince(b) || createdAt(a) - createdAt(b));
}

function rankOf(pod: Pod): number {
  const unassigned = pod.spec?.nodeName ? 0 : 8;
  const phase = pod.status?.phase === 'Pending' ? 4 : pod.status?.phase === 'Unknown' ? 2 : 0;
  return unassigned + phase + (isReady(pod) ? 0 : 1);
}

function readySince(pod: Pod): number {
  return parseTime(pod.status?.conditions?.find(condition => condition.type === 'Ready')?.lastTransitionTime) ?? 0;
}

function createdAt(pod: Pod): number {
  return parseTime(pod.metadata.creationTimestamp) ?? 0;
}

/** A container and of which sort it is. */
export interface NamedContainer {
  readonly name: string;
  readonly sort: 'container' | 'init' | 'ephem';
}

/** All containers of a pod, the plain ones first. */
export function containersOf(pod: Pod): readonly NamedContainer[] {
  const named = (containers: readonly {readonly name: string}[] | undefined, sort: NamedContainer['sort']) =>
    (containers ?? []).map(({name}) => ({name, sort}));
  return [
    ...named(pod.spec?.containers, 'container'),
    ...named(pod.spec?.initContainers, 'init'),
    ...named(pod.spec?.ephemeralContainers, 'ephem'),
  ];
}

/** The container that is meant when none is named, and what is said about the choice. */
export function defaultContainer(pod: Pod): {readonly name: string; readonly notice: string} {
  const marked = pod.metadata.annotations?.[DEFAULT_CONTAINER];
  const all = containersOf(pod);
  if (marked && all.some(({name}) => name === marked)) return {name: marked, notice: ''};
  const name = pod.spec?.containers[0]?.name ?? '';
  if (all.length < 2) return {name, notice: ''};
  const names = all.map(one => (one.sort === 'container' ? one.name : `${one.name} (${one.sort})`)).join(', ');
  return {name, notice: `Defaulted container ${JSON.stringify(name)} out of: ${names}\n`};
}

/** A plain container of a template by its name. */
export function findContainer(containers: readonly Container[], name: string): Container | undefined {
  return containers.find(container => container.name === name);
}
