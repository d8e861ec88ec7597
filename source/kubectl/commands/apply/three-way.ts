// The patch that `apply` sends: of what was applied last, what the file wants, and what is there. Kinds with a schema get a
// strategic merge patch, which knows how to merge lists; others a plain merge patch.
import type {AnyObject} from '../../../api/meta/object.ts';
import {schemaOf, typeOfKind} from '../../../api/schema/index.ts';
import {createThreeWayMergePatch, createThreeWayPatch, type JsonObject} from '../../../api/schema/merge/index.ts';
import type {PATCH_TYPES} from '../../../api/wire/http.ts';
import {fail, type Failure} from '../../failure.ts';

export interface Patch {
  readonly type: keyof typeof PATCH_TYPES;
  readonly body: JsonObject;
}

/** The patch; its body is empty when nothing is to be done. */
export function threeWayPatch(three: {original: string | undefined; modified: AnyObject; current: AnyObject}): Patch | Failure {
  const original = readOriginal(three.original);
  if (original === undefined)
    return fail(`error when applying patch: the annotation of what was applied last is no JSON: ${three.original ?? ''}`);
  const all = {original, modified: three.modified as unknown as JsonObject, current: three.current as unknown as JsonObject};
  const type = typeOfKind(three.modified.apiVersion, three.modified.kind);
  if (type === undefined) return {type: 'merge', body: createThreeWayMergePatch(all)};
  return {type: 'strategic', body: createThreeWayPatch(all, schemaOf(type))};
}

function readOriginal(text: string | undefined): JsonObject | undefined {
  if (text === undefined || text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
