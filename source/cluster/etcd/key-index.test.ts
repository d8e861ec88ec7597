import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {KeyValue} from '../../api/wire/etcd.ts';
import {FROM_KEY, type Item, KeyIndex} from './key-index.ts';

const item = (key: string): Item => ({key, current: {key} as KeyValue, older: undefined});

const keysOf = (index: KeyIndex, key: string, end: string): string[] => {
  const keys: string[] = [];
  index.walk(key, end, found => {
    keys.push(found.key);
  });
  return keys;
};

test('walks what was added, in order, whatever the order and number of additions and removals', () => {
  const key = fc.integer({min: 0, max: 3000}).map(n => String(n));
  const step = fc.oneof(
    fc.record({add: fc.array(key, {maxLength: 800})}),
    fc.record({remove: key}),
    fc.record({from: key, to: key}),
  );
  fc.assert(
    fc.property(fc.array(step, {maxLength: 12}), steps => {
      const index = new KeyIndex();
      const model = new Set<string>();
      for (const each of steps) {
        if ('add' in each) {
          for (const one of each.add) if (!index.get(one)) index.add(item(one));
          for (const one of each.add) model.add(one);
        } else if ('remove' in each) {
          index.remove(each.remove);
          model.delete(each.remove);
        } else {
          const {from, to} = each;
          expect(keysOf(index, from, to)).toEqual([...model].filter(one => one >= from && one < to).sort());
        }
      }
      expect(keysOf(index, '', FROM_KEY)).toEqual([...model].sort());
      expect(index.size).toBe(model.size);
    }),
    {numRuns: 60},
  );
});
