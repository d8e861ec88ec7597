import {expect, test} from 'vitest';
import {
  ageOf,
  formatGoDuration,
  formatMicroTime,
  formatTime,
  humanDuration,
  parseGoDuration,
  parseTime,
  shortHumanDuration,
} from './time.ts';

const S = 1000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;

test.each([
  [-2 * S, '<invalid>'],
  [-1 * S, '0s'],
  [0, '0s'],
  [119 * S, '119s'],
  [120 * S, '2m'],
  [5 * M + 3 * S, '5m3s'],
  [10 * M + 3 * S, '10m'],
  [179 * M, '179m'],
  [3 * H, '3h'],
  [3 * H + 20 * M, '3h20m'],
  [9 * H + 20 * M, '9h'],
  [47 * H, '47h'],
  [2 * D + 4 * H, '2d4h'],
  [7 * D, '7d'],
  [8 * D + 4 * H, '8d'],
  [365 * D, '365d'],
  [2 * 365 * D + 3 * D, '2y3d'],
  [9 * 365 * D, '9y'],
])('a span of %d ms is %s for people', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

test('one unit alone', () => {
  expect([59 * S, 61 * S, 25 * H, 400 * D].map(shortHumanDuration)).toEqual(['59s', '1m', '1d', '1y']);
});

test('times go to text and back', () => {
  const ms = Date.UTC(2026, 10, 30, 4, 20, 20);
  expect(formatTime(ms + 999)).toBe('2026-11-30T04:20:20Z');
  expect(formatMicroTime(ms + 123)).toBe('2026-11-30T04:20:20.123000Z');
  expect(parseTime('2026-11-30T04:20:20Z')).toBe(ms);
  expect(parseTime('2026-11-30T05:20:20.5+01:00')).toBe(ms + 500);
  expect(parseTime('2026-02-30T05:20:20Z')).toBeUndefined();
  expect(parseTime('12:00')).toBeUndefined();
  expect(ageOf(undefined, ms)).toBe('<unknown>');
  expect(ageOf('2026-11-30T04:20:20Z', ms + 5 * M)).toBe('5m');
});

test.each([
  ['1m30s', 90 * S],
  ['1h0m0s', H],
  ['1.5s', 1500],
  ['100ms', 100],
  ['0s', 0],
  ['-2s', -2 * S],
  ['34.5ms', 34.5],
])('Go writes and reads %s', (text, ms) => {
  expect(formatGoDuration(ms)).toBe(text);
  expect(parseGoDuration(text)).toEqual({ms});
});

test.each([
  ['5', 'time: missing unit in duration "5"'],
  ['5x', 'time: unknown unit "x" in duration "5x"'],
  ['', 'time: invalid duration ""'],
  ['abc', 'time: invalid duration "abc"'],
])('Go refuses %j', (text, error) => {
  expect(parseGoDuration(text)).toEqual({error});
});
