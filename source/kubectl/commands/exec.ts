// `kubectl exec`: runs a command in a container. What it writes flows here, what is typed here flows there.
import type {Pod} from '../../api/kinds/core-v1.ts';
import {pathOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import {fail, Failure, failUsage} from '../failure.ts';
import {defaultContainer} from '../resources/pods.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {findPods} from './logs/targets.ts';
import {converse, notUpgraded, ttyOf} from './streams/converse.ts';
import {podTimeoutProblem} from './streams/timeout.ts';

export const exec: Command = {
  path: 'kubectl exec',
  short: 'Run a command in a container',
  examples: ['kubectl exec web -- date', 'kubectl exec -it web -c side -- sh', 'kubectl exec deploy/web -- env'],
  does: [...COMMON_FLAGS, 'container', 'filename', 'pod-running-timeout', 'quiet', 'stdin', 'tty'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const {argsBeforeDash} = flags;
  if (flags.has('filename')) return execInFile(session);
  if (args.length === 0 || argsBeforeDash === 0) return fail('pod, type/name or --filename must be specified');
  if (argsBeforeDash === undefined && args.length > 1)
    return failUsage('kubectl exec', 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
  return execIn(session, args[0] ?? '', args.slice(argsBeforeDash ?? 1));
}

async function execIn(session: Session, target: string, command: readonly string[]): Promise<Outcome> {
  const {flags} = session;
  if (command.length === 0) return fail('you must specify at least one command for the container');
  const badTimeout = podTimeoutProblem(session);
  if (badTimeout) return badTimeout;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const pods = await findPods(session, target, {namespace, all: false, plainWords: true, forStreams: true});
  if (pods instanceof Failure) return pods;
  const [pod] = pods;
  if (!pod) return fail(`pods ${JSON.stringify(target)} not found`);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed')
    return fail(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  const chosen = flags.text('container') === '' ? defaultContainer(pod) : {name: flags.text('container'), notice: ''};
  if (!flags.on('quiet')) await session.err(chosen.notice);
  const tty = await ttyOf(session, flags.on('tty'));
  const body = {command, container: chosen.name, stdin: flags.on('stdin'), stdout: true, stderr: !tty, tty};
  const api = session.api();
  if (api instanceof Failure) return api;
  const opened = await api.open<ChannelFrame>({
    method: 'POST',
    path: pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name, 'exec'),
    body,
  });
  return opened instanceof Failure ? notUpgraded(opened) : converse(session, opened, flags.on('stdin'));
}

/** A file must stand for one pod, or for one workload. */
async function execInFile(session: Session): Promise<Outcome> {
  const selected = await select(session, {files: session.files, typed: true});
  if (selected instanceof Failure) return selected;
  const [failure] = selected.failures;
  if (failure) return failure;
  const [found] = selected.found;
  if (!found || selected.found.length > 1) return fail('cannot exec into multiple objects at a time');
  const {object} = found;
  if (object?.kind === 'Pod' && ((object as unknown as Pod).spec?.containers ?? []).length === 0)
    return fail(`pod ${found.namespace}/${found.name} does not have any containers`);
  const {flags, args} = session;
  return execIn(
    session,
    `${found.kind.resource}/${found.name}`,
    flags.argsBeforeDash === 0 ? args : args.slice(flags.argsBeforeDash),
  );
}
