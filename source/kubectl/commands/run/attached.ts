// `kubectl run -i`: waits for the pod, joins its streams, and tells how it ended.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {isReady} from '../../../api/meta/pod.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {fail, Failure, failRaw} from '../../failure.ts';
import {defaultContainer} from '../../resources/pods.ts';
import type {Session} from '../../session.ts';
import type {Outcome} from '../command.ts';
import {deleteOne, deletionOf} from '../delete.ts';
import {printLog} from '../logs/stream.ts';
import {attachTo} from '../streams/attach-to.ts';
import {waitForEnd, type Ending} from '../wait/ending.ts';
import {waitForState} from '../wait/state.ts';

/** Joins the pod that was made, and waits for its end where that tells something. */
export async function runAttached(session: Session, made: Pod): Promise<Outcome> {
  const {flags} = session;
  const pod = await waitForPod(session, made, isUpOrDone);
  if (pod instanceof Failure) return pod;
  const container = defaultContainer(pod).name;
  const attached = isDone(pod)
    ? 'done'
    : await attachTo(session, pod, {container, stdin: flags.on('stdin'), tty: flags.on('tty')});
  if (attached instanceof Failure) {
    await session.err(
      `warning: couldn't attach to pod/${pod.metadata.name}, falling back to streaming logs: ${attached.message}\n`,
    );
  }
  if (attached === 'done' || attached instanceof Failure) {
    const unread = await printLog(session, {namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name, container}, {});
    if (unread) return unread;
  }
  if (flags.on('leave-stdin-open') || flags.text('restart') === 'Always') return undefined;
  const ended = await waitForPod(session, pod, isDone);
  return ended instanceof Failure ? ended : endOf(ended);
}

/** Watched for as long as `--pod-running-timeout` allows. */
async function waitForPod(session: Session, {metadata}: Pod, isMet: (pod: Pod) => boolean): Promise<Pod | Failure> {
  const until = session.process.kernel.clock.now + session.flags.duration('pod-running-timeout');
  const place = {kind: builtin('pods'), namespace: metadata.namespace ?? '', name: metadata.name};
  const pod = await waitForState(session, place, {
    isMet: object => isMet(object as unknown as Pod),
    until,
    late: 'timed out waiting for the condition',
  });
  return pod instanceof Failure ? pod : (pod as unknown as Pod);
}

function isDone({status}: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function isUpOrDone(pod: Pod): boolean {
  return isDone(pod) || (pod.status?.phase === 'Running' && isReady(pod));
}

/** The exit code of the pod's container is the command's own. */
function endOf({metadata, status}: Pod): Outcome {
  if (status?.phase === 'Succeeded') return undefined;
  const place = `pod ${metadata.namespace ?? ''}/${metadata.name}`;
  const terminated = status?.containerStatuses?.[0]?.state?.terminated;
  if (!terminated || terminated.exitCode === 0) return fail(`${place} failed with unknown exit code`);
  return failRaw(`${place} terminated (${terminated.reason ?? ''})\n${terminated.message ?? ''}`, terminated.exitCode);
}

/** `--rm`: what was made goes again. */
export async function removeMade(session: Session, made: readonly AnyObject[]): Promise<Failure | undefined> {
  const deletion = await deletionOf(session);
  if (deletion instanceof Failure) return deletion;
  const endings: Ending[] = [];
  for (const object of made) {
    const {name, namespace = ''} = object.metadata;
    const kind = builtin(object.kind === 'Service' ? 'services' : 'pods');
    const ending = await deleteOne(session, {kind, namespace, name, object, source: ''}, deletion);
    if (ending instanceof Failure) return ending;
    endings.push(ending);
  }
  return waitForEnd(session, endings, session.flags.duration('timeout'));
}
