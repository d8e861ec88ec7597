import {expect, test} from 'vitest';
import {Dice} from './dice.ts';
import {untilNext} from './grid.ts';

test('the next point of a grid is the one after this moment', () => {
  expect(untilNext(0, 10_000)).toBe(10_000);
  expect(untilNext(12_000, 10_000)).toBe(8000);
  expect(untilNext(12_000, 10_000, 11_500)).toBe(9500);
});

test('a look that asks for the next one always comes later, wherever the grid begins', () => {
  const dice = new Dice(1);
  for (let n = 0; n < 200; n++) {
    const period = [1000, 10_000, 20_000, 30_000, 60_000][dice.below(5)] ?? 1000;
    const begin = dice.below(100_000) / 10 + dice.fraction();
    let now = begin + dice.fraction() * period;
    for (let looks = 0; looks < 200; looks++) {
      const next = now + untilNext(now, period, begin);
      expect(next).toBeGreaterThan(now);
      expect(looks === 0 || next - now > period / 2, `${now} to ${next}`).toBe(true);
      now = next;
    }
  }
});
