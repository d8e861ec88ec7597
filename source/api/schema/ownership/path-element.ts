// Elements of a path, as managedFields write them, and as conflicts print them.
import {isFields} from '../../meta/fields.ts';
import {compareStrings} from '../../meta/go-text.ts';

/** The element of a named field or of a key of a map. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The element of an item that its keys name. */
export function keyElement(keys: readonly (readonly [name: string, value: unknown])[]): string {
  return `k:${JSON.stringify(Object.fromEntries(keys.toSorted(([a], [b]) => compareStrings(a, b))))}`;
}

/** The element of an item of a set. */
export function valueElement(value: unknown): string {
  return `v:${JSON.stringify(value)}`;
}

const KINDS = 'fkvi';

/** Fields come before items by key, these before items by value. */
export function compareElements(a: string, b: string): number {
  const kinds = KINDS.indexOf(a.charAt(0)) - KINDS.indexOf(b.charAt(0));
  if (kinds !== 0) return kinds;
  if (a.startsWith('f:')) return compareStrings(a, b);
  return compareValues(contentOf(a), contentOf(b));
}

function contentOf(element: string): unknown {
  try {
    return JSON.parse(element.slice(2)) as unknown;
  } catch {
    return element;
  }
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (isFields(a) && isFields(b)) {
    const left = Object.entries(a);
    const right = Object.entries(b);
    for (const [at, [name, value]] of left.entries()) {
      const other = right[at];
      if (!other) return 1;
      const order = compareStrings(name, other[0]) || compareValues(value, other[1]);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  return compareStrings(JSON.stringify(a), JSON.stringify(b));
}

/** A path as people read it: `.spec.containers[name="web"].image`. */
export function pathText(path: readonly string[]): string {
  return path.map(elementText).join('');
}

function elementText(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('v:')) return `[=${content}]`;
  if (element.startsWith('i:')) return `[${content}]`;
  const keys = contentOf(element);
  if (!isFields(keys)) return `[${content}]`;
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',')}]`;
}
