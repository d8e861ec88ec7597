import {expect, test} from 'vitest';
import {digitsOfPi} from './perl.ts';

test.each([
  [1, '3'],
  [5, '3.1416'],
  [10, '3.141592654'],
  [50, '3.1415926535897932384626433832795028841971693993751'],
])('%i digits of pi are rounded as bpi does', (digits, text) => {
  expect(digitsOfPi(digits)).toBe(text);
});

test('the digits go on as they should: the six nines at the 762nd place', () => {
  expect(digitsOfPi(1000).slice(2 + 761, 2 + 767)).toBe('999999');
});
