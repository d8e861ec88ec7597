// Are two values of JSON equal? The order of keys does not matter, and an undefined field is none.

/** Compares by content; shared parts are not walked. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, index) => isSameValue(each, b[index]));
  if (Array.isArray(b)) return false;
  const left = a as Readonly<Record<string, unknown>>;
  const right = b as Readonly<Record<string, unknown>>;
  let fields = 0;
  for (const key in left) {
    if (left[key] === undefined) continue;
    fields++;
    if (!isSameValue(left[key], right[key])) return false;
  }
  for (const key in right) if (right[key] !== undefined) fields--;
  return fields === 0;
}
