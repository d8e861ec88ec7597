import fc from 'fast-check';
import {expect, test} from 'vitest';
import {cut, ends, fit, rowsOf, widthOf, wrap} from './width.ts';

const red = (text: string) => `\u001B[31m${text}\u001B[0m`;

test.each([
  ['plain letters', 'abc', 3],
  ['colours take no room', red('abc'), 3],
  ['a wide character takes two', '日本', 4],
  ['an emoji takes two', '🚀', 2],
  ['a combining mark takes none', 'e\u0301', 1],
  ['shapes of lights take one', '●◐○✖◌', 5],
] as const)('%s', (_, text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('a cut text ends in a mark, and its colour ends with it', () => {
  expect(cut('abcdef', 4)).toBe('abc…');
  expect(cut(red('abcdef'), 4)).toBe('\u001B[31mabc…\u001B[0m');
  expect(cut('abc', 3)).toBe('abc');
});

test('two texts stand at the ends of a row, the left one gives way, and they never touch', () => {
  expect(ends('left', 'right', 12)).toBe('left   right');
  expect(ends('a long left', 'right', 10)).toBe('a l… right');
  expect(ends('abcde', 'right', 10)).toBe('abc… right');
});

test('a long line takes several rows, and its colour goes on', () => {
  expect(rowsOf('abcdef', 4)).toEqual(['abcd', 'ef']);
  expect(rowsOf(red('abcdef'), 4)).toEqual(['\u001B[31mabcd\u001B[0m', '\u001B[31mef\u001B[0m']);
});

test('prose is broken between words', () => {
  expect(wrap('the quick brown fox', 10)).toEqual(['the quick', 'brown fox']);
  expect(wrap('one\n\ntwo', 10)).toEqual(['one', '', 'two']);
});

test('whatever the text, a fitted one has exactly the width', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), fc.integer({min: 1, max: 30}), (text, width) => {
      const plain = text.replaceAll(/[\u0000-\u001F\u007F]/g, '');
      const fitted = widthOf(fit(plain, width));
      expect(fitted).toBe(width);
    }),
  );
});
