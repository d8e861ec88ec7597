// Thresholds: what is met, in which order, and how it is written.
import {expect, test} from 'vitest';
import {bytesOf, metThresholds, shownThreshold, STANDARD_EVICTION, type Signal, type Threshold} from './thresholds.ts';

const GIB = 1024 ** 3;
const hard = (signal: Signal, value: string): Threshold => ({signal, value, graceMs: 0});

test.each<[string, number, string]>([
  ['100Mi', 104_857_600, '100Mi'],
  ['5%', 5 * GIB, '5Gi'],
  ['15%', 15 * GIB, '15Gi'],
  ['0.001%', 1_073_741, '1073741'],
])('%s of 100Gi', (value, bytes, shown) => {
  expect(bytesOf(hard('nodefs.available', value), 100 * GIB)).toBe(bytes);
  expect(shownThreshold(hard('nodefs.available', value), 100 * GIB)).toBe(shown);
});

test.each<[string, number, number, string[]]>([
  ['plenty', 2 * GIB, 50 * GIB, []],
  ['little memory', 50 * 1024 ** 2, 50 * GIB, ['memory.available']],
  ['little room for images', 2 * GIB, 14 * GIB, ['imagefs.available']],
  ['little room at all', 2 * GIB, 9 * GIB, ['nodefs.available', 'imagefs.available']],
  ['little of everything', 0, 0, ['memory.available', 'nodefs.available', 'imagefs.available']],
])('%s', (_, memory, disk, wanted) => {
  const observed = {available: disk, capacity: 100 * GIB};
  const seen = new Map<Signal, {available: number; capacity: number}>([
    ['memory.available', {available: memory, capacity: 4 * GIB}],
    ['nodefs.available', observed],
    ['imagefs.available', observed],
  ]);
  expect(metThresholds(STANDARD_EVICTION.thresholds, seen).map(({signal}) => signal)).toEqual(wanted);
});

test('what was not seen is not met', () => {
  expect(metThresholds(STANDARD_EVICTION.thresholds, new Map())).toEqual([]);
});
