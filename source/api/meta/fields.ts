// Values of which nothing is known yet but that they came as JSON or YAML.

export type Fields = Readonly<Record<string, unknown>>;

/** Is this an object with fields, rather than a list or a scalar? */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
