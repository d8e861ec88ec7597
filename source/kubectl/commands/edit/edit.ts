// `kubectl edit`: opens objects in an editor and sends what was changed.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {sameJson} from '../../../api/schema/merge/index.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure, gather} from '../../failure.ts';
import {missingResource} from '../../resources/arguments.ts';
import type {Found} from '../../resources/found.ts';
import {qualifiedName} from '../../resources/kinds.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {compactJson} from '../../print/json.ts';
import {withLastApplied} from '../apply/last-applied.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from '../command.ts';
import {validationOf, writeQuery} from '../dry-run.ts';
import {patchBetween, printResult} from '../result.ts';
import {editLoop, type Saving} from './loop.ts';
import type {Reason} from './text.ts';

export const edit: Command = {
  path: 'kubectl edit',
  short: 'Change objects in an editor',
  long: 'Change objects in an editor: the one that KUBE_EDITOR or EDITOR names, else vi',
  examples: ['kubectl edit deploy web', 'KUBE_EDITOR=nano kubectl edit svc/web'],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'field-manager',
    'output-patch',
    'save-config',
    'subresource',
    'validate',
    'windows-line-endings',
  ],
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const validation = validationOf(session);
  if (validation instanceof Failure) return validation;
  const selected = await select(session, {
    args,
    files: session.files,
    recursive: flags.on('recursive'),
    latest: true,
    kindAlone: true,
    ...(flags.text('subresource') === '' ? {} : {subresource: flags.text('subresource')}),
  });
  if (selected instanceof Failure) return selected;
  const failure = gather(selected.failures);
  if (failure) return failure;
  if (selected.found.length === 0) return fail('edit cancelled, no objects found');
  const objects = selected.found.flatMap(({object}) => (object ? [object] : []));
  const save = async (edited: readonly AnyObject[]): Promise<Saving | Failure> =>
    saveAll(session, selected.found, {edited, validation});
  return editLoop(session, {found: selected.found, objects, what: 'object', asJson: flags.text('output') === 'json', save});
}

async function saveAll(
  session: Session,
  found: readonly Found[],
  {edited, validation}: {edited: readonly AnyObject[]; validation: string},
): Promise<Saving | Failure> {
  const reasons: Reason[] = [];
  let [retryable, notFound] = [0, 0];
  for (const after of edited) {
    const original = found.find(({object}) => object?.metadata.uid === after.metadata?.uid);
    if (!original?.object) return fail(`no original object found for ${after.kind}/${after.metadata?.name ?? ''}`);
    const failure = await saveOne(session, original, {after, validation});
    if (!failure) continue;
    if (failure.cause.type !== 'status') return failure;
    const what = `${qualifiedName(original.kind)} ${JSON.stringify(original.name)}`;
    if (failure.is('Invalid')) {
      await session.err(`error: ${what} is invalid\n`);
      const details = (failure.cause.status.details?.causes ?? []).map(({field = '', message = ''}) => `${field}: ${message}`);
      reasons.push({head: `${what} was not valid`, details});
    } else if (failure.is('NotFound')) {
      notFound++;
      await session.err(`error: ${what} could not be found on the server\n`);
    } else {
      retryable++;
      await session.err(`error: ${what} could not be patched: ${failure.message}\n`);
    }
  }
  return {reasons, retryable, notFound};
}

async function saveOne(
  session: Session,
  {kind, namespace, name, object}: Found,
  {after, validation}: {after: AnyObject; validation: string},
): Promise<Failure | undefined> {
  if (!object) return undefined;
  const {managedFields} = object.metadata;
  // The player never saw who manages which field.
  const whole = {...after, metadata: {...after.metadata, ...(managedFields ? {managedFields} : {})}};
  if (sameJson(object, whole)) return printResult(session, object, 'skipped');
  if (whole.apiVersion !== object.apiVersion || whole.kind !== object.kind || whole.metadata.name !== object.metadata.name)
    return fail('At least one of apiVersion, kind and name was changed');
  const wanted = session.flags.on('save-config') ? withLastApplied(whole) : whole;
  const patch = patchBetween({before: object, after: wanted, type: 'strategic'});
  const api = session.api();
  if (api instanceof Failure) return api;
  const answer = await api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name, session.flags.text('subresource') || undefined),
    query: writeQuery(session, 'none', {fieldValidation: validation}),
    headers: {'content-type': PATCH_TYPES[patch.type]},
    body: patch.body,
  });
  if (answer instanceof Failure) return answer;
  if (session.flags.on('output-patch')) await session.out(`Patch: ${compactJson(patch.body)}\n`);
  return printResult(session, answer, 'edited');
}
