// Are two JSON values the same? Shared parts are recognised by identity, so comparing an object with its successor costs only
// what was made anew.
import type {AnyObject} from '../../../api/meta/object.ts';

/** Compares two values by content. Absent and undefined are the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  let known = 0;
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue;
    if (!Object.hasOwn(right, key) || !sameValue(left[key], right[key])) return false;
    known++;
  }
  for (const key of Object.keys(right)) if (right[key] !== undefined) known--;
  return known === 0;
}

/** Are two objects the same but for their resourceVersions and owners? */
export function sameStored(a: AnyObject, b: AnyObject): boolean {
  if (a === b) return true;
  return sameFields(a, b, METADATA) && (a.metadata === b.metadata || sameFields(a.metadata, b.metadata, NOT_COMPARED));
}

const METADATA: ReadonlySet<string> = new Set(['metadata']);
const NOT_COMPARED: ReadonlySet<string> = new Set(['resourceVersion', 'managedFields']);

function sameFields(a: object, b: object, except: ReadonlySet<string>): boolean {
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(left)) if (!except.has(key) && !sameValue(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (!except.has(key) && right[key] !== undefined && left[key] === undefined) return false;
  return true;
}
