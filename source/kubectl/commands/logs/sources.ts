// Which containers of a pod are meant.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {fail, Failure} from '../../failure.ts';
import {containersOf, defaultContainer} from '../../resources/pods.ts';
import type {Session} from '../../session.ts';

/** One container's log. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** The containers, and what is said about the choice. */
export function sourcesOf(
  session: Session,
  pod: Pod,
): {readonly sources: readonly LogSource[]; readonly notice: string} | Failure {
  const {flags, args} = session;
  const at = (container: string): LogSource => ({namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name, container});
  const all = containersOf(pod);
  if (flags.on('all-containers')) {
    const order = ['init', 'container', 'ephem'];
    return {sources: all.toSorted((a, b) => order.indexOf(a.sort) - order.indexOf(b.sort)).map(({name}) => at(name)), notice: ''};
  }
  const named = flags.text('container') || (args[1] ?? '');
  if (named === '') {
    const {name, notice} = defaultContainer(pod);
    return {sources: [at(name)], notice};
  }
  if (!all.some(({name}) => name === named)) return fail(`container ${named} is not valid for pod ${pod.metadata.name}`);
  return {sources: [at(named)], notice: ''};
}
