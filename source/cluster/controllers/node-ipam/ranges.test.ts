import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Ranges} from './ranges.ts';

test('parts are handed out in order, and a part that came back is used last', () => {
  const ranges = new Ranges('10.244.0.0/22', 24);
  expect([ranges.take(), ranges.take()]).toEqual(['10.244.0.0/24', '10.244.1.0/24']);
  ranges.release('10.244.0.0/24');
  ranges.occupy('10.244.2.0/24');
  expect([ranges.take(), ranges.take(), ranges.take()]).toEqual(['10.244.3.0/24', '10.244.0.0/24', undefined]);
});

test('what lies outside is nobody’s business here', () => {
  const ranges = new Ranges('10.244.0.0/16', 24);
  expect(ranges.occupy('172.16.9.0/24')).toBe(false);
  expect(ranges.take()).toBe('10.244.0.0/24');
});

test('parts of a range of the sixth version', () => {
  const ranges = new Ranges('fd00:10:244::/63', 64);
  expect(ranges.occupy('10.244.0.0/24')).toBe(false);
  expect([ranges.take(), ranges.take(), ranges.take()]).toEqual(['fd00:10:244::/64', 'fd00:10:244:1::/64', undefined]);
});

test('no part is ever held twice', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({min: -1, max: 7}), {maxLength: 60}), moves => {
      const ranges = new Ranges('10.0.0.0/21', 24);
      const held: string[] = [];
      for (const move of moves) {
        const given = held[move];
        if (given === undefined) {
          const taken = ranges.take();
          expect(held).not.toContain(taken ?? '');
          expect(taken === undefined).toBe(held.length === 8);
          if (taken !== undefined) held.push(taken);
        } else {
          ranges.release(given);
          held.splice(move, 1);
        }
      }
    }),
  );
});
