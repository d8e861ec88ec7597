// `kubectl attach`: the streams of a container that runs already.
import {fail, Failure} from '../failure.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from './command.ts';
import {findPods} from './logs/targets.ts';
import {attachTo} from './streams/attach-to.ts';
import {podTimeoutProblem} from './streams/timeout.ts';

export const attach: Command = {
  path: 'kubectl attach',
  short: 'Join the streams of a running container',
  examples: ['kubectl attach web', 'kubectl attach web -c shell -it', 'kubectl attach deploy/web'],
  does: [...COMMON_FLAGS, 'container', 'pod-running-timeout', 'quiet', 'stdin', 'tty'],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length === 0) return fail('at least 1 argument is required for attach');
  if (args.length > 2)
    return fail(`expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(' ')}]`);
  const badTimeout = podTimeoutProblem(session);
  if (badTimeout) return badTimeout;
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const [first = '', second] = args;
  const pods = await findPods(session, second === undefined ? first : second.includes('/') ? second : `${first}/${second}`, {
    namespace,
    all: false,
    plainWords: true,
    forStreams: true,
  });
  if (pods instanceof Failure) return pods;
  const [pod] = pods;
  if (!pod) return fail(`pods ${JSON.stringify(first)} not found`);
  return attachTo(session, pod, {container: flags.text('container'), stdin: flags.on('stdin'), tty: flags.on('tty')});
}
