// `--sort-by`: objects in the order of what a path finds in them. Objects in which it finds nothing come first.
import {compareQuantities, parseQuantity} from '../../api/meta/quantity.ts';
import {fail, Failure} from '../failure.ts';
import {evaluate} from '../../api/jsonpath/evaluate.ts';
import {parsePath, relaxedPath} from '../../api/jsonpath/parse.ts';
import {compareNaturally} from './natural-order.ts';

const RELAXED = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";

/** The items in order. `objectOf` gives what the path is looked up in. */
export function sortBy<T>(items: readonly T[], path: string, objectOf: (item: T) => unknown): readonly T[] | Failure {
  const template = relaxedPath(path);
  if (template === undefined) return fail(RELAXED);
  const parsed = parsePath(template);
  if ('error' in parsed) return fail(parsed.error);
  const keyed: {item: T; key: unknown}[] = [];
  for (const item of items) {
    const found = evaluate(parsed.root, objectOf(item));
    if ('error' in found) return fail(found.error);
    keyed.push({item, key: found.results[0]?.[0]});
  }
  if (items.length > 0 && keyed.every(({key}) => key === undefined)) {
    return fail(`couldn't find any field with path ${JSON.stringify(template)} in the list of objects`);
  }
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({item}) => item);
}

function compareKeys(a: unknown, b: unknown): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a !== 'string' || typeof b !== 'string') return 0;
  if (isQuantity(a) && isQuantity(b)) return compareQuantities(a, b);
  return compareNaturally(a, b);
}

function isQuantity(text: string): boolean {
  return !('error' in parseQuantity(text));
}
