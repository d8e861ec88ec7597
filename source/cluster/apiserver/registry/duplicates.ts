// Keys that stand twice in an object of a text.
import {pathText} from '../../../api/schema/walk-state.ts';

/** The paths of the keys that stand twice. */
export function duplicatePaths(
  value: unknown,
  duplicates: WeakMap<object, readonly string[]>,
  path: readonly (string | number)[] = [],
): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (duplicates.get(value) ?? []).map(key => pathText([...path, key]));
  const parts: readonly [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, i) => [i, item])
    : Object.entries(value);
  return [...own, ...parts.flatMap(([step, part]) => duplicatePaths(part, duplicates, [...path, step]))];
}
