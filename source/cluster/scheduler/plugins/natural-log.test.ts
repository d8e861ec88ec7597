import {expect, test} from 'vitest';
import {naturalLog} from './natural-log.ts';

test('logarithms of whole numbers, to the last digits', () => {
  for (const value of [1, 2, 3, 10, 102, 422, 5002, 150_002]) expect(naturalLog(value)).toBeCloseTo(Math.log(value), 13);
});
