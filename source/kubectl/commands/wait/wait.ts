// `kubectl wait`: waits until objects are as they should be.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import type {WatchEvent} from '../../../api/wire/http.ts';
import {INTERRUPTED} from '../../../sim/process/process.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {missingResource} from '../../resources/arguments.ts';
import type {Found, Selected} from '../../resources/found.ts';
import {select, type SelectOptions} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {printResult} from '../result.ts';
import {readCondition, type Condition} from './condition.ts';
import {waitForOne} from './ending.ts';

export const wait: Command = {
  path: 'kubectl wait',
  short: 'Wait until objects are as they should be',
  examples: [
    'kubectl wait --for=condition=Ready pod/web --timeout=60s',
    'kubectl wait --for=delete pod/web',
    "kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web",
  ],
  does: [...COMMON_FLAGS, ...FILE_FLAGS, ...PRINT_FLAGS, 'all', 'all-namespaces', 'field-selector', 'for', 'selector', 'timeout'],
  run,
};

/** As long as anybody would wait: a week. */
const FOREVER_MS = 168 * 60 * 60 * 1000;
/** How often is looked for what is to be created. */
const LOOK_MS = 1000;

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const condition = readCondition(flags.text('for'));
  if (condition instanceof Failure) return condition;
  if (args.length === 0 && !flags.has('filename')) return missingResource();
  const timeoutMs = flags.duration('timeout');
  const until = session.process.kernel.clock.now + (timeoutMs < 0 ? FOREVER_MS : timeoutMs);
  const selected = await findAll(session, condition, until);
  if (selected instanceof Failure) return selected;
  const {found, failures} = condition.type === 'delete' ? withoutMissing(selected) : selected;
  if (found.length === 0 && failures.length === 0)
    return condition.type === 'delete' ? undefined : fail('no matching resources found');
  const problems = [...failures];
  for (const one of found) {
    const failure = await waitFor(session, one, {condition, until});
    if (failure) problems.push(failure);
  }
  return gather(problems);
}

function withoutMissing({found, failures}: Selected): Pick<Selected, 'found' | 'failures'> {
  return {found, failures: failures.filter(failure => !failure.is('NotFound'))};
}

function selectionOf({flags, args}: Session): SelectOptions {
  return {
    args,
    kindAlone: flags.on('all'),
    allNamespaces: flags.on('all-namespaces'),
    labels: flags.text('selector') || undefined,
    fields: flags.text('field-selector') || undefined,
    files: flags.list('filename'),
    recursive: flags.on('recursive'),
    latest: true,
  };
}

/** The objects; for `create` looked for again until they are all there. */
async function findAll(session: Session, condition: Condition, until: number): Promise<Selected | Failure> {
  for (;;) {
    const selected = await select(session, selectionOf(session));
    if (condition.type !== 'create' || selected instanceof Failure) return selected;
    const isMissing =
      selected.failures.some(failure => failure.is('NotFound')) ||
      (selected.found.length === 0 && selected.failures.length === 0);
    if (!isMissing) return selected;
    if (session.process.kernel.clock.now >= until) return fail('timed out waiting for the condition');
    await session.process.sleep(LOOK_MS);
  }
}

interface Work {
  readonly condition: Condition;
  readonly until: number;
}

async function waitFor(session: Session, found: Found, {condition, until}: Work): Promise<Failure | undefined> {
  const {object} = found;
  if (!object) return undefined;
  if (condition.type === 'create') return printResult(session, object, 'condition met');
  if (condition.type === 'delete') {
    const failure = await waitForOne(session, {...found, uid: object.metadata.uid}, until);
    return failure ?? printResult(session, object, 'condition met');
  }
  const met = await waitForState(session, found, {isMet: condition.isMet, until});
  return met instanceof Failure ? met : printResult(session, met, 'condition met');
}

async function waitForState(
  session: Session,
  found: Found,
  {isMet, until}: {isMet: (object: AnyObject) => boolean | Failure; until: number},
): Promise<AnyObject | Failure> {
  const {kind, namespace, name} = found;
  const {clock} = session.process.kernel;
  const api = session.api();
  if (api instanceof Failure) return api;
  const late = () =>
    fail(
      session.flags.duration('timeout') === 0
        ? `condition not met for ${kind.resource}/${name}`
        : `timed out waiting for the condition on ${kind.resource}/${name}`,
    );
  const query = {fieldSelector: `metadata.name=${name}`};
  for (;;) {
    const list = await api.ask<{items?: readonly AnyObject[]; metadata?: {resourceVersion?: string}}>({
      method: 'GET',
      path: pathOf(kind, namespace),
      query,
    });
    if (list instanceof Failure) return list;
    const [there] = list.items ?? [];
    const object = there && {...there, apiVersion: found.object?.apiVersion ?? '', kind: kind.kind};
    const met = object ? isMet(object) : false;
    if (met instanceof Failure) return met;
    if (met && object) return object;
    if (clock.now >= until) return late();
    const watch = await api.open<WatchEvent<AnyObject>>({
      method: 'GET',
      path: pathOf(kind, namespace),
      query: {...query, watch: 'true', resourceVersion: list.metadata?.resourceVersion ?? '0'},
    });
    if (watch instanceof Failure) return watch;
    for (;;) {
      const event = await watch.next(Math.max(0, until - clock.now));
      if (event === INTERRUPTED) continue;
      if (event === 'timeout') return late();
      if (event === null || event.type === 'ERROR') break;
      if (event.type === 'DELETED' || event.type === 'BOOKMARK') continue;
      const isNow = isMet(event.object);
      if (isNow === false) continue;
      watch.close();
      return isNow === true ? event.object : isNow;
    }
    await session.process.sleep(100);
  }
}
