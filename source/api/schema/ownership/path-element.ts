// Elements of a path, as managedFields write them, and as conflicts print them.
import {isFields} from '../../meta/fields.ts';
import {compareStrings, sortStrings} from '../../meta/go-text.ts';

/** The element of a named field or of a key of a map. */
export function fieldElement(name: string): string {
  return `f:${name}`;
}

/** The element of an item that its keys name. */
export function keyElement(keys: readonly (readonly [name: string, value: unknown])[]): string {
  const [only] = keys;
  if (only && keys.length === 1) return `k:{${JSON.stringify(only[0])}:${JSON.stringify(only[1])}}`;
  return `k:${JSON.stringify(Object.fromEntries(keys.toSorted(([a], [b]) => compareStrings(a, b))))}`;
}

/** The element of an item of a set. */
export function valueElement(value: unknown): string {
  return `v:${JSON.stringify(value)}`;
}

const KINDS = 'fkvi';

/** Elements in order: fields before items by key, these before items by value. Each is read once. */
export function sortElements(elements: string[]): string[] {
  if (elements.every(element => element.startsWith('f:'))) return sortStrings(elements);
  const read = elements.map(element => ({
    element,
    kind: KINDS.indexOf(element.charAt(0)),
    content: element.startsWith('f:') ? element : contentOf(element),
  }));
  return read.sort((a, b) => a.kind - b.kind || compareValues(a.content, b.content)).map(({element}) => element);
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
    const left = Object.keys(a);
    const right = Object.keys(b);
    for (const [at, name] of left.entries()) {
      const other = right[at];
      if (other === undefined) return 1;
      const order = compareStrings(name, other) || compareValues(a[name], b[other]);
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
