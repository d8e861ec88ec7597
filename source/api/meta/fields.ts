// The fields of a value that came as JSON.

/** An object with fields, of which nothing else is known. */
export type Fields = Readonly<Record<string, unknown>>;

/** Is a value an object with fields: no list, no null? */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
