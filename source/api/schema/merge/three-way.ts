// The patch that `kubectl apply` sends: the difference between the live object and what is wanted, without deletions, and
// the deletions between what was applied last time and what is wanted. Fields that others set and nobody ever applied stay.
import type {Schema} from '../types.ts';
import {get, isObject, type JsonObject, sameJson} from './json-value.ts';
import {sortBy} from './list-order.ts';
import {Places, sameItem} from './places.ts';
import {fieldMeta} from './patch-meta.ts';
import {DELETE_PRIMITIVES, DIRECTIVE, ELEMENT_ORDER, RETAIN_KEYS} from './strategic.ts';

/** Which half of a difference is wanted. */
interface Which {
  readonly additions: boolean;
  readonly deletions: boolean;
}

type Fields = Map<string, unknown>;

/** The strategic merge patch that makes `modified` of `original`. */
export function createTwoWayPatch(original: JsonObject, modified: JsonObject, schema: Schema): JsonObject {
  return diffMaps(original, modified, {schema, which: {additions: true, deletions: true}, retainKeys: false});
}

/** The strategic merge patch of `kubectl apply`: `original` is what was applied last time, `current` the live object. */
export function createThreeWayPatch(
  three: {original: JsonObject; modified: JsonObject; current: JsonObject},
  schema: Schema,
): JsonObject {
  const changes = diffMaps(three.current, three.modified, {
    schema,
    which: {additions: true, deletions: false},
    retainKeys: false,
  });
  const deletions = diffMaps(three.original, three.modified, {
    schema,
    which: {additions: false, deletions: true},
    retainKeys: false,
  });
  return joinPatches(deletions, changes, schema);
}

interface How {
  readonly schema: Schema | undefined;
  readonly which: Which;
  readonly retainKeys: boolean;
}

function diffMaps(original: JsonObject, modified: JsonObject, how: How): JsonObject {
  const patch: Fields = new Map();
  for (const [key, value] of Object.entries(modified)) {
    const before = get(original, key);
    if (before === undefined) {
      if (how.which.additions) patch.set(key, value);
    } else diffField(patch, key, {before, after: value, how});
  }
  if (how.which.deletions) {
    for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) patch.set(key, null);
  }
  if (how.retainKeys && (patch.size > 0 || Object.keys(original).some(key => !Object.hasOwn(modified, key)))) {
    const kept = Object.keys(modified).filter(key => modified[key] !== null);
    if (kept.length > 0) patch.set(RETAIN_KEYS, kept.toSorted());
  }
  return Object.fromEntries(patch);
}

function diffField(patch: Fields, key: string, {before, after, how}: {before: unknown; after: unknown; how: How}): void {
  const {which} = how;
  const meta = fieldMeta(how.schema, key);
  if (isObject(before) && isObject(after) && !meta.replace) {
    const inner = diffMaps(before, after, {schema: meta.schema, which, retainKeys: meta.retainKeys});
    if (Object.keys(inner).length > 0) patch.set(key, inner);
  } else if (Array.isArray(before) && Array.isArray(after) && meta.merge) {
    const lists = {before: before as readonly unknown[], after: after as readonly unknown[]};
    const made = diffLists(lists, {schema: meta.schema, which, retainKeys: meta.retainKeys}, meta.mergeKey);
    if (made.items.length > 0) patch.set(key, made.items);
    if (made.removed.length > 0) patch.set(`${DELETE_PRIMITIVES}${key}`, made.removed);
    if (made.order.length > 0) patch.set(`${ELEMENT_ORDER}${key}`, made.order);
  } else if (which.additions && !sameJson(before, after)) patch.set(key, after);
}

interface ListDifference {
  readonly items: readonly unknown[];
  readonly removed: readonly unknown[];
  readonly order: readonly unknown[];
}

const NO_DIFFERENCE: ListDifference = {items: [], removed: [], order: []};

interface TwoLists {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

function diffLists(lists: TwoLists, how: How, mergeKey: string): ListDifference {
  if (lists.before.length === 0) return how.which.additions ? {...NO_DIFFERENCE, items: lists.after} : NO_DIFFERENCE;
  return [...lists.before, ...lists.after].some(isObject)
    ? diffMapLists(lists, how, mergeKey)
    : diffScalarLists(lists, how.which);
}

function diffScalarLists({before, after}: TwoLists, which: Which): ListDifference {
  const missing = (from: readonly unknown[], list: readonly unknown[]) => {
    const places = new Places(list, '');
    return from.filter(item => !places.has(item));
  };
  const items = which.additions ? missing(after, before) : [];
  const removed = which.deletions ? missing(before, after) : [];
  const ordered = (which.deletions && removed.length > 0) || (which.additions && !sameJson(before, after));
  return {items, removed, order: ordered ? after : []};
}

function diffMapLists({before, after}: TwoLists, how: How, mergeKey: string): ListDifference {
  const {which} = how;
  const changed: unknown[] = [];
  const twice: unknown[] = [];
  const [olds, news] = [new Places(before, mergeKey), new Places(after, mergeKey)];
  for (const [at, item] of after.entries()) {
    const old = olds.like(item);
    // Of two items of one name the last is the old one's successor, and the first is something new.
    if (old !== undefined && news.lastOf(item) > at) {
      if (which.additions) twice.push(item);
    } else if (old === undefined) {
      if (which.additions) changed.push(item);
    } else if (isObject(old) && isObject(item)) {
      const inner = diffMaps(old, item, how);
      if (Object.keys(inner).length > 0) changed.push({...inner, [mergeKey]: get(item, mergeKey)});
    }
  }
  const gone = which.deletions ? before.filter(old => !news.has(old)) : [];
  const deletions = gone.map(old => ({[DIRECTIVE]: 'delete', [mergeKey]: isObject(old) ? get(old, mergeKey) : undefined}));
  const items = [...sortBy(changed, news), ...twice, ...deletions];
  const ordered =
    (which.additions && (items.length > 0 || !sameOrder(before, after, mergeKey))) || (which.deletions && items.length > 0);
  const order = ordered ? after.map(item => ({[mergeKey]: isObject(item) ? get(item, mergeKey) : undefined})) : [];
  return {items, removed: [], order};
}

/** Do both lists have the same items in one order? An item that somebody added is enough for another order. */
function sameOrder(before: readonly unknown[], after: readonly unknown[], mergeKey: string): boolean {
  return before.length === after.length && before.every((item, i) => sameItem(item, after[i], mergeKey));
}

/** Both halves of a patch in one: nulls and directives stay. */
function joinPatches(deletions: JsonObject, changes: JsonObject, schema: Schema | undefined): JsonObject {
  const out: Fields = new Map(Object.entries(deletions));
  for (const [key, value] of Object.entries(changes)) {
    const before = out.get(key);
    const meta = fieldMeta(schema, key);
    if (isObject(before) && isObject(value)) out.set(key, joinPatches(before, value, meta.schema));
    else if (Array.isArray(before) && Array.isArray(value) && meta.merge && meta.mergeKey !== '')
      out.set(key, joinLists(before, value, meta));
    else out.set(key, value);
  }
  return Object.fromEntries(out);
}

function joinLists(
  deletions: readonly unknown[],
  changes: readonly unknown[],
  meta: {mergeKey: string; schema: Schema | undefined},
): unknown[] {
  const [gone, kept] = [new Places(deletions, meta.mergeKey), new Places(changes, meta.mergeKey)];
  const joined = changes.map(item => {
    const other = gone.like(item);
    return isObject(other) && isObject(item) ? joinPatches(other, item, meta.schema) : item;
  });
  return [...joined, ...deletions.filter(item => !kept.has(item))];
}
