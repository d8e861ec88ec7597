// One object of `kubectl apply`: created when it is not there, patched when it is.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure, prefixed} from '../../failure.ts';
import {compactJson} from '../../print/json.ts';
import type {Found} from '../../resources/found.ts';
import {apiVersionOf, type KindInfo} from '../../resources/kinds.ts';
import type {Session} from '../../session.ts';
import {writeQuery, type DryRun} from '../dry-run.ts';
import {LAST_APPLIED, lastApplied, withLastApplied} from './last-applied.ts';
import {threeWayPatch} from './three-way.ts';

export interface ApplyOptions {
  readonly dryRun: DryRun;
  readonly validation: 'Strict' | 'Warn' | 'Ignore';
  /** The object itself is printed, so it must be known in full. */
  readonly printsObjects: boolean;
}

/** What was done, and the object after it. */
export interface Applied {
  readonly operation: 'created' | 'configured' | 'unchanged';
  readonly object: AnyObject;
}

/** Applies one object of a file. */
export async function applyOne(session: Session, found: Found, options: ApplyOptions): Promise<Applied | Failure> {
  const {kind, namespace, name, source} = found;
  const api = session.api();
  if (api instanceof Failure) return api;
  if (!found.object) return fail('no objects passed to apply');
  const retrieving = `error when retrieving current configuration of:\n${placeText(found)}\nfrom server for: ${JSON.stringify(source)}`;
  if (name === '') return fail(`${retrieving}: resource name may not be empty`);
  const modified = withLastApplied(found.object);
  const current = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (!(current instanceof Failure)) return patchOne(session, {found, modified, current}, options);
  if (!current.is('NotFound')) return prefixed(current, retrieving);
  if (options.dryRun === 'client') return {operation: 'created', object: modified};
  const query = writeQuery(session, options.dryRun, {fieldValidation: options.validation});
  const created = await api.ask<AnyObject>({method: 'POST', path: pathOf(kind, namespace), query, body: modified});
  if (created instanceof Failure) return prefixed(created, `error when creating ${JSON.stringify(source)}`);
  return {operation: 'created', object: created};
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
  const api = session.api();
  if (api instanceof Failure) return api;
  const patch = threeWayPatch({original: lastApplied(current), modified, current});
  if (patch instanceof Failure) return patch;
  if (Object.keys(patch.body).length === 0) return {operation: 'unchanged', object: current};
  const query = writeQuery(session, options.dryRun, {fieldValidation: options.validation});
  const headers = {'content-type': PATCH_TYPES[patch.type]};
  const patched = await api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query,
    headers,
    body: patch.body,
  });
  if (!(patched instanceof Failure)) return {operation: 'configured', object: patched};
  const place = placeText({kind, namespace, name});
  return prefixed(
    patched,
    `error when applying patch:\n${compactJson(patch.body)}\nto:\n${place}\nfor: ${JSON.stringify(source)}: error when patching ${JSON.stringify(source)}`,
  );
}

/** An object's place as messages tell of it. */
function placeText({kind, namespace, name}: {kind: KindInfo; namespace: string; name: string}): string {
  const version = kind.group === '' ? `/${kind.version}` : apiVersionOf(kind);
  return `Resource: "${version}, Resource=${kind.resource}", GroupVersionKind: "${version}, Kind=${kind.kind}"\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}
