// JSON values as patches see them, with nothing but own keys: `__proto__`, `constructor` and `10` are keys like others.

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a patch gave, or why it does not apply. */
export type Patched = {readonly value: unknown} | {readonly error: string};

/** Is it an object, and no list? */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own value under a key. */
export function get(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key of an object that is one's own. */
export function setKey(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, {value, writable: true, enumerable: true, configurable: true});
  else object[key] = value;
}

/** Do two JSON values say the same? The order of keys does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameJson(a[key], b[key]));
}
