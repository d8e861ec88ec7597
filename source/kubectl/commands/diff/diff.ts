// `kubectl diff`: what an apply of the files would change. The server is asked for the objects as they are and, in dry runs, for
// what an apply would make of them; both sides are written to files, and a program compares the two folders. Without a program
// named by KUBECTL_EXTERNAL_DIFF it is done here as `diff -u -N` would.
//
// The exit code tells of it: 0 no difference, 1 some, 2 when something went wrong.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure, failUsage} from '../../failure.ts';
import {type Found, visitUntil} from '../../resources/found.ts';
import type {KindInfo} from '../../resources/kinds.ts';
import {nameProblem} from '../../resources/names.ts';
import {select} from '../../resources/select.ts';
import type {Session} from '../../session.ts';
import {lastApplied, LAST_APPLIED} from '../apply/last-applied.ts';
import {prunable} from '../apply/prune.ts';
import {sendApply} from '../apply/server-side.ts';
import {threeWayPatch} from '../apply/three-way.ts';
import {COMMON_FLAGS, FILE_FLAGS, type Command, type Outcome} from '../command.ts';
import {compareSides, type Sides} from './compare.ts';
import {masked} from './masked.ts';

export const diff: Command = {
  path: 'kubectl diff',
  short: 'Show what an apply would change',
  examples: ['kubectl diff -f web.yaml', 'cat web.yaml | kubectl diff -f -'],
  does: [
    ...COMMON_FLAGS,
    ...FILE_FLAGS,
    'field-manager',
    'selector',
    'server-side',
    'force-conflicts',
    'show-managed-fields',
    'concurrency',
    'prune',
    'prune-allowlist',
  ],
  failureCode: 2,
  run,
};

async function run(session: Session): Promise<Outcome> {
  const {flags, args} = session;
  if (args.length > 0) return failUsage('kubectl diff', `Unexpected args: [${args.join(' ')}]`);
  if (flags.on('force-conflicts') && !flags.on('server-side')) return fail('--force-conflicts only works with --server-side');
  if (!session.hasFiles) return fail('must specify one of -f and -k');
  const selected = await select(session, {
    files: session.files,
    recursive: flags.on('recursive'),
    labels: flags.text('selector') || undefined,
  });
  if (selected instanceof Failure) return selected;
  const all: Sides[] = [];
  const broken = await visitUntil(selected.visited, async found => {
    const sides = await sidesOf(session, found);
    if (sides instanceof Failure) return sides;
    all.push(sides);
    return undefined;
  });
  if (broken) return broken;
  const pruned = flags.on('prune') ? await prunedSides(session, selected.found) : [];
  return pruned instanceof Failure ? pruned : compareSides(session, [...all, ...pruned]);
}

/** What a prune would delete. */
async function prunedSides(session: Session, found: readonly Found[]): Promise<readonly Sides[] | Failure> {
  const isAmong = (object: AnyObject) =>
    found.some(
      ({kind, namespace, name}) =>
        kind.kind === object.kind && namespace === (object.metadata.namespace ?? '') && name === object.metadata.name,
    );
  const objects = await prunable(session, {isAmong, namespaces: found.map(({namespace}) => namespace)});
  if (objects instanceof Failure) return objects;
  return objects.map(({object, kind}) => ({before: unmanaged(object), after: undefined, file: fileOf(kind, object.metadata)}));
}

function fileOf(kind: KindInfo, {namespace = '', name}: {readonly namespace?: string; readonly name: string}): string {
  return `${kind.group === '' ? '' : `${kind.group}.`}${kind.version}.${kind.kind}.${namespace}.${name}`;
}

/** An object as it is, and as it would be. */
async function sidesOf(session: Session, found: Found): Promise<Sides | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const {kind, namespace, name} = found;
  const wrong = nameProblem(name);
  if (wrong) return wrong;
  const live = await api.ask<AnyObject>({method: 'GET', path: pathOf(kind, namespace, name)});
  if (live instanceof Failure && !live.is('NotFound')) return live;
  const before = live instanceof Failure ? undefined : live;
  const after = await merged(session, found, before);
  if (after instanceof Failure) return after;
  const keep = session.flags.on('show-managed-fields');
  const shown = masked(before && (keep ? before : unmanaged(before)), keep ? after : unmanaged(after));
  return {...shown, file: fileOf(kind, {namespace, name})};
}

async function merged(session: Session, found: Found, live: AnyObject | undefined): Promise<AnyObject | Failure> {
  const api = session.api();
  if (api instanceof Failure) return api;
  const {kind, namespace, name, object} = found;
  if (!object) return fail('no objects passed to diff');
  if (session.flags.on('server-side')) return sendApply(session, found, {dryRun: 'server'});
  const query = {dryRun: 'All', fieldManager: session.flags.text('field-manager')};
  if (!live) return api.ask<AnyObject>({method: 'POST', path: pathOf(kind, namespace), query, body: object});
  const patch = threeWayPatch({original: lastApplied(live), modified: withoutNote(object), current: live});
  if (patch instanceof Failure) return patch;
  if (Object.keys(patch.body).length === 0) return live;
  const meta = (patch.body['metadata'] ?? {}) as Readonly<Record<string, unknown>>;
  const body = {...patch.body, metadata: {...meta, resourceVersion: live.metadata.resourceVersion}};
  return api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query,
    headers: {'content-type': PATCH_TYPES[patch.type]},
    body,
  });
}

/** As an apply would compare it, without the note that it would leave. */
function withoutNote(object: AnyObject): AnyObject {
  const {[LAST_APPLIED]: _note, ...annotations} = object.metadata.annotations ?? {};
  return {...object, metadata: {...object.metadata, annotations}};
}

function unmanaged(object: AnyObject): AnyObject {
  const {managedFields: _managed, ...metadata} = object.metadata;
  return {...object, metadata};
}
