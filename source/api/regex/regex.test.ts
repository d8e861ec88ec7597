import {expect, test} from 'vitest';
import {compileRegex} from './regex.ts';

test.for<[string, string, boolean]>([
  ['^[A-Z]{2}[0-9]+$', 'AB12', true],
  ['^[A-Z]{2}[0-9]+$', 'abc', false],
  ['a|bc', 'xxbcx', true],
  ['^(?i)HELLO$', 'hello', true],
  ['^\\d{2,3}$', '1234', false],
  ['^[[:alpha:]_]+$', 'ab_c', true],
  ['\\bfoo\\b', 'a foo b', true],
  ['\\bfoo\\b', 'afoob', false],
  ['^\\p{Lu}', 'Äb', true],
  ['^[^]a]$', 'b', true],
  ['^(a+)+$', `${'a'.repeat(2000)}b`, false],
  ['^$', '', true],
])('%s on %s', ([pattern, text, matches]) => {
  const regex = compileRegex(pattern);
  expect('error' in regex ? regex.error : regex.test(text)).toBe(matches);
});

test.for<[string, string]>([
  ['[', 'missing closing ]: `[`'],
  ['(a', 'missing closing ): `(a`'],
  ['a)', 'unexpected ): `a)`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['\\y', 'invalid escape sequence: `\\y`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['a\\', 'trailing backslash at end of expression: ``'],
])('%s is no expression', ([pattern, words]) => {
  const regex = compileRegex(pattern);
  expect('error' in regex ? regex.error : 'compiled').toBe(`error parsing regexp: ${words}`);
});

test('the leftmost match and its groups', () => {
  const regex = compileRegex('(b+)(c)?');
  expect('error' in regex ? undefined : regex.find([...'abbcd'])).toEqual([1, 4, 1, 3, 3, 4]);
});
