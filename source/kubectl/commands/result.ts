// The end of commands that change objects: the change is sent, and said.
import {pathOf, type AnyObject} from '../../api/meta/object.ts';
import {schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {createMergePatch, createTwoWayPatch, type JsonObject} from '../../api/schema/merge/index.ts';
import {PATCH_TYPES} from '../../api/wire/http.ts';
import {Failure} from '../failure.ts';
import {printerOf} from '../print/printer.ts';
import type {Found} from '../resources/found.ts';
import type {Session} from '../session.ts';
import {dryRunWords, writeQuery, type DryRun} from './dry-run.ts';

/** Prints an object: what was done to it, or as `-o` says. */
export async function printResult(
  session: Session,
  object: AnyObject,
  operation: string,
  {typed = false}: {typed?: boolean} = {},
): Promise<Failure | undefined> {
  const printer = printerOf(session, {operation, typed});
  if (printer instanceof Failure) return printer;
  const text = printer(object);
  if (text instanceof Failure) return text;
  await session.out(text);
  return undefined;
}

/** A change of an object, as a patch that the server is sent. */
export interface Change {
  readonly found: Found;
  readonly before: AnyObject;
  readonly after: AnyObject;
  /** `strategic` where the kind has a schema; `merge` always. */
  readonly type: 'strategic' | 'merge';
  readonly query?: Readonly<Record<string, string>>;
}

/** The patch between two states of an object; empty when they are the same. */
export function patchBetween({before, after, type}: Pick<Change, 'before' | 'after' | 'type'>): {
  readonly type: 'strategic' | 'merge';
  readonly body: JsonObject;
} {
  const from = before as unknown as JsonObject;
  const to = after as unknown as JsonObject;
  const kind = typeOfKind(before.apiVersion, before.kind);
  if (type === 'merge' || kind === undefined) return {type: 'merge', body: createMergePatch(from, to)};
  return {type: 'strategic', body: createTwoWayPatch(from, to, schemaOf(kind))};
}

/** Sends a change. A dry run of the client gives the object as it would be. */
export async function sendChange(session: Session, change: Change, dryRun: DryRun): Promise<AnyObject | Failure> {
  if (dryRun === 'client') return change.after;
  const api = session.api();
  if (api instanceof Failure) return api;
  const {kind, namespace, name} = change.found;
  const patch = patchBetween(change);
  const headers = {'content-type': PATCH_TYPES[patch.type]};
  return api.ask<AnyObject>({
    method: 'PATCH',
    path: pathOf(kind, namespace, name),
    query: writeQuery(session, dryRun, change.query),
    headers,
    body: patch.body,
  });
}

/** Sends a change and says what was done; `quietly` without a word on dry runs. */
export async function sendAndPrint(
  session: Session,
  change: Change,
  {operation, dryRun, quietly}: {operation: string; dryRun: DryRun; quietly?: boolean},
): Promise<Failure | undefined> {
  const object = await sendChange(session, change, dryRun);
  return object instanceof Failure ? object : printResult(session, object, quietly ? operation : dryRunWords(operation, dryRun));
}
