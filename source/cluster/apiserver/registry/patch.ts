// Patches: the three kinds that a client may send, each a function from the object as it is to a value that is then decoded
// like a body. The server repeats a patch that lost a race, since a patch says what to change and not what was there.
// The fourth kind, server-side apply, is in apply.ts.
import {jsonKind} from '../../../api/meta/go-text.ts';
import type {AnyObject} from '../../../api/meta/object.ts';
import {badRequest, failure, invalidObject, unprocessable, unsupportedMediaType} from '../../../api/meta/status.ts';
import {invalid} from '../../../api/meta/field-error.ts';
import {PATCH_TYPES, type Request} from '../../../api/wire/http.ts';
import {isFields} from '../../../api/meta/fields.ts';
import {goMapText} from '../../../api/meta/go-text.ts';
import {refuse, Refused} from '../http/refused.ts';
import {decodeValue} from './body.ts';
import {duplicatePaths} from './duplicates.ts';
import {printed} from '../../../api/schema/printed.ts';
import {checkJsonPatch, jsonPatch, mergePatch, strategicPatch, type TypedKind} from './schema.ts';
import {readRequest} from './read-ahead.ts';
import type {QuickChange} from './update.ts';
import type {Write} from './write.ts';

type Apply = (old: AnyObject) => unknown;

/** Which kind of patch a request has. */
export function patchType(request: Request): string {
  return (request.headers?.['content-type'] ?? '').split(';')[0]?.trim() ?? '';
}

/** The change that a PATCH asks for. */
export function changeOfPatch(write: Write, request: Request, kind: TypedKind): QuickChange | Refused {
  const type = patchType(request);
  const read = reader(type, kind);
  if (!read || (kind.custom && type === PATCH_TYPES.strategic)) return refuse(unsupportedMediaType(patchTypes(kind)));
  const given = patchValue(request, type);
  if (given instanceof Refused) return given;
  const {value: patch, problems} = given;
  const apply = read(patch);
  if (apply instanceof Refused) return apply;
  return old => {
    const value = apply(old);
    if (value instanceof Refused) return value;
    const converter = type === PATCH_TYPES.strategic;
    const decoded = decodeValue(write, {value, converter, problems}, kind);
    return decoded instanceof Refused ? asPatchError(decoded, converter ? {patch} : {value}) : decoded;
  };
}

/** Custom resources have no merge keys of their own, so the strategic patch is not for them. */
function patchTypes({custom}: TypedKind): readonly string[] {
  const {json, merge, strategic, apply} = PATCH_TYPES;
  return custom ? [json, merge, apply] : [json, merge, strategic, apply];
}

/** A patch as a value, and the keys that stand twice in it. */
function patchValue(request: Request, type: string): {value: unknown; problems: readonly string[]} | Refused {
  const read = readRequest(request, 'application/json');
  const say = (why: string): Refused => refuse(badRequest(type === PATCH_TYPES.strategic ? why : `error decoding patch: ${why}`));
  if ('error' in read) return say(read.error);
  const {value, duplicates} = read;
  const problems = duplicates ? duplicatePaths(value, duplicates).map(path => `duplicate field "${path}"`) : [];
  if (type === PATCH_TYPES.json || isFields(value)) return {value, problems};
  if (value !== null) return say(`json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  return type === PATCH_TYPES.merge ? refuse(badRequest('Invalid JSON Patch')) : {value: {}, problems};
}

function reader(type: string, kind: TypedKind): ((patch: unknown) => Apply | Refused) | undefined {
  if (type === PATCH_TYPES.merge) return patch => old => mergePatch(old, patch);
  if (type === PATCH_TYPES.strategic) {
    return patch => old => {
      const patched = strategicPatch(kind, old, patch);
      return 'error' in patched ? refuse(badRequest(patched.error)) : patched.value;
    };
  }
  if (type !== PATCH_TYPES.json) return undefined;
  return patch => {
    const problem = checkJsonPatch(patch);
    if (problem !== undefined) return refuse(badRequest(`error decoding patch: ${problem}`));
    const steps: readonly unknown[] = Array.isArray(patch) ? patch : [];
    if (steps.length > MOST_STEPS) {
      const message = `The allowed maximum operations in a JSON patch is ${MOST_STEPS}, got ${steps.length}`;
      return refuse(failure(413, 'RequestEntityTooLarge', {message: `Request entity too large: ${message}`}));
    }
    return old => {
      // A path leads through what a client sees, where some lists are null rather than not there.
      const patched = jsonPatch(printed(old), steps);
      return patched ? patched.value : refuse(unprocessable());
    };
  };
}

const MOST_STEPS = 10_000;
const ORDER = '$setElementOrder/';

/** An object as the patching left it, its fields in alphabetical order. */
function sortedText(value: unknown): string {
  if (!isFields(value)) return JSON.stringify(value);
  return JSON.stringify(
    Object.fromEntries(
      Object.keys(value)
        .toSorted()
        .map(key => [key, value[key]]),
    ),
  );
}

/** The patch as the server has it left when it has carried it out: lists that were merged, and all directives, are gone. */
function withoutMerged(patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const kept = Object.entries(patch).filter(([key]) => !key.startsWith('$') && !Object.hasOwn(patch, ORDER + key));
  return Object.fromEntries(kept.map(([key, part]) => [key, withoutMerged(part)]));
}

const DECODED =
  /(strict decoding error: .*|json: cannot unmarshal .*|illegal base64 .*|no kind .*|converting .*: unknown conversion|quantities must match .*)$/;
/** The server puts the outcome of a strategic patch into its structs by other means, with words of their own. */
const CONVERTED =
  /(strict decoding error: .*|unrecognized type: .*|cannot (?:restore|parse) .*|json: cannot unmarshal .*|illegal base64 .*|no kind .*|converting .*: unknown conversion|quantities must match .*)$/;

/** A patch that makes no valid object is an invalid request. What is wrong is a strategic patch, or what became of the object. */
function asPatchError(refused: Refused, of: {patch: unknown} | {value: unknown}): Refused {
  const {message, reason} = refused.status;
  const json = ('patch' in of ? CONVERTED : DECODED).exec(message);
  if (reason !== 'BadRequest' || !json) return refused;
  const text = 'patch' in of ? goMapText(withoutMerged(of.patch)) : sortedText(of.value);
  const error = invalidObject({group: '', kind: ''}, '', [invalid('patch', text, json[1] ?? message)]);
  return refuse(failure(422, 'Invalid', {message: error.message, ...(error.details ? {details: error.details} : {})}));
}
