import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Places, sameItem} from './places.ts';

const value = fc.oneof(fc.constantFrom('a', 'b', '1', 1, 2, true, null), fc.record({x: fc.constantFrom(1, 'a')}));
const item = fc.oneof(value, fc.record({name: value, more: fc.nat(3)}, {requiredKeys: []}));

test('a place is the same however long the list is, and whether it was built or grew', () => {
  fc.assert(
    fc.property(
      fc.array(item, {maxLength: 40}),
      fc.array(item, {maxLength: 5}),
      fc.constantFrom('', 'name'),
      (list, more, key) => {
        const places = new Places(list, key);
        const asked = [...list, ...more];
        const expected = (items: readonly unknown[]) =>
          asked.map(one => [
            items.findIndex(other => sameItem(other, one, key)),
            items.findLastIndex(other => sameItem(other, one, key)),
          ]);
        expect(asked.map(one => [places.of(one), places.lastOf(one)])).toEqual(expected(list));
        for (const one of more) places.push(one);
        expect(asked.map(one => [places.of(one), places.lastOf(one)])).toEqual(expected(asked));
      },
    ),
  );
});
