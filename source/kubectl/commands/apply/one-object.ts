// One object of `kubectl apply`: created when it is not there, patched when it is.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import type {JsonObject} from '../../../api/schema/merge/index.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure, prefixed} from '../../failure.ts';
import {compactJson} from '../../print/json.ts';
import type {Found} from '../../resources/found.ts';
import {nameProblem} from '../../resources/names.ts';
import {apiVersionOf, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {withRecord} from '../change-cause.ts';
import {deleteOne, deletionOf} from '../delete.ts';
import {writeQuery, type DryRun} from '../dry-run.ts';
import {waitForOne} from '../wait/ending.ts';
import {LAST_APPLIED, lastApplied, withLastApplied} from './last-applied.ts';
import {applyServerSide} from './server-side.ts';
import {threeWayPatch} from './three-way.ts';

/** How often a patch that came too late is made anew, and the pause between. */
const MOST_RETRIES = 5;
const RETRY_PAUSE_MS = 1000;
const FOREVER_MS = 7 * 86_400_000;

export interface ApplyOptions {
  readonly dryRun: DryRun;
  readonly validation: 'Strict' | 'Warn' | 'Ignore';
  /** The object itself is printed, so it must be known in full. */
  readonly printsObjects: boolean;
}

/** What was done, and the object after it. */
export interface Applied {
  readonly operation: 'created' | 'configured' | 'unchanged' | 'serverside-applied';
  readonly object: AnyObject;
}

/** Applies one object of a file. */
export async function applyOne(session: Session, found: Found, options: ApplyOptions): Promise<Applied | Failure> {
  const {kind, namespace, name, source} = found;
  const api = session.api();
  if (api instanceof Failure) return api;
  if (!found.object) return fail('no objects passed to apply');
  const retrieving = `error when retrieving current configuration of:\n${placeText(found)}\nfrom server for: ${JSON.stringify(source)}`;
  const {generateName} = found.object.metadata;
  if (generateName !== undefined && generateName !== '') return fail(`from ${generateName}: cannot use generate name with apply`);
  const wrong = nameProblem(name);
  if (session.flags.on('server-side')) {
    if (wrong) return wrong;
    const object = await applyServerSide(session, found, options);
    if (object instanceof Failure) return object;
    await warnIfGoing(session, object);
    return {operation: 'serverside-applied', object};
  }
  if (wrong) return prefixed(wrong, retrieving);
  const modified = withLastApplied(withRecord(session, found.object));
  const current = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (!(current instanceof Failure)) return patchOne(session, {found, modified, current}, options);
  if (!current.is('NotFound')) return prefixed(current, retrieving);
  if (options.dryRun === 'client') return {operation: 'created', object: modified};
  const query = writeQuery(session, options.dryRun, {fieldValidation: options.validation});
  const created = await api.ask<AnyObject>({method: 'POST', path: pathOf(kind, namespace), query, body: withoutNulls(modified)});
  if (created instanceof Failure) return prefixed(created, `error when creating ${JSON.stringify(source)}`);
  return {operation: 'created', object: created};
}

/** An object as an update would leave it: a field that is null is taken away, so a new one does not get it either. */
function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNulls(part)])) as T;
}

interface Three {
  readonly found: Found;
  readonly modified: AnyObject;
  readonly current: AnyObject;
}

async function patchOne(session: Session, three: Three, options: ApplyOptions): Promise<Applied | Failure> {
  const {found, modified, current} = three;
  const {kind, namespace, name, source} = found;
  if (lastApplied(current) === undefined) {
    await session.err(
      `Warning: resource ${kind.resource}/${name} is missing the ${LAST_APPLIED} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`,
    );
  }
  if (options.dryRun === 'client') return {operation: 'configured', object: current};
  let tried = await tryPatch(session, three, options);
  // Somebody else was quicker: take what is there now.
  for (let retry = 1; retry <= MOST_RETRIES && isFailed(tried) && tried.failure.is('Conflict'); retry++) {
    if (retry > 1) await session.process.sleep(RETRY_PAUSE_MS);
    const fresh = await freshObject(session, found);
    if (fresh instanceof Failure) return fresh;
    tried = await tryPatch(session, {...three, current: fresh}, options);
  }
  if (!isFailed(tried)) {
    await warnIfGoing(session, tried.object);
    return tried;
  }
  if (session.flags.on('force') && (tried.failure.is('Conflict') || tried.failure.is('Invalid')))
    return recreate(session, {found, modified, current}, options);
  const place = placeText({kind, namespace, name});
  return prefixed(
    tried.failure,
    `error when applying patch:\n${compactJson(tried.body)}\nto:\n${place}\nfor: ${JSON.stringify(source)}: error when patching ${JSON.stringify(source)}`,
  );
}

/** What is on its way out may be changed, but will not stay. */
async function warnIfGoing(session: Session, {metadata}: AnyObject): Promise<void> {
  if (metadata.deletionTimestamp === undefined) return;
  await session.err(`Warning: Detected changes to resource ${metadata.name} which is currently being deleted.\n`);
}

/** A patch that was refused. */
interface Refused {
  readonly failure: Failure;
  readonly body: JsonObject;
}

function isFailed(tried: Applied | Refused): tried is Refused {
  return 'failure' in tried;
}

async function tryPatch(session: Session, {found, modified, current}: Three, options: ApplyOptions): Promise<Applied | Refused> {
  const {kind, namespace, name} = found;
  const api = session.api();
  if (api instanceof Failure) return {failure: api, body: {}};
  const patch = threeWayPatch({original: lastApplied(current), modified, current});
  if (patch instanceof Failure) return {failure: patch, body: {}};
  if (Object.keys(patch.body).length === 0) return {operation: 'unchanged', object: current};
  const patched = await api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: writeQuery(session, options.dryRun, {fieldValidation: options.validation}),
    headers: {'content-type': PATCH_TYPES[patch.type]},
    body: patch.body,
  });
  return patched instanceof Failure ? {failure: patched, body: patch.body} : {operation: 'configured', object: patched};
}

async function freshObject(session: Session, {kind, namespace, name}: Found): Promise<AnyObject | Failure> {
  const api = session.api();
  return api instanceof Failure ? api : api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
}

/** `--force`: what cannot be changed is deleted and made anew. */
async function recreate(session: Session, {found, modified}: Three, options: ApplyOptions): Promise<Applied | Failure> {
  const {kind, namespace} = found;
  const api = session.api();
  const deletion = await deletionOf(session);
  if (api instanceof Failure || deletion instanceof Failure) return api instanceof Failure ? api : (deletion as Failure);
  const ending = await deleteOne(session, found, deletion);
  if (ending instanceof Failure && !ending.is('NotFound')) return ending;
  if (!(ending instanceof Failure)) {
    const stuck = await waitForOne(session, ending, session.now + (session.flags.duration('timeout') || FOREVER_MS));
    if (stuck) return stuck;
  }
  const query = writeQuery(session, options.dryRun, {fieldValidation: options.validation});
  const created = await api.ask<AnyObject>({method: 'POST', path: pathOf(kind, namespace), query, body: modified});
  return created instanceof Failure ? created : {operation: 'configured', object: created};
}

/** An object's place as messages tell of it. */
function placeText({kind, namespace, name}: {kind: KindInfo; namespace: string; name: string}): string {
  const version = kind.group === '' ? `/${kind.version}` : apiVersionOf(kind);
  return `Resource: "${version}, Resource=${kind.resource}", GroupVersionKind: "${version}, Kind=${kind.kind}"\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}
