// `kubectl create -f`: creates the objects of files.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {fail, Failure, failUsage, gather, prefixed} from '../../failure.ts';
import {printerOf, type Printer} from '../../print/printer.ts';
import {type Found, visitEach} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {withLastApplied} from '../apply/last-applied.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {withRecord} from '../change-cause.ts';
import {dryRunOf, dryRunWords, validationOf, writeQuery, type DryRun} from '../dry-run.ts';
import {editLoop, type Saving} from '../edit/loop.ts';
import {sendRaw} from '../raw.ts';
import {rawBody} from './raw.ts';

export const create: Command = {
  path: 'kubectl create',
  short: 'Create objects from files or standard input, or by their kind',
  examples: [
    'kubectl create -f web.yaml',
    'kubectl create deployment web --image=nginx:1.27',
    'kubectl create configmap settings --from-literal=mode=fast',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'dry-run',
    'field-manager',
    'edit',
    'raw',
    'save-config',
    'selector',
    'validate',
    'windows-line-endings',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (flags.text('raw') !== '') {
    const body = await rawBody(session);
    return body instanceof Failure ? body : sendRaw(session, 'POST', body);
  }
  if (args.length > 0) return failUsage('kubectl create', `Unexpected args: [${args.join(' ')}]`);
  if (!session.hasFiles) return fail('must specify one of -f and -k');
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const validation = validationOf(session);
  if (validation instanceof Failure) return validation;
  const printer = printerOf(session, {operation: dryRunWords('created', dryRun)});
  if (printer instanceof Failure) return printer;
  const selected = await select(session, {
    files: session.files,
    labels: flags.text('selector') || undefined,
    recursive: flags.on('recursive'),
    validate: validation !== 'Ignore',
  });
  if (selected instanceof Failure) return selected;
  if (selected.found.length === 0 && selected.failures.length === 0) return fail('no objects passed to create');
  return gather(
    await visitEach(selected, found => (flags.on('edit') ? editFirst : createOne)(session, found, {dryRun, validation, printer})),
  );
}

interface Work {
  readonly dryRun: DryRun;
  readonly validation: string;
  readonly printer: Printer;
}

/** `--edit`: the player changes the object first. */
async function editFirst(session: Session, found: Found, work: Work): Promise<Failure | undefined> {
  if (!found.object) return undefined;
  const save = async (edited: readonly AnyObject[]): Promise<Saving | Failure> => {
    for (const object of edited) {
      const failure = await createOne(session, {...found, object}, work);
      if (failure) return failure;
    }
    return {reasons: [], retryable: 0, notFound: 0};
  };
  return editLoop(session, {
    found: [found],
    objects: [found.object],
    what: 'object',
    asJson: session.flags.text('output') === 'json',
    save,
  });
}

async function createOne(session: Session, found: Found, work: Work): Promise<Failure | undefined> {
  if (!found.object) return undefined;
  const wanted = session.flags.on('save-config') ? withLastApplied(found.object) : found.object;
  const object = withRecord(session, wanted);
  const created = work.dryRun === 'client' ? wanted : await post(session, {...found, object}, work);
  if (created instanceof Failure) return prefixed(created, `error when creating ${JSON.stringify(found.source)}`);
  const text = work.printer(created);
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}

async function post(
  session: Session,
  {kind, namespace, object}: Found,
  {dryRun, validation}: Work,
): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const query = writeQuery(session, dryRun, {fieldValidation: validation});
  return api.ask<AnyObject>({method: 'POST', path: pathOf(kind, namespace), query, body: object && asNew(object)});
}

/** A new object has no version yet, whatever the file says. */
export function asNew(object: AnyObject): AnyObject {
  if (!object.metadata?.resourceVersion) return object;
  const {resourceVersion: _version, ...metadata} = object.metadata;
  return {...object, metadata: metadata as AnyObject['metadata']};
}
