// Are two JSON values the same? Shared parts are recognised by identity, so comparing an object with its successor costs only
// what was made anew.

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
