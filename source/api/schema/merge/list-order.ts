// The order of merged lists: what the patch names stands in the patch's order, the rest in the live order, and the two are
// woven together as near to the live order as can be.
import {Places, sameItem} from './places.ts';

/** Orders the items of a merged list by the patch (or by `$setElementOrder`) and by the live list. */
export function orderItems(
  merged: readonly unknown[],
  by: {patch: readonly unknown[]; live: readonly unknown[]; mergeKey: string},
): unknown[] {
  const {patch, live, mergeKey} = by;
  // Mostly a patch names all items in the order in which they are.
  if (merged.length === patch.length && merged.every((item, i) => sameItem(item, patch[i], mergeKey))) return [...merged];
  const [named, alive] = [new Places(patch, mergeKey), new Places(live, mergeKey)];
  const inPatch = merged.filter(item => named.has(item));
  const others = merged.filter(item => !named.has(item));
  return weave(sortBy(others, alive), sortBy(inPatch, named), alive);
}

/** Sorts by the place in a list; what is not there comes first. */
export function sortBy(items: readonly unknown[], order: Places): unknown[] {
  return items
    .map(item => ({item, place: order.of(item)}))
    .toSorted((a, b) => a.place - b.place)
    .map(({item}) => item);
}

function weave(left: readonly unknown[], right: readonly unknown[], live: Places): unknown[] {
  const out: unknown[] = [];
  let i = 0;
  for (const item of right) {
    const place = live.of(item);
    while (place >= 0 && i < left.length) {
      const other = live.of(left[i]);
      if (other < 0 || other >= place) break;
      out.push(left[i++]);
    }
    out.push(item);
  }
  return [...out, ...left.slice(i)];
}
