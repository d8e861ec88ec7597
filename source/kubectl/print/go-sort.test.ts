import {expect, test} from 'vitest';
import {goSorted} from './go-sort.ts';

test('equals of a long list come as they come out of the real one', () => {
  const late = new Set([5, 11, 17, 23]);
  const items = Array.from({length: 24}, (_, place) => ({place, second: late.has(place) ? 2 : 0}));
  const order = goSorted(items, (a, b) => a.second < b.second).map(({place}) => place);
  // As kubectl 1.35 showed the events of four nodes.
  expect(order).toEqual([12, 0, 2, 3, 4, 22, 21, 7, 8, 9, 1, 6, 16, 13, 14, 15, 10, 20, 18, 19, 17, 11, 5, 23]);
});

test('short lists keep the order of equals', () => {
  expect(goSorted(['b1', 'a1', 'b2', 'a2'], (a, b) => (a[0] ?? '') < (b[0] ?? ''))).toEqual(['a1', 'a2', 'b1', 'b2']);
});
