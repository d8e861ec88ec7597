// `kubectl logs`: what containers wrote.
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {parseTime} from '../../../api/meta/time.ts';
import {fail, Failure, failUsage, gather} from '../../failure.ts';
import {podsOf} from '../../resources/pods.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {podTimeoutProblem} from '../streams/timeout.ts';
import {sourcesOf, type LogSource} from './sources.ts';
import {followAll, printLog} from './stream.ts';
import {findPods} from './targets.ts';

const USAGE = `expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.
POD or TYPE/NAME is a required argument for the logs command`;

/** Lines shown of each pod when a selector chooses them. */
const SELECTED_TAIL = 10;

export const logs: Command = {
  path: 'kubectl logs',
  short: 'Print what a container wrote',
  examples: [
    'kubectl logs web',
    'kubectl logs web -c side --tail=20',
    'kubectl logs -f deploy/web',
    'kubectl logs web --previous',
    'kubectl logs -l app=web --prefix',
  ],
  does: [
    ...COMMON_FLAGS,
    'all-containers',
    'all-pods',
    'container',
    'follow',
    'ignore-errors',
    'insecure-skip-tls-verify-backend',
    'limit-bytes',
    'max-log-requests',
    'pod-running-timeout',
    'prefix',
    'previous',
    'selector',
    'since',
    'since-time',
    'tail',
    'timestamps',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const problem = problemOf(session);
  if (problem) return problem;
  const pods = await chosenPods(session);
  if (pods instanceof Failure) return pods;
  if (pods.length === 0) return noPods(session);
  const sources: LogSource[] = [];
  for (const pod of pods) {
    const found = sourcesOf(session, pod);
    if (found instanceof Failure) return found;
    if (!session.flags.on('all-pods')) await session.err(found.notice);
    sources.push(...found.sources);
  }
  const query = queryOf(session);
  if (session.flags.on('follow') && sources.length > 1) {
    const limit = session.flags.number('max-log-requests');
    if (sources.length > limit) {
      return fail(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${limit}, use --max-log-requests to increase the limit`,
      );
    }
    return followAll(session, sources, query);
  }
  const failures: Failure[] = [];
  for (const source of sources) {
    const failure = await printLog(session, source, query);
    if (!failure) continue;
    if (!session.flags.on('ignore-errors')) return failure;
    await session.err(`error: ${failure.message}\n`);
  }
  return gather(failures);
}

function problemOf(session: Session): Failure | undefined {
  const {flags, args} = session;
  const hasSelector = flags.text('selector') !== '';
  if (args.length === 0 && !hasSelector) return failUsage('kubectl logs', USAGE);
  if (args.length > 2) return failUsage('kubectl logs', USAGE);
  if (hasSelector && args.length > 0) return failUsage('kubectl logs', 'only a selector (-l) or a POD name is allowed');
  if (args.length === 2 && flags.has('container'))
    return failUsage('kubectl logs', 'only one of -c or an inline [CONTAINER] arg is allowed');
  if (flags.has('since') && flags.has('since-time')) return fail('at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (flags.has('since-time') && parseTime(flags.text('since-time')) === undefined) {
    const text = flags.text('since-time');
    return fail(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(text)} as "2006"`,
    );
  }
  if (flags.number('tail') < -1) return fail('--tail must be greater than or equal to -1');
  const badTimeout = podTimeoutProblem({flags});
  if (badTimeout) return fail(badTimeout.message.split('\n')[0] ?? '');
  if (flags.number('limit-bytes') < 0) return fail('--limit-bytes must be greater than 0');
  if (flags.on('all-containers') && flags.has('container'))
    return fail('--all-containers=true should not be specified with container name ' + flags.text('container'));
  return flags.duration('since') < 0 ? fail('--since must be greater than 0') : undefined;
}

async function chosenPods(session: Session): Promise<readonly Pod[] | Failure> {
  const namespace = session.namespace();
  if (namespace instanceof Failure) return namespace;
  const selector = session.flags.text('selector');
  return selector === ''
    ? findPods(session, session.args[0] ?? '', {namespace, all: session.flags.on('all-pods')})
    : podsOf(session, namespace, selector);
}

async function noPods(session: Session): Promise<undefined> {
  const namespace = session.namespace();
  await session.err(`No resources found in ${namespace instanceof Failure ? 'default' : namespace} namespace.\n`);
  return undefined;
}

function queryOf({flags}: Session): Record<string, string> {
  const query: Record<string, string> = {};
  const tail = flags.has('tail') || flags.text('selector') === '' ? flags.number('tail') : SELECTED_TAIL;
  if (flags.on('follow')) query['follow'] = 'true';
  if (flags.on('previous')) query['previous'] = 'true';
  if (flags.on('timestamps')) query['timestamps'] = 'true';
  if (tail >= 0) query['tailLines'] = String(tail);
  if (flags.duration('since') > 0) query['sinceSeconds'] = String(Math.ceil(flags.duration('since') / 1000));
  if (flags.has('since-time')) query['sinceTime'] = flags.text('since-time');
  if (flags.number('limit-bytes') > 0) query['limitBytes'] = String(flags.number('limit-bytes'));
  if (flags.on('insecure-skip-tls-verify-backend')) query['insecureSkipTLSVerifyBackend'] = 'true';
  return query;
}
