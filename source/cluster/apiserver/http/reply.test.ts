import {expect, test} from 'vitest';
import {json, withWarnings} from './reply.ts';

/** The warnings that reach the client, without what stands around them. */
function sent(warnings: readonly string[]): readonly string[] {
  const header = withWarnings(json(200, {}), warnings).headers?.['warning'] ?? '';
  return header.split('\n').map(line => /^299 - "(.*)"$/.exec(line)?.[1] ?? `not a warning: ${line}`);
}

const long = (letters: number, letter = 'x') => letter.repeat(letters);

test.each<[string, readonly string[], readonly string[]]>([
  ['the same warning is said once', ['a', 'b', 'a'], ['a', 'b']],
  ['one may fill all the room', [long(4096)], [long(4096)]],
  ['one that does not fit is cut', [long(4097)], [long(256)]],
  ['with the first that goes beyond the room all are cut', [long(4000), 'short', long(300)], [long(256), 'short', long(256)]],
  ['letters count, not their halves', [long(4096, '😀')], [long(4096, '😀')]],
  ['and are not cut in two', [long(4097, '😀')], [long(256, '😀')]],
])('%s', (_name, warnings, expected) => {
  expect(sent(warnings)).toEqual(expected);
});

test('of many only so many are said as there is room for', () => {
  const warnings = Array.from({length: 100_000}, (_, n) => `unknown field ${String(n).padStart(86, '0')}`);
  expect(sent(warnings)).toEqual(warnings.slice(0, 41));
});

test('a warning that would break a header is not said', () => {
  expect(withWarnings({status: 200}, ['unknown field "a\u0000b"', 'é']).headers).toEqual({warning: '299 - "é"'});
  expect(withWarnings({status: 200}, ['a\nb']).headers).toBeUndefined();
});
