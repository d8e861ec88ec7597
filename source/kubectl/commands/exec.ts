// `kubectl exec`: runs a command in a container. What it writes flows here, what is typed here flows there.
import type {Status} from '../../api/kinds/meta.ts';
import {pathOf} from '../../api/meta/object.ts';
import {builtin} from '../../api/meta/resources.ts';
import type {ChannelFrame} from '../../api/wire/http.ts';
import {INTERRUPTED, type Process} from '../../sim/process/process.ts';
import {fail, Failure, failRaw, failUsage} from '../failure.ts';
import type {Opened} from '../request/api.ts';
import {defaultContainer} from '../resources/pods.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {findPods} from './logs/targets.ts';

export const exec: Command = {
  path: 'kubectl exec',
  short: 'Run a command in a container',
  examples: ['kubectl exec web -- date', 'kubectl exec -it web -c side -- sh', 'kubectl exec deploy/web -- env'],
  does: [...COMMON_FLAGS, 'container', 'pod-running-timeout', 'quiet', 'stdin', 'tty'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const {argsBeforeDash} = flags;
  if (args.length === 0 || argsBeforeDash === 0) return fail('pod, type/name or --filename must be specified');
  if (argsBeforeDash === undefined && args.length > 1)
    return failUsage('kubectl exec', 'exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead');
  const command = args.slice(1);
  if (command.length === 0) return fail('you must specify at least one command for the container');
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const pods = await findPods(session, args[0] ?? '', {namespace, all: false, plainWords: true});
  if (pods instanceof Failure) return pods;
  const [pod] = pods;
  if (!pod) return fail(`pods ${JSON.stringify(args[0])} not found`);
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed')
    return fail(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  const chosen = flags.text('container') === '' ? defaultContainer(pod) : {name: flags.text('container'), notice: ''};
  if (!flags.on('quiet')) await session.err(chosen.notice);
  const tty = await ttyOf(session);
  const body = {command, container: chosen.name, stdin: flags.on('stdin'), stdout: true, stderr: !tty, tty};
  const api = session.api();
  if (api instanceof Failure) return api;
  const opened = await api.open<ChannelFrame>({
    method: 'POST',
    path: pathOf(builtin('pods'), pod.metadata.namespace, pod.metadata.name, 'exec'),
    body,
  });
  return opened instanceof Failure ? opened : converse(session, opened);
}

/** A terminal is only asked for where there is one. */
async function ttyOf(session: Session): Promise<boolean> {
  if (!session.flags.on('tty')) return false;
  if (session.process.streams.get(0)?.isTerminal) return true;
  await session.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}

/** Carries the streams to and fro until the command has ended. */
export async function converse(session: Session, opened: Opened<ChannelFrame>): Promise<Outcome> {
  const typist = session.flags.on('stdin') ? startTypist(session, opened) : undefined;
  const outcome = await listen(session, opened);
  if (typist) session.process.kernel.signal(typist, 'KILL');
  opened.close();
  return outcome;
}

/** A process waits for one thing at a time, so a second one sends what is typed. */
function startTypist(session: Session, opened: Opened<ChannelFrame>): Process | undefined {
  const type = async (process: Process): Promise<number> => {
    for (;;) {
      const text = await process.read(0);
      if (text === INTERRUPTED) continue;
      opened.send({channel: 0, data: text});
      if (text === null) return 0;
    }
  };
  return session.process.spawn(type, {argv: session.process.argv});
}

async function listen(session: Session, opened: Opened<ChannelFrame>): Promise<Outcome> {
  for (;;) {
    const frame = await opened.next();
    if (frame === null) return opened.failure() ? fail('error reading from error stream: unexpected EOF') : undefined;
    if (frame === INTERRUPTED || frame === 'timeout') continue;
    if (frame.channel === 3) return outcomeOf(frame.data);
    if (typeof frame.data !== 'string') continue;
    await (frame.channel === 2 ? session.err(frame.data) : session.out(frame.data));
  }
}

/** What the closing Status says: success, the command's own exit code, or why it could not run. */
function outcomeOf(data: unknown): Outcome {
  const status = (data ?? {}) as Status;
  if (status.status === 'Success') return undefined;
  const code = status.details?.causes?.find(cause => cause.reason === 'ExitCode')?.message;
  if (status.reason === 'NonZeroExitCode' && code !== undefined)
    return failRaw(`command terminated with exit code ${code}\n`, Number(code));
  return fail(status.message ?? 'the command ended without a word');
}
