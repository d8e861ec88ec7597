// A field of an object has a value: equal, unlike, within bounds (quantities are compared as quantities), or holding a text.
import {compareQuantities, parseQuantity} from '../../api/meta/quantity.ts';
import {anything, checked, list, needed, optional, record, text, word, yesNo} from '../level/reader.ts';
import type {CheckKind, ObjectReference} from './check.ts';
import {objectReference, referenceText} from './references.ts';

interface Arguments {
  readonly object: ObjectReference;
  readonly path: string;
  readonly equals?: unknown;
  readonly not?: unknown;
  readonly between?: readonly string[];
  readonly contains?: string;
  readonly exists?: boolean;
}

const shape = record({
  object: needed(objectReference()),
  path: needed(text()),
  equals: optional(anything()),
  not: optional(anything()),
  between: optional(
    checked(list(word()), bounds => (bounds.length === 2 ? undefined : 'two bounds are wanted here: [least, most]')),
  ),
  contains: optional(text()),
  exists: optional(yesNo()),
});

const COMPARISONS = ['equals', 'not', 'between', 'contains', 'exists'] as const;

export const field: CheckKind<Arguments> = {
  name: 'field',
  arguments: checked(shape, args =>
    COMPARISONS.some(name => args[name] !== undefined) ? undefined : `one of ${COMPARISONS.join(', ')} is wanted here`,
  ),
  judge(args, referee) {
    const object = referee.find(args.object);
    if (!object) return {met: args.exists === false, note: `no ${referenceText(args.object)}`};
    const value = valueAt(object, args.path);
    return {met: holds(args, value), note: value === undefined ? 'not set' : shown(value)};
  },
};

function holds({equals, not, between, contains, exists}: Arguments, value: unknown): boolean {
  if (equals !== undefined && !same(value, equals)) return false;
  if (not !== undefined && same(value, not)) return false;
  if (between && !isWithin(value, between)) return false;
  if (contains !== undefined && !shown(value).includes(contains)) return false;
  return exists === undefined || (value !== undefined) === exists;
}

function isWithin(value: unknown, [least = '0', most = '0']: readonly string[]): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if ('error' in parseQuantity(value)) return false;
  return compareQuantities(value, least) >= 0 && compareQuantities(value, most) <= 0;
}

function same(value: unknown, wanted: unknown): boolean {
  return value === wanted || JSON.stringify(value) === JSON.stringify(wanted);
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The value at a path such as `spec.containers[0].image` or `metadata.labels["app.kubernetes.io/name"]`. */
export function valueAt(object: unknown, path: string): unknown {
  let value = object;
  for (const [, name, index, quoted] of path.matchAll(/([^.[\]]+)|\[(\d+)\]|\["([^"]*)"\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const key = quoted ?? name ?? index ?? '';
    value = Array.isArray(value)
      ? (value as unknown[])[Number(key)]
      : Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined;
  }
  return value;
}
