// The order of merged lists: what the patch names stands in the patch's order, the rest in the live order, and the two are
// woven together as near to the live order as can be.
import {get, isObject, sameJson} from './json-value.ts';

/** What tells an item of a list from another: the merge key of a map, the value itself of a scalar. */
export function sameItem(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey === '' || !isObject(a) || !isObject(b)) return sameJson(a, b);
  return sameJson(get(a, mergeKey), get(b, mergeKey));
}

/** Orders the items of a merged list by the patch (or by `$setElementOrder`) and by the live list. */
export function orderItems(
  merged: readonly unknown[],
  by: {patch: readonly unknown[]; live: readonly unknown[]; mergeKey: string},
): unknown[] {
  const {patch, live, mergeKey} = by;
  // Mostly a patch names all items in the order in which they are.
  if (merged.length === patch.length && merged.every((item, i) => sameItem(item, patch[i], mergeKey))) return [...merged];
  const inPatch = merged.filter(item => indexIn(patch, item, mergeKey) >= 0);
  const others = merged.filter(item => indexIn(patch, item, mergeKey) < 0);
  return weave(sortBy(others, live, mergeKey), sortBy(inPatch, patch, mergeKey), {live, mergeKey});
}

/** Sorts by the place in a list; what is not there comes first. */
export function sortBy(items: readonly unknown[], order: readonly unknown[], mergeKey: string): unknown[] {
  return items
    .map(item => ({item, place: indexIn(order, item, mergeKey)}))
    .toSorted((a, b) => a.place - b.place)
    .map(({item}) => item);
}

function weave(left: readonly unknown[], right: readonly unknown[], by: {live: readonly unknown[]; mergeKey: string}): unknown[] {
  const out: unknown[] = [];
  let i = 0;
  for (const item of right) {
    const place = indexIn(by.live, item, by.mergeKey);
    while (place >= 0 && i < left.length) {
      const other = indexIn(by.live, left[i], by.mergeKey);
      if (other < 0 || other >= place) break;
      out.push(left[i++]);
    }
    out.push(item);
  }
  return [...out, ...left.slice(i)];
}

function indexIn(list: readonly unknown[], item: unknown, mergeKey: string): number {
  return list.findIndex(other => sameItem(other, item, mergeKey));
}
