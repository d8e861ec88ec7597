// `--record`: the command line is noted in the object that it changes, where `rollout history` shows it.
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {PATCH_TYPES} from '../../api/wire/http.ts';
import {Failure} from '../failure.ts';
import {CHANGE_CAUSE} from '../resources/revisions.ts';
import type {Place, Session} from '../session.ts';

/** The object with the note, where one is wanted. */
export function withRecord(session: Session, object: AnyObject): AnyObject {
  if (!session.flags.on('record')) return object;
  const annotations = {...object.metadata.annotations, [CHANGE_CAUSE]: causeOf(session)};
  return {...object, metadata: {...object.metadata, annotations}};
}

/** The words first, then the flags. */
function causeOf({flags, args}: Session): string {
  return [flags.command.path, ...args, ...flags.written].join(' ');
}

/** Notes it in an object that was changed already; undefined where no note is wanted, or it could not be made. */
export async function noteCause(session: Session, {kind, namespace, name}: Place): Promise<AnyObject | undefined> {
  const api = session.api();
  if (!session.flags.on('record') || api instanceof Failure) return undefined;
  const manager = session.flags.text('field-manager');
  const noted = await api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: manager === '' ? {} : {fieldManager: manager},
    headers: {'content-type': PATCH_TYPES.merge},
    body: {metadata: {annotations: {[CHANGE_CAUSE]: causeOf(session)}}},
  });
  return noted instanceof Failure ? undefined : noted;
}
