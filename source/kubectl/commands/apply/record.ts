// `kubectl apply view-last-applied`, `set-last-applied` and `edit-last-applied`: the record of what was applied last.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {parseJson} from '../../../api/schema/index.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {printJson} from '../../../api/yaml/json-print.ts';
import {printYaml} from '../../../api/yaml/print.ts';
import {fail, Failure, failUsage, gather} from '../../failure.ts';
import {compactJson} from '../../print/json.ts';
import {missingResource} from '../../resources/arguments.ts';
import {type Found, type Selected, visitUntil} from '../../resources/found.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {dryRunOf, dryRunWords, writeQuery, type DryRun} from '../dry-run.ts';
import {editLoop, type Saving} from '../edit/loop.ts';
import {printResult} from '../result.ts';
import {LAST_APPLIED, lastApplied} from './last-applied.ts';

export const viewLastApplied: Command = {
  path: 'kubectl apply view-last-applied',
  short: 'Show what was applied last',
  examples: ['kubectl apply view-last-applied deploy/web'],
  does: [...COMMON_FLAGS, ...FILE_FLAGS, 'all', 'output', 'selector'],
  run: view,
};

export const setLastApplied: Command = {
  path: 'kubectl apply set-last-applied',
  short: 'Set the record of what was applied last to what a file says',
  examples: ['kubectl apply set-last-applied -f web.yaml'],
  does: [...COMMON_FLAGS, ...PRINT_FLAGS, 'filename', 'create-annotation', 'dry-run'],
  run: set,
};

export const editLastApplied: Command = {
  path: 'kubectl apply edit-last-applied',
  short: 'Change the record of what was applied last in an editor',
  examples: ['kubectl apply edit-last-applied deploy/web'],
  does: [...COMMON_FLAGS, ...FILE_FLAGS, ...PRINT_FLAGS, 'field-manager', 'validate', 'windows-line-endings'],
  run: edit,
};

async function chosen(session: Session): Promise<Selected | Failure> {
  const {flags, args} = session;
  if (args.length === 0 && !session.hasFiles) return missingResource();
  return select(session, {
    args,
    kindAlone: true,
    all: flags.on('all'),
    labels: flags.text('selector') || undefined,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
  });
}

async function view(session: Session): Promise<Outcome> {
  const output = session.flags.text('output');
  if (output !== 'yaml' && output !== 'json')
    return failUsage(
      'kubectl apply view-last-applied',
      `Unexpected -o output mode: ${output}, the flag 'output' must be one of yaml|json`,
    );
  const selected = await chosen(session);
  if (selected instanceof Failure) return selected;
  return visitUntil(selected.visited, async ({object, name, source}) => {
    const record = object && lastApplied(object);
    // The words are the real one's, which takes them for what it was doing with the file.
    if (record === undefined && source !== '')
      return fail(
        `error when no last-applied-configuration annotation found on resource: ${name}\n ${JSON.stringify(source)}: <nil>`,
      );
    const read = record === undefined ? undefined : parseJson(record.trim());
    if (read && 'value' in read)
      await session.out(output === 'yaml' ? printYaml(read.value) : `${printJson(read.value, {indent: 2})}\n`);
    return undefined;
  });
}

async function set(session: Session): Promise<Outcome> {
  if (!session.hasFiles) return missingResource();
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const selected = await select(session, {files: session.files});
  if (selected instanceof Failure) return selected;
  return visitUntil(selected.visited, found => setOne(session, found, dryRun));
}

async function setOne(session: Session, {kind, namespace, name, object}: Found, dryRun: DryRun): Promise<Failure | undefined> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const there = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (there instanceof Failure) return there;
  const old = lastApplied(there);
  if (old === undefined && !session.flags.on('create-annotation')) {
    return fail(
      `no last-applied-configuration annotation found on resource: ${name}, to create the annotation, run the command with --create-annotation`,
    );
  }
  const record = `${compactJson(object)}\n`;
  if (old === record) {
    await session.out(`set-last-applied ${name}: no changes required.\n`);
    return undefined;
  }
  const changed = dryRun === 'client' ? there : await writeRecord({session, kind, namespace, name}, record, dryRun);
  return changed instanceof Failure ? changed : printResult(session, changed, dryRunWords('configured', dryRun));
}

type Place = Pick<Found, 'kind' | 'namespace' | 'name'> & {readonly session: Session};

/** Writes the annotation. */
async function writeRecord(
  {session, kind, namespace, name}: Place,
  record: string,
  dryRun: DryRun,
): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const body = {metadata: {annotations: {[LAST_APPLIED]: record}}};
  return api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: writeQuery(session, dryRun),
    headers: {'content-type': PATCH_TYPES.merge},
    body,
  });
}

async function edit(session: Session): Promise<Outcome> {
  const selected = await chosen(session);
  if (selected instanceof Failure) return selected;
  const failure = gather(selected.failures);
  if (failure) return failure;
  const records: AnyObject[] = [];
  for (const {object} of selected.found) {
    const record = object && lastApplied(object);
    const read = record === undefined ? undefined : parseJson(record.trim());
    if (!read || !('value' in read))
      return fail(
        'no last-applied-configuration annotation found on resources, to create the annotation, use command `kubectl apply set-last-applied --create-annotation`',
      );
    records.push(read.value as AnyObject);
  }
  const save = (edited: readonly AnyObject[]) => saveRecords(session, selected.found, edited);
  return editLoop(session, {
    found: selected.found,
    objects: records,
    what: 'record',
    asJson: session.flags.text('output') === 'json',
    save,
  });
}

async function saveRecords(session: Session, found: readonly Found[], edited: readonly AnyObject[]): Promise<Saving | Failure> {
  for (const record of edited) {
    const place = found.find(({name, object}) => name === record.metadata?.name && object?.kind === record.kind);
    if (!place) return fail('At least one of apiVersion, kind and name was changed');
    const changed = await writeRecord({...place, session}, `${compactJson(record)}\n`, 'none');
    if (changed instanceof Failure) return changed;
    const failure = await printResult(session, changed, 'edited');
    if (failure) return failure;
  }
  return {reasons: [], retryable: 0, notFound: 0};
}
