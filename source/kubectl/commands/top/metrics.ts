// What is used, as metrics.k8s.io tells it.
import {milliValue, unitValue} from '../../../api/meta/quantity.ts';
import {fail, Failure} from '../../failure.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {nameProblem} from '../../resources/names.ts';
import type {Session} from '../../session.ts';

export type Usage = Readonly<Record<string, string>>;

/** The usage of one node. */
export interface NodeMetrics {
  readonly metadata: {readonly name: string};
  readonly usage: Usage;
}

/** The usage of the containers of one pod. */
export interface PodMetrics {
  readonly metadata: {readonly name: string; readonly namespace: string};
  readonly containers: readonly {readonly name: string; readonly usage: Usage}[];
}

const ROOT = '/apis/metrics.k8s.io/v1beta1';

/** Asks for metrics: of one object, or a list of them. */
export async function askMetrics<T>(
  session: Session,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly T[] | Failure> {
  const kinds = await session.kinds();
  if (kinds instanceof Failure) return kinds;
  const isServed = (versions: typeof kinds.versions) => versions.some(({group}) => group === 'metrics.k8s.io');
  if (!isServed(kinds.versions)) {
    const fresh = await session.freshKinds();
    if (fresh instanceof Failure) return fresh;
    if (!isServed(fresh.versions)) return fail('Metrics API not available');
  }
  const api = session.api();
  if (api instanceof Failure) return api;
  const answer = await api.ask<{items?: readonly T[]}>({method: 'GET', path: `${ROOT}${path}`, query});
  if (answer instanceof Failure) return answer;
  return answer.items ?? [answer as unknown as T];
}

/** `250m`. */
export function cpuText(usage: string | undefined): string {
  return `${milliValue(usage)}m`;
}

/** `64Mi`. */
export function memoryText(usage: string | undefined): string {
  return `${Math.trunc(unitValue(usage) / (1024 * 1024))}Mi`;
}

/** The sum of all containers. */
export function sumOf(pod: PodMetrics): {readonly cpu: number; readonly memory: number} {
  let cpu = 0;
  let memory = 0;
  for (const {usage} of pod.containers) {
    cpu += milliValue(usage['cpu']);
    memory += unitValue(usage['memory']);
  }
  return {cpu, memory};
}

/** What is wrong with the name and the labels before anybody is asked. */
export function wantedProblem({flags, args}: Session): Failure | undefined {
  const labels = parseSelector(flags.text('selector'));
  if ('error' in labels) return fail(labels.error);
  return args[0] === undefined ? undefined : nameProblem(args[0]);
}
