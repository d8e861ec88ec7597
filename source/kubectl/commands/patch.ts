// `kubectl patch`: changes some fields of an object.
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {parseJson, schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch, sameJson, type JsonObject} from '../../api/schema/merge/index.ts';
import {PATCH_TYPES} from '../../api/wire/http.ts';
import {readYaml} from '../../api/yaml/read.ts';
import {fail, Failure, gather} from '../failure.ts';
import {missingResource} from '../resources/arguments.ts';
import {type Found, visitEach} from '../resources/found.ts';
import {apiVersionOf, type KindInfo} from '../resources/kinds.ts';
import {select} from '../resources/select.ts';
import type {Session} from '../session.ts';
import {COMMON_FLAGS, FILE_FLAGS, PRINT_FLAGS, type Command, type Outcome} from './command.ts';
import {noteCause} from './change-cause.ts';
import {dryRunOf, writeQuery, type DryRun} from './dry-run.ts';
import {printResult} from './result.ts';

export const patch: Command = {
  path: 'kubectl patch',
  short: 'Change some fields of an object',
  examples: [
    `kubectl patch deploy web -p '{"spec":{"replicas":3}}'`,
    `kubectl patch deploy web --type=json -p '[{"op":"replace","path":"/spec/replicas","value":3}]'`,
    'kubectl patch deploy web --patch-file side.yaml',
  ],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    ...PRINT_FLAGS,
    'dry-run',
    'field-manager',
    'local',
    'patch',
    'patch-file',
    'subresource',
    'type',
  ],
  run,
};

type PatchType = 'json' | 'merge' | 'strategic';

interface Work {
  readonly type: PatchType;
  /** The patch; text when it is no JSON, so that the server says what is wrong with it. */
  readonly body: unknown;
  readonly dryRun: DryRun;
}

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  const dryRun = await dryRunOf(session);
  if (dryRun instanceof Failure) return dryRun;
  const problem = problemOf(session, dryRun);
  if (problem) return problem;
  const body = patchBody(session);
  if (body instanceof Failure) return body;
  if (args.length === 0 && !session.hasFiles) return missingResource();
  const selected = await select(session, {
    args,
    files: session.files,
    recursive: flags.on('recursive'),
    asWritten: flags.on('local'),
    ...(flags.text('subresource') === '' ? {} : {subresource: flags.text('subresource')}),
  });
  if (selected instanceof Failure) return selected;
  if (selected.found.length === 0 && selected.failures.length === 0) return fail('no objects passed to patch');
  return gather(
    await visitEach(selected, found => patchOne(session, found, {type: flags.text('type') as PatchType, body, dryRun})),
  );
}

function problemOf({flags}: Session, dryRun: DryRun): Failure | undefined {
  const type = flags.text('type');
  if (flags.text('patch') !== '' && flags.text('patch-file') !== '')
    return fail('cannot specify --patch and --patch-file together');
  if (flags.text('patch') === '' && flags.text('patch-file') === '')
    return fail('must specify --patch or --patch-file containing the contents of the patch');
  if (flags.on('local') && dryRun === 'server')
    return fail('cannot specify --local and --dry-run=server - did you mean --dry-run=client?');
  return type in PATCH_TYPES && type !== 'apply'
    ? undefined
    : fail(`--type must be one of [json merge strategic], not ${JSON.stringify(type)}`);
}

function patchBody({flags, process}: Session): unknown {
  const file = flags.text('patch-file');
  const text = file === '' ? flags.text('patch') : process.machine.files.read(process.path(file));
  if (text === undefined) return fail(`unable to read patch file: open ${file}: no such file or directory`);
  if (/^\s*\{/.test(text)) {
    const json = parseJson(text);
    return 'value' in json ? json.value : text;
  }
  const {documents, error} = readYaml(text);
  if (error)
    return fail(`unable to parse ${JSON.stringify(text)}: ${error.message.replace('error converting YAML to JSON: ', '')}`);
  const value = documents[0]?.value ?? {};
  return typeof value === 'string' ? JSON.stringify(value) : value;
}

async function patchOne(session: Session, found: Found, work: Work): Promise<Failure | undefined> {
  const before = found.object;
  if (!before) return undefined;
  const isLocal = session.flags.on('local') || work.dryRun === 'client';
  const after = isLocal ? patchHere(before, work) : await patchThere(session, found, work);
  if (after instanceof Failure) return after;
  const operation = sameJson(before, after) ? 'patched (no change)' : 'patched';
  const noted = isLocal ? undefined : await noteCause(session, found);
  return printResult(session, noted ?? after, operation);
}

async function patchThere(
  session: Session,
  {kind, namespace, name}: Found,
  {type, body, dryRun}: Work,
): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const path = pathOf(kind, namespace, name, session.flags.text('subresource') || undefined);
  const answer = await api.ask<AnyObject>({
    method: 'PATCH',
    path,
    query: writeQuery(session, dryRun),
    headers: {'content-type': PATCH_TYPES[type]},
    body,
  });
  return answer instanceof Failure ? notSupported(answer, {kind, type}) : answer;
}

/** Custom resources take no strategic patch. */
function notSupported(failure: Failure, {kind, type}: {kind: KindInfo; type: Work['type']}): Failure {
  const {cause} = failure;
  if (cause.type !== 'status' || cause.status.reason !== 'UnsupportedMediaType') return failure;
  return fail(`${PATCH_TYPES[type]} is not supported by ${apiVersionOf(kind)}, Kind=${kind.kind}: ${cause.status.message ?? ''}`);
}

function patchHere(object: AnyObject, {type, body}: Work): AnyObject | Failure {
  const from = object as unknown as JsonObject;
  if (typeof body === 'string') return fail('unexpected end of JSON input');
  if (type === 'merge') return applyMergePatch(from, body) as AnyObject;
  const schema = typeOfKind(object.apiVersion, object.kind);
  if (type === 'strategic' && schema === undefined)
    return fail(`strategic merge patch is not supported for ${object.apiVersion}, Kind=${object.kind} locally, try --type merge`);
  const patched =
    type === 'json'
      ? applyJsonPatch(from, body as readonly unknown[])
      : applyStrategicPatch(from, body as JsonObject, schemaOf(schema ?? ''));
  return 'error' in patched ? fail(patched.error) : (patched.value as AnyObject);
}
