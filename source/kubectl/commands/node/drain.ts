// `kubectl drain`: cordons a node and asks every pod on it to leave, through the eviction API, which keeps to disruption budgets.
import {pathOf} from '../../../api/meta/object.ts';
import {builtin} from '../../../api/meta/resources.ts';
import {formatGoDuration, parseTime} from '../../../api/meta/time.ts';
import type {Pod} from '../../../api/kinds/core-v1.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import {fail, Failure, failRaw, failUsage} from '../../failure.ts';
import type {Found} from '../../resources/found.ts';
import type {Api} from '../../request/api.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, type DryRun} from '../dry-run.ts';
import {cordonOne, nodesOf} from './cordon.ts';
import {judgePods} from './leaving.ts';

export const drain: Command = {
  path: 'kubectl drain',
  short: 'Empty a node of its pods, before work on it',
  examples: [
    'kubectl drain node-1 --ignore-daemonsets',
    'kubectl drain node-1 --ignore-daemonsets --delete-emptydir-data --force',
  ],
  does: [
    ...COMMON_FLAGS,
    'chunk-size',
    'delete-emptydir-data',
    'disable-eviction',
    'dry-run',
    'force',
    'grace-period',
    'ignore-daemonsets',
    'pod-selector',
    'selector',
    'skip-wait-for-delete-timeout',
    'timeout',
  ],
  run,
};

/** How long to wait before a pod that a budget protects is asked again, and how often is looked whether one has gone. */
const RETRY_MS = 5000;
const LOOK_MS = 1000;

async function run(session: Session): Promise<Outcome> {
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  if (session.args.length === 0 && !session.flags.has('selector')) return failUsage('kubectl drain', 'USAGE: drain NODE [flags]');
  if ('error' in parseSelector(session.flags.text('pod-selector')))
    return fail('--pod-selector=<pod_selector> must be a valid label selector');
  const nodes = await nodesOf(session, 'drain');
  if (nodes instanceof Failure) return nodes;
  for (const node of nodes) await cordonOne(session, node, {wanted: true, dryRun});
  const problems: string[] = [];
  let left = nodes;
  for (const node of nodes) {
    const failure = await drainOne(session, node, dryRun);
    if (failure.length === 0) {
      left = left.filter(one => one !== node);
      await session.out(`node/${node.name} ${dryRunWords('drained', dryRun)}\n`);
      continue;
    }
    const words = failure.length === 1 ? failure[0] : `[${failure.join(', ')}]`;
    await session.err(`error: unable to drain node ${JSON.stringify(node.name)} due to error: ${words}, continuing command...\n`);
    await session.err(`There are pending nodes to be drained:\n${left.map(({name}) => ` ${name}\n`).join('')}`);
    problems.push(...failure);
  }
  return problems.length > 0 ? failRaw(`${[...new Set(problems)].join('\n')}\n`) : undefined;
}

/** What went wrong; nothing when the node is empty. */
async function drainOne(session: Session, node: Found, dryRun: DryRun): Promise<readonly string[]> {
  const api = session.api();
  if (api instanceof Failure) return [api.message];
  const pods = await podsOn(session, api, node);
  if (pods instanceof Failure) return [pods.message];
  const {leaving, warnings, errors} = await judgePods(session, pods);
  if (errors.length > 0) return errors;
  if (warnings.length > 0) await session.err(`Warning: ${warnings.join('; ')}\n`);
  if (dryRun !== 'none') {
    for (const pod of leaving) {
      await session.out(`${dryRunWords(`evicting pod ${placeOf(pod)}`, dryRun)}\n`);
      if (dryRun === 'server') await sendAway(session, pod, dryRun);
    }
    return [];
  }
  const failures = await evictAll(session, leaving);
  if (failures.length > 0) await tellPending(session, node, {leaving, failures});
  return failures;
}

async function podsOn(session: Session, api: Api, node: Found): Promise<readonly Pod[] | Failure> {
  const query: Record<string, string> = {fieldSelector: `spec.nodeName=${node.name}`, limit: session.flags.text('chunk-size')};
  if (session.flags.text('pod-selector') !== '') query['labelSelector'] = session.flags.text('pod-selector');
  const pods: Pod[] = [];
  let token: string | undefined;
  do {
    const list = await api.ask<{items?: readonly Pod[]; metadata?: {continue?: string}}>({
      method: 'GET',
      path: '/api/v1/pods',
      query: token ? {...query, continue: token} : query,
    });
    if (list instanceof Failure) return list;
    pods.push(...(list.items ?? []));
    token = list.metadata?.continue;
  } while (token);
  return pods;
}

function verbOf({flags}: Session): string {
  return flags.on('disable-eviction') ? 'deleting' : 'evicting';
}

function placeOf({metadata}: Pod): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

async function tellPending(
  session: Session,
  node: Found,
  {leaving, failures}: {leaving: readonly Pod[]; failures: readonly string[]},
): Promise<void> {
  const words = failures.length === 1 ? failures[0] : `[${failures.join(', ')}]`;
  const pending: string[] = [];
  for (const pod of leaving) if (!(await isGone(session, pod))) pending.push(`pod/${pod.metadata.name}\n`);
  await session.err(
    `There are pending pods in node ${JSON.stringify(node.name)} when an error occurred: ${words}\n${pending.join('')}`,
  );
}

/** A pod on its way: asked to leave at `askAt`, or, once it was let go, looked for. */
interface Leaving {
  readonly pod: Pod;
  askAt: number;
  isLetGo: boolean;
}

async function evictAll(session: Session, pods: readonly Pod[]): Promise<readonly string[]> {
  const {clock} = session.process.kernel;
  const timeoutMs = session.flags.duration('timeout');
  const until = timeoutMs > 0 ? clock.now + timeoutMs : Infinity;
  const failures: string[] = [];
  let going: Leaving[] = pods.map(pod => ({pod, askAt: clock.now, isLetGo: false}));
  while (going.length > 0) {
    const stay: Leaving[] = [];
    for (const one of going) {
      const over = one.isLetGo ? await hasGone(session, one) : await askToLeave(session, one);
      if (typeof over === 'string') failures.push(over);
      else if (!over) stay.push(one);
    }
    going = stay;
    if (going.length === 0) break;
    if (clock.now >= until) return [...failures, ...going.map(one => lateText(one.pod, one.isLetGo, timeoutMs))];
    await session.process.sleep(Math.min(LOOK_MS, until - clock.now));
  }
  return failures;
}

function lateText({metadata}: Pod, isLetGo: boolean, timeoutMs: number): string {
  const words = isLetGo ? 'error when waiting for pod' : 'error when evicting pods/';
  const name = isLetGo
    ? ` ${JSON.stringify(metadata.name)} in namespace ${JSON.stringify(metadata.namespace)} to terminate`
    : `${JSON.stringify(metadata.name)} -n ${JSON.stringify(metadata.namespace)}`;
  return `${words}${name}: global timeout reached: ${formatGoDuration(timeoutMs)}`;
}

/** True when there is nothing to wait for, a sentence when it failed for good. */
async function askToLeave(session: Session, one: Leaving): Promise<boolean | string> {
  const {clock} = session.process.kernel;
  if (clock.now < one.askAt) return false;
  const {pod} = one;
  const {name, namespace = ''} = pod.metadata;
  await session.out(`${verbOf(session)} pod ${placeOf(pod)}\n`);
  const answer = await sendAway(session, pod);
  if (!(answer instanceof Failure)) {
    one.isLetGo = true;
    return hasGone(session, one);
  }
  if (answer.is('NotFound')) return true;
  const place = `pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)}`;
  if (!answer.is('TooManyRequests')) return `error when evicting ${place}: ${answer.message}`;
  await session.err(`error when evicting ${place} (will retry after 5s): ${answer.message}\n`);
  one.askAt = clock.now + RETRY_MS;
  return false;
}

async function sendAway(session: Session, {metadata}: Pod, dryRun: DryRun = 'none'): Promise<unknown> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const grace = session.flags.number('grace-period');
  const deleteOptions = {...(grace >= 0 ? {gracePeriodSeconds: grace} : {}), ...(dryRun === 'server' ? {dryRun: ['All']} : {})};
  const {name, namespace = ''} = metadata;
  const pods = builtin('pods');
  if (session.flags.on('disable-eviction'))
    return api.ask({method: 'DELETE', path: pathOf(pods, namespace, name), body: deleteOptions});
  const body = {apiVersion: 'policy/v1', kind: 'Eviction', metadata: {name, namespace}, deleteOptions};
  return api.ask({method: 'POST', path: pathOf(pods, namespace, name, 'eviction'), body});
}

async function hasGone(session: Session, {pod}: Leaving): Promise<boolean> {
  if (!(await isGone(session, pod))) return false;
  await session.out(`pod/${pod.metadata.name} ${session.flags.on('disable-eviction') ? 'deleted' : 'evicted'}\n`);
  return true;
}

async function isGone(session: Session, {metadata}: Pod): Promise<boolean> {
  const api = session.api();
  if (api instanceof Failure) return false;
  const there = await api.ask<Pod>({method: 'GET', path: pathOf(builtin('pods'), metadata.namespace ?? '', metadata.name)});
  if (there instanceof Failure) return there.is('NotFound');
  if (there.metadata.uid !== metadata.uid) return true;
  const skipSeconds = session.flags.number('skip-wait-for-delete-timeout');
  const deleted = there.metadata.deletionTimestamp;
  return skipSeconds > 0 && deleted !== undefined && (session.now - (parseTime(deleted) ?? 0)) / 1000 > skipSeconds;
}
