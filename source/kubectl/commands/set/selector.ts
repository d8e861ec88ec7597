// `kubectl set selector`: makes a service choose other pods.
import type {AnyObject} from '../../../api/meta/object.ts';
import {parseSelector} from '../../../api/meta/selector-parser.ts';
import type {Requirement} from '../../../api/meta/selector.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import type {Command, Outcome} from '../command.ts';
import {dryRunOf, type DryRun} from '../dry-run.ts';
import {printResult, sendAndPrint} from '../result.ts';
import {SET_FLAGS, targetsOf} from './change.ts';

export const setSelector: Command = {
  path: 'kubectl set selector',
  short: 'Make a service choose other pods',
  examples: ['kubectl set selector svc web app=web,tier=front'],
  does: [...SET_FLAGS, 'resource-version'],
  run,
};

/** As match expressions name the operators. */
const EXPRESSIONS: Readonly<Partial<Record<Requirement['operator'], string>>> = {
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const text = args.at(-1);
  if (text === undefined) return fail('one selector is required');
  const parsed = parseSelector(text);
  if ('error' in parsed) return fail(parsed.error);
  if (/^[^=!<>() ]+!=/.test(text)) return fail('"!=" is not a valid label selector operator');
  const resources = args.slice(0, -1);
  if (resources.length === 1 && !resources[0]?.includes('/') && !flags.on('all'))
    return fail('resource(s) were provided, but no name was specified');
  const selected = await targetsOf(session, resources);
  if (selected instanceof Failure) return selected;
  return gather(await visitEach(selected, found => changeOne(session, found, {requirements: parsed.requirements, dryRun})));
}

async function changeOne(
  session: Session,
  found: Found,
  {requirements, dryRun}: {requirements: readonly Requirement[]; dryRun: DryRun},
): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  if (before.kind !== 'Service') return fail('setting a selector is only supported for Services');
  const other = requirements.find(({operator}) => operator !== '=');
  if (other)
    return fail(
      `match expression [{${other.key} ${EXPRESSIONS[other.operator] ?? ''} [${other.values.join(' ')}]}] not supported on this object`,
    );
  const selector = Object.fromEntries(requirements.map(({key, values}) => [key, values[0] ?? '']));
  const version = session.flags.text('resource-version');
  const metadata = version === '' ? before.metadata : {...before.metadata, resourceVersion: version};
  const after = {...before, metadata, spec: {...(before.spec as object), selector}} as AnyObject;
  if (session.flags.on('local')) return printResult(session, after, 'selector updated');
  return sendAndPrint(session, {found, before, after, type: 'strategic'}, {operation: 'selector updated', dryRun});
}
