import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatMilli,
  formatUnits,
  milliValue,
  parseQuantity,
  QUANTITY_SYNTAX,
  subtractQuantities,
  unitValue,
} from './quantity.ts';

test.each([
  ['0.5Gi', '512Mi'],
  ['1000m', '1'],
  ['1.5', '1500m'],
  ['1500m', '1500m'],
  ['1024', '1024'],
  ['1000', '1k'],
  ['1024Ki', '1Mi'],
  ['1.5Gi', '1536Mi'],
  ['0.5', '500m'],
  ['1e3', '1e3'],
  ['1E3', '1e3'],
  ['1E', '1E'],
  ['0', '0'],
  ['0Gi', '0'],
  ['-5', '-5'],
  ['+5', '5'],
  ['.5', '500m'],
  ['5.', '5'],
  ['0.0001m', '100n'],
  ['0.1n', '1n'],
  ['1.1Ki', '1126400m'],
  ['100Ei', '9223372036854775807'],
  ['1000Ki', '1000Ki'],
  ['512', '512'],
])('%s is printed as %s', (text, canonical) => {
  expect(canonicalQuantity(text)).toBe(canonical);
});

test.each([
  ['1Zb', QUANTITY_SYNTAX],
  ['', QUANTITY_SYNTAX],
  ['1 Gi', QUANTITY_SYNTAX],
  ['10MB', QUANTITY_SYNTAX],
  ['1mi', "unable to parse quantity's suffix"],
  ['Gi', 'unable to parse numeric part of quantity'],
])('%j is no quantity', (text, error) => {
  expect(parseQuantity(text)).toEqual({error});
});

test('values are rounded up', () => {
  expect(milliValue('1')).toBe(1000);
  expect(milliValue('1u')).toBe(1);
  expect(unitValue('1m')).toBe(1);
  expect(unitValue('1.5Gi')).toBe(1_610_612_736);
  expect(unitValue(undefined)).toBe(0);
});

test('sums and differences are exact and keep the family of the first', () => {
  expect(addQuantities('100m', '900m')).toBe('1');
  expect(addQuantities('1Gi', '512Mi')).toBe('1536Mi');
  expect(addQuantities('0', '512Mi')).toBe('512Mi');
  expect(subtractQuantities('2', '500m')).toBe('1500m');
  expect(compareQuantities('1', '1000m')).toBe(0);
  expect(compareQuantities('1Gi', '1G')).toBe(1);
  expect(formatMilli(1500)).toBe('1500m');
  expect(formatUnits(2 * 1024 * 1024, 'BinarySI')).toBe('2Mi');
});

test('a canonical form is its own canonical form and means the same', () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom('', 'm', 'k', 'Ki', 'M', 'Mi', 'Gi', 'e3', 'u'), (number, suffix) => {
      const once = canonicalQuantity(`${number}${suffix}`);
      expect(canonicalQuantity(once)).toBe(once);
      expect(compareQuantities(once, `${number}${suffix}`)).toBe(0);
    }),
  );
});
