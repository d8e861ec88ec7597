// How large a value is, for who does in pieces what would take long in one.

/** How many parts a value has, counted as far as the bound. */
export function partsIn(value: unknown, bound: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  if (Array.isArray(value)) {
    for (const part of value) {
      parts += partsIn(part, bound - parts);
      if (parts >= bound) return parts;
    }
    return parts;
  }
  // Plain objects have nothing enumerable to inherit, and a wide one need not be listed whole.
  // eslint-disable-next-line guard-for-in
  for (const key in value) {
    parts += partsIn((value as Readonly<Record<string, unknown>>)[key], bound - parts);
    if (parts >= bound) return parts;
  }
  return parts;
}
