// JSON merge patches (RFC 7396): a patch looks like the object, null deletes, lists are replaced whole.
import {get, isObject, type JsonObject, sameJson} from './json-value.ts';

/** Applies a merge patch. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const out = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) out.delete(key);
    else out.set(key, applyMergePatch(out.get(key), value));
  }
  return Object.fromEntries(out);
}

/** The merge patch that makes `modified` of `original`. */
export function createMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  const patch = new Map<string, unknown>();
  for (const [key, value] of Object.entries(modified)) {
    const before = get(original, key);
    if (before === undefined) patch.set(key, value);
    else if (isObject(before) && isObject(value)) {
      const inner = createMergePatch(before, value);
      if (Object.keys(inner).length > 0) patch.set(key, inner);
    } else if (!sameJson(before, value)) patch.set(key, value);
  }
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) patch.set(key, null);
  return Object.fromEntries(patch);
}

/**
 * The merge patch of `kubectl apply` for kinds without a schema: what differs between the live object and what is wanted,
 * and the deletion of what was applied last time and is wanted no more.
 */
export function createThreeWayMergePatch(three: {original: JsonObject; modified: JsonObject; current: JsonObject}): JsonObject {
  const changes = keepNulls(createMergePatch(three.current, three.modified), false);
  const deletions = keepNulls(createMergePatch(three.original, three.modified), true);
  return joinPatches(deletions, changes);
}

/** Only the deletions of a patch, or all but them. */
function keepNulls(patch: JsonObject, nulls: boolean): JsonObject {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      if (nulls) kept.push([key, null]);
    } else if (isObject(value)) {
      const inner = keepNulls(value, nulls);
      // An empty object that is added is an addition.
      if (Object.keys(inner).length > 0 || (!nulls && Object.keys(value).length === 0)) kept.push([key, inner]);
    } else if (!nulls) kept.push([key, value]);
  }
  return Object.fromEntries(kept);
}

/** Both patches in one; nulls stay nulls. */
function joinPatches(first: JsonObject, second: JsonObject): JsonObject {
  const out = new Map(Object.entries(first));
  for (const [key, value] of Object.entries(second)) {
    const before = out.get(key);
    out.set(key, isObject(before) && isObject(value) ? joinPatches(before, value) : value);
  }
  return Object.fromEntries(out);
}
