// `--overrides`: a patch of the object that a command has made. What comes out is read as a kind that kubectl knows.
import type {AnyObject} from '../../api/meta/object.ts';
import {decodeKind, parseJson, schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch, type JsonObject} from '../../api/schema/merge/index.ts';
import {fail, Failure} from '../failure.ts';
import {SCHEME} from '../resources/files.ts';
import type {Session} from '../session.ts';

/** Where kubectl's kinds are registered, as its messages have it. */

/** The object with the patch of the flags in it. */
export function overridden({flags}: Session, object: AnyObject): AnyObject | Failure {
  const text = flags.text('overrides');
  if (text === '') return object;
  const patched = patchedBy(object, text, flags.text('override-type'));
  return patched instanceof Failure ? patched : asKnownKind(patched);
}

function patchedBy(object: AnyObject, text: string, type: string): unknown {
  if (type !== 'merge' && type !== 'json' && type !== 'strategic') return fail(`invalid override type: ${type}`);
  const parsed = parseJson(text);
  if ('error' in parsed) return fail(type === 'merge' ? 'Invalid JSON Patch' : parsed.error);
  const from = object as unknown as JsonObject;
  if (type === 'merge') return applyMergePatch(from, parsed.value);
  const patched =
    type === 'json'
      ? applyJsonPatch(from, parsed.value as readonly unknown[])
      : applyStrategicPatch(from, parsed.value as JsonObject, schemaOf(typeOfKind(object.apiVersion, object.kind) ?? ''));
  return 'error' in patched ? fail(patched.error) : patched.value;
}

function asKnownKind(value: unknown): AnyObject | Failure {
  const {apiVersion, kind} = value as {apiVersion: string; kind: string};
  const decoded = decodeKind({apiVersion, kind}, value);
  if (!decoded) return fail(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} ${SCHEME}`);
  return decoded.ok ? (decoded.value as AnyObject) : fail(decoded.error);
}
