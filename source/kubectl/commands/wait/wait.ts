// `kubectl wait`: waits until objects are as they should be.
import {fail, Failure, gather} from '../../failure.ts';
import {missingResource} from '../../resources/arguments.ts';
import type {Found, Selected} from '../../resources/found.ts';
import {allOrNamed} from '../../resources/all-or-named.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {printResult} from '../result.ts';
import {LOCAL_FILES} from '../set/change.ts';
import {readCondition, type Condition} from './condition.ts';
import {waitForOne} from './ending.ts';
import {waitForState} from './state.ts';

export const wait: Command = {
  path: 'kubectl wait',
  short: 'Wait until objects are as they should be',
  examples: [
    'kubectl wait --for=condition=Ready pod/web --timeout=60s',
    'kubectl wait --for=delete pod/web',
    "kubectl wait --for=jsonpath='{.status.phase}'=Running pod/web",
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'all',
    'all-namespaces',
    'field-selector',
    'for',
    'local',
    'selector',
    'timeout',
  ],
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
  if (flags.on('local') && !session.hasFiles) return fail(LOCAL_FILES);
  if (args.length === 0 && !session.hasFiles) return missingResource();
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

/** The objects; for `create` looked for again until they are all there. */
async function findAll(session: Session, condition: Condition, until: number): Promise<Selected | Failure> {
  for (;;) {
    const selected = await select(session, allOrNamed(session, session.args));
    if (condition.type !== 'create' || selected instanceof Failure) return selected;
    const {found, failures, inFiles} = selected;
    // Several that are missing, or one of a file, are not waited for.
    const isMissing = failures.length === 1 && !inFiles ? failures[0]?.is('NotFound') : found.length + failures.length === 0;
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
  if (session.flags.on('local')) {
    const isMet = condition.isMet(object);
    if (isMet instanceof Failure) return isMet;
    if (isMet) return printResult(session, object, 'condition met');
  }
  const late = session.flags.duration('timeout') === 0 ? 'condition not met for' : 'timed out waiting for the condition on';
  const met = await waitForState(session, found, {
    isMet: condition.isMet,
    until,
    late: `${late} ${found.kind.resource}/${found.name}`,
  });
  return met instanceof Failure ? met : printResult(session, met, 'condition met');
}
