// `--overrides`: a patch of the object that a command has made. What comes out is read as a kind that kubectl knows.
import {isFields} from '../../api/meta/fields.ts';
import {jsonKind} from '../../api/meta/go-text.ts';
import type {AnyObject} from '../../api/meta/object.ts';
import {decodeKind, parseJson, schemaOf, typeOfKind} from '../../api/schema/index.ts';
import {applyJsonPatch, applyMergePatch, applyStrategicPatch, type JsonObject} from '../../api/schema/merge/index.ts';
import {fail, Failure} from '../failure.ts';
import {SCHEME} from '../resources/files.ts';
import type {Session} from '../session.ts';

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
  const wrong = shapeProblem(type, parsed.value);
  if (wrong !== undefined) return fail(wrong);
  const from = object as unknown as JsonObject;
  if (type === 'strategic' && parsed.value === null) return object;
  if (type === 'merge') return applyMergePatch(from, parsed.value);
  const patched =
    type === 'json'
      ? applyJsonPatch(from, parsed.value as readonly unknown[])
      : applyStrategicPatch(from, parsed.value as JsonObject, schemaOf(typeOfKind(object.apiVersion, object.kind) ?? ''));
  return 'error' in patched ? fail(patched.error) : patched.value;
}

/** What is wrong with a patch before it is looked into. */
function shapeProblem(type: 'merge' | 'json' | 'strategic', patch: unknown): string | undefined {
  if (type === 'merge') return isFields(patch) ? undefined : 'Invalid JSON Patch';
  if (type === 'strategic') return patch === null || isFields(patch) ? undefined : 'invalid JSON document';
  if (!Array.isArray(patch)) return `json: cannot unmarshal ${jsonKind(patch)} into Go value of type jsonpatch.Patch`;
  const step: unknown = patch.find(one => !isFields(one));
  return step === undefined ? undefined : `json: cannot unmarshal ${jsonKind(step)} into Go value of type jsonpatch.Operation`;
}

function asKnownKind(value: unknown): AnyObject | Failure {
  const {apiVersion, kind} = (isFields(value) ? value : {}) as {apiVersion: string; kind: string};
  if (typeof kind !== 'string' || kind === '') return fail(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  const decoded = decodeKind({apiVersion, kind}, value);
  if (!decoded) return fail(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} ${SCHEME}`);
  return decoded.ok ? (decoded.value as AnyObject) : fail(decoded.error);
}
