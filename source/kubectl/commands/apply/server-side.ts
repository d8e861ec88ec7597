// `--server-side`: the file itself is sent, and the server keeps account of who owns which field.
//
// What kubectl applied in the old way is taken over once: the note of what was applied last goes to an owner of its own (else the
// server would drop it with the next apply), and the fields that the old way owned become this owner's.
import {pathOf, type AnyObject} from '../../../api/meta/object.ts';
import {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, Failure} from '../../failure.ts';
import type {Found} from '../../resources/found.ts';
import type {Session} from '../../session.ts';
import type {DryRun} from '../dry-run.ts';
import {LAST_APPLIED, lastApplied} from './last-applied.ts';
import {ownsByApply, takenOver} from './owners.ts';

/** Who owns what is applied when no name is given. */
const DEFAULT_OWNER = 'kubectl';
const NOTE_OWNER = 'kubectl-last-applied';

const CONFLICT_HELP = `Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts`;

interface Sending {
  readonly dryRun: DryRun;
  readonly validation?: string;
}

/** Sends an object to be applied by the server. */
export async function sendApply(
  session: Session,
  {kind, namespace, name, object}: Found,
  sending: Sending,
): Promise<AnyObject | Failure> {
  const {flags} = session;
  const query = {
    fieldManager: ownerOf(session),
    ...strictnessOf(sending),
    force: String(flags.on('force-conflicts')),
    ...(sending.dryRun === 'server' ? {dryRun: 'All'} : {}),
  };
  return patch(session, {kind, namespace, name}, {type: 'apply', query, body: object});
}

/** Applies one object, and takes over what was applied in the old way. */
export async function applyServerSide(session: Session, found: Found, sending: Sending): Promise<AnyObject | Failure> {
  const applied = await sendApply(session, found, sending);
  if (applied instanceof Failure) return applied.is('Conflict') ? fail(`${applied.message}\n${CONFLICT_HELP}`) : applied;
  return sending.dryRun === 'none' ? takeOver(session, found, {applied, strictness: strictnessOf(sending)}) : applied;
}

function ownerOf({flags}: Session): string {
  return flags.has('field-manager') ? flags.text('field-manager') : DEFAULT_OWNER;
}

interface PatchWish {
  readonly type: keyof typeof PATCH_TYPES;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

async function patch(
  session: Session,
  {kind, namespace, name}: Pick<Found, 'kind' | 'namespace' | 'name'>,
  {type, query, body}: PatchWish,
) {
  const api = session.api();
  if (api instanceof Failure) return api;
  return api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name, session.flags.text('subresource') || undefined),
    query,
    headers: {'content-type': PATCH_TYPES[type]},
    body,
  });
}

interface Taking {
  readonly applied: AnyObject;
  readonly strictness: Readonly<Record<string, string>>;
}

function strictnessOf({validation}: Sending): Readonly<Record<string, string>> {
  return validation === undefined ? {} : {fieldValidation: validation};
}

async function takeOver(session: Session, found: Found, {applied, strictness}: Taking): Promise<AnyObject | Failure> {
  const noted = await keepNote(session, found, {applied, strictness});
  if (noted instanceof Failure) {
    await session.err(
      `Warning: failed to migrate kubectl.kubernetes.io/last-applied-configuration for Server-Side Apply. This is non-fatal and will be retried next time you apply. Error: ${noted.message}\n`,
    );
    return applied;
  }
  const owners = takenOver(noted.metadata.managedFields ?? [], ownerOf(session));
  if (!owners) return noted;
  const body = [
    {op: 'replace', path: '/metadata/managedFields', value: owners},
    {op: 'replace', path: '/metadata/resourceVersion', value: noted.metadata.resourceVersion},
  ];
  const moved = await patch(session, found, {type: 'json', query: {fieldManager: ownerOf(session), ...strictness}, body});
  if (moved instanceof Failure) {
    await session.err(
      `Warning: server rejected managed fields migration to Server-Side Apply. This is non-fatal and will be retried next time you apply. Error: ${moved.message}\n`,
    );
    return noted;
  }
  return sendApply(session, found, {
    dryRun: 'none',
    ...(strictness['fieldValidation'] ? {validation: strictness['fieldValidation']} : {}),
  });
}

/** The note of what was applied last is given an owner, where it has none that applies. */
async function keepNote(session: Session, found: Found, {applied, strictness}: Taking): Promise<AnyObject | Failure> {
  const note = lastApplied(applied);
  if (ownerOf(session) !== DEFAULT_OWNER || note === undefined) return applied;
  if (ownsByApply(applied.metadata.managedFields ?? [], ['f:metadata', 'f:annotations', `f:${LAST_APPLIED}`])) return applied;
  const {apiVersion, kind, metadata} = applied;
  const {name, namespace} = metadata;
  const body = {
    apiVersion,
    kind,
    metadata: {name, ...(namespace === undefined ? {} : {namespace}), annotations: {[LAST_APPLIED]: note}},
  };
  return patch(session, found, {type: 'apply', query: {fieldManager: NOTE_OWNER, ...strictness}, body});
}
