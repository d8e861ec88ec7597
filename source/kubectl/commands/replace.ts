// `kubectl replace`: puts the objects of files in the place of those that are there.
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {fail, Failure, gather, prefixed} from '../failure.ts';
import {type Found, visitEach} from '../resources/found.ts';
import {nameProblem} from '../resources/names.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {withLastApplied} from './apply/last-applied.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {asNew} from './create/create.ts';
import {rawBody} from './create/raw.ts';
import {deleteOne, deletionOf} from './delete.ts';
import {dryRunOf, dryRunWords, validationOf, writeQuery, type DryRun} from './dry-run.ts';
import {sendRaw} from './raw.ts';
import {printResult} from './result.ts';
import {waitForEnd, type Ending} from './wait/ending.ts';

export const replace: Command = {
  path: 'kubectl replace',
  short: 'Put objects of files in the place of those that are there',
  examples: ['kubectl replace -f web.yaml', 'kubectl replace --force -f web.yaml'],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'cascade',
    'dry-run',
    'field-manager',
    'force',
    'grace-period',
    'raw',
    'save-config',
    'subresource',
    'timeout',
    'validate',
    'wait',
  ],
  run,
};

interface Work {
  readonly dryRun: DryRun;
  readonly validation: string;
}

async function run(session: Session): Promise<Outcome> {
  const {flags} = session;
  if (flags.text('raw') !== '') {
    const body = await rawBody(session);
    return body instanceof Failure ? body : sendRaw(session, 'PUT', body);
  }
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const validation = validationOf(session);
  if (validation instanceof Failure) return validation;
  if (!session.hasFiles) return fail('must specify one of -f and -k');
  if (flags.number('grace-period') >= 0 && !flags.on('force')) return fail('--grace-period must have --force specified');
  if (flags.duration('timeout') !== 0 && !flags.on('force')) return fail('--timeout must have --force specified');
  const selected = await select(session, {
    files: session.files,
    recursive: flags.on('recursive'),
    validate: validation !== 'Ignore',
  });
  if (selected instanceof Failure) return selected;
  if (flags.on('force')) {
    if (selected.found.length === 0) await session.out('No resources found\n');
    const failure = await deleteFirst(session, selected.found);
    if (failure) return failure;
    if (selected.found.length === 0 && selected.failures.length === 0) return fail('no objects passed to replace');
  }
  return gather(await visitEach(selected, found => replaceOne(session, found, {dryRun, validation})));
}

/** With `--force` the old ones go first, at once. */
async function deleteFirst(session: Session, found: readonly Found[]): Promise<Failure | undefined> {
  const deletion = await deletionOf(session);
  if (deletion instanceof Failure) return deletion;
  const endings: Ending[] = [];
  for (const one of found) {
    const ending = await deleteOne(session, one, {...deletion, graceSeconds: session.flags.number('grace-period'), force: false});
    if (!(ending instanceof Failure)) endings.push(ending);
    else if (!ending.is('NotFound')) return ending;
  }
  return waitForEnd(session, endings, session.flags.duration('timeout'));
}

async function replaceOne(
  session: Session,
  {kind, namespace, name, object, source}: Found,
  work: Work,
): Promise<Failure | undefined> {
  if (!object) return undefined;
  const wanted = session.flags.on('save-config') ? withLastApplied(object) : object;
  if (work.dryRun === 'client') return printResult(session, wanted, dryRunWords('replaced', work.dryRun));
  const api = session.api();
  if (api instanceof Failure) return api;
  const wrong = nameProblem(name);
  if (wrong) return prefixed(wrong, `error when replacing ${JSON.stringify(source)}`);
  const query = writeQuery(session, work.dryRun, {fieldValidation: work.validation});
  const isNew = session.flags.on('force');
  const version = isNew ? undefined : await versionOf(session, {kind, namespace, name, object: wanted});
  if (version instanceof Failure) return prefixed(version, `error when replacing ${JSON.stringify(source)}`);
  const body = version === undefined ? wanted : {...wanted, metadata: {...wanted.metadata, resourceVersion: version}};
  const answer = await api.ask<AnyObject>(
    isNew
      ? {method: 'POST', path: pathOf(kind, namespace), query, body: asNew(body)}
      : {method: 'PUT', path: pathOf(kind, namespace, name, session.flags.text('subresource') || undefined), query, body},
  );
  // Who makes it anew does not say from what.
  if (answer instanceof Failure) return isNew ? answer : prefixed(answer, `error when replacing ${JSON.stringify(source)}`);
  return printResult(session, answer, dryRunWords('replaced', work.dryRun));
}

/** A file without a resourceVersion means whatever is there now. */
async function versionOf(
  session: Session,
  {kind, namespace, name, object}: Pick<Found, 'kind' | 'namespace' | 'name'> & {object: AnyObject},
): Promise<string | undefined | Failure> {
  const own: string | undefined = object.metadata.resourceVersion;
  if (own) return own;
  const api = session.api();
  if (api instanceof Failure) return api;
  const there = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  // What cannot be looked at is sent all the same: the server tells what is wrong.
  return there instanceof Failure ? undefined : there.metadata.resourceVersion;
}
