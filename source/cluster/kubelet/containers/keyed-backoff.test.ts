import {expect, test} from 'vitest';
import {KeyedBackoff} from './keyed-backoff.ts';

test.each([
  ['from 10 s up to 5 min', undefined, [10, 20, 40, 80, 160, 300, 300]],
  ['up to what the configuration says', 30_000, [10, 20, 30, 30, 30, 30, 30]],
  ['not at all where that is less than 10 s', 2000, [2, 2, 2, 2, 2, 2, 2]],
])('waits double %s', (_, mostMs, wanted) => {
  const backoff = new KeyedBackoff(mostMs);
  const waits: number[] = [];
  let now = 0;
  expect(backoff.waiting('a', now)).toBeUndefined();
  for (let n = 0; n < 7; n++) {
    backoff.step('a', now);
    const waiting = backoff.waiting('a', now);
    waits.push((waiting?.delayMs ?? 0) / 1000);
    now = waiting?.until ?? now;
    expect(backoff.waiting('a', now)).toBeUndefined();
  }
  expect(waits).toEqual(wanted);
});

test('a key that was quiet for ten minutes begins anew', () => {
  const backoff = new KeyedBackoff();
  backoff.step('a', 0);
  backoff.step('a', 10_000);
  backoff.step('a', 611_000);
  expect(backoff.waiting('a', 611_000)?.delayMs).toBe(10_000);
});

test('the wait of a container counts from its end, not from the step', () => {
  const backoff = new KeyedBackoff();
  backoff.step('a', 1000, 900);
  expect(backoff.waiting('a', 5000, 4000)).toEqual({delayMs: 10_000, until: 14_000});
  expect(backoff.waiting('a', 14_000, 4000)).toBeUndefined();
});

test('keys do not know each other', () => {
  const backoff = new KeyedBackoff();
  backoff.step('a', 0);
  expect(backoff.waiting('b', 0)).toBeUndefined();
  backoff.forget('a');
  expect(backoff.waiting('a', 0)).toBeUndefined();
});
