// `--sort-by`: objects in the order of what a path finds in them. Objects in which it finds nothing come first.
import {compareQuantities, parseQuantity} from '../../api/meta/quantity.ts';
import {isFields, type Fields} from '../../api/meta/fields.ts';
import {printed} from '../../api/schema/printed.ts';
import {fail, Failure, failRaw} from '../failure.ts';
import {evaluate} from '../../api/jsonpath/evaluate.ts';
import {parsePath, relaxedPath} from '../../api/jsonpath/parse.ts';
import type {Process} from '../../sim/process/process.ts';
import {klogTime} from '../request/klog.ts';
import {goSorted} from './go-sort.ts';
import {compareNaturally} from './natural-order.ts';

const RELAXED = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'";

/** What is sorted, as the complaint about values without an order names it. */
const SORTED = {
  rows: {line: 375, type: '[][][]reflect.Value'},
  objects: {line: 329, type: '*unstructured.Unstructured'},
} as const;

export interface SortOptions<T> {
  readonly process: Process;
  readonly path: string;
  readonly of: keyof typeof SORTED;
  /** In what the path is looked up. */
  readonly objectOf: (item: T) => unknown;
}

/** The items in order. Equals come as Go's sort leaves them, and values that have no order end the command. */
export function sortBy<T>(items: readonly T[], {process, path, of, objectOf}: SortOptions<T>): readonly T[] | Failure {
  const template = relaxedPath(path);
  if (template === undefined) return fail(RELAXED);
  const parsed = parsePath(template);
  if ('error' in parsed) return fail(parsed.error);
  const keyed: {item: T; key: unknown}[] = [];
  for (const item of items) {
    const found = evaluate(parsed.root, shown(objectOf(item)));
    if ('error' in found) return fail(found.error);
    keyed.push({item, key: found.results[0]?.[0]});
  }
  if (items.length > 0 && keyed.every(({key}) => key === undefined))
    return fail(`couldn't find any field with path ${JSON.stringify(template)} in the list of objects`);
  let unsortable: string | undefined;
  const sorted = goSorted(keyed, (a, b) => {
    if (a.key === undefined || b.key === undefined) return a.key === undefined;
    unsortable ??= typeWithoutOrder(a.key);
    return isLess(a.key, b.key);
  });
  if (unsortable === undefined) return sorted.map(({item}) => item);
  const {line, type} = SORTED[of];
  return failRaw(
    `F${klogTime(process)} sorter.go:${line}] Field ${template} in ${type} is an unsortable type: interface, err: unsortable type: ${unsortable}\n`,
  );
}

/** The server tells the nulls of Go's types, and a null is not the same as nothing. */
function shown(object: unknown): unknown {
  return isFields(object) && typeof object['kind'] === 'string' && typeof object['apiVersion'] === 'string'
    ? printed(object as Fields & {kind: string; apiVersion: string})
    : object;
}

function typeWithoutOrder(key: unknown): string | undefined {
  if (key === null) return undefined;
  if (typeof key === 'string' || typeof key === 'number') return undefined;
  if (typeof key === 'boolean') return 'bool';
  return Array.isArray(key) ? '[]interface {}' : 'map[string]interface {}';
}

function isLess(a: unknown, b: unknown): boolean {
  if (a === null || b === null) return b !== null;
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  return (isQuantity(a) && isQuantity(b) ? compareQuantities(a, b) : compareNaturally(a, b)) < 0;
}

function isQuantity(text: string): boolean {
  return !('error' in parseQuantity(text));
}
