// Joins the streams of a container as soon as it runs; of one that has ended its log is shown instead.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {fail, Failure} from '../../failure.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {printLog} from '../logs/stream.ts';
import {attachTo} from '../streams/attach-to.ts';
import {waitForState} from '../wait/state.ts';

/** Waits for the container, and talks to it. */
export async function awaitContainer(session: Session, made: Pod, container: string): Promise<Outcome> {
  const {flags} = session;
  const {name, namespace = ''} = made.metadata;
  const state = (pod: Pod) => {
    const {containerStatuses = [], ephemeralContainerStatuses = [], initContainerStatuses = []} = pod.status ?? {};
    return [...containerStatuses, ...ephemeralContainerStatuses, ...initContainerStatuses].find(one => one.name === container)
      ?.state;
  };
  const place = {kind: builtin('pods'), namespace, name};
  const found = await waitForState(session, place, {
    isMet: object => {
      const now = state(object as unknown as Pod);
      return now?.running !== undefined || now?.terminated !== undefined;
    },
    until: Infinity,
    late: 'timed out waiting for the condition',
  });
  if (found instanceof Failure) return found;
  const pod = found as unknown as Pod;
  const ended = state(pod)?.terminated;
  if (!ended) return attachTo(session, pod, {container, stdin: flags.on('stdin'), tty: flags.on('tty')});
  await session.err(`warning: container ${container} has ended already: its log follows\n`);
  const unread = await printLog(session, {namespace, pod: name, container}, {});
  return unread ?? (ended.exitCode === 0 ? undefined : fail(`container ${container} ended with exit code ${ended.exitCode}`));
}
