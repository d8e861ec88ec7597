// Which texts are addresses and ranges, strictly and as old objects may have them, and their canonical forms.
import {expect, test} from 'vitest';
import {ipFamily, ipText, oldIpFamily, parseCidr, parseIp, parseOldCidr} from './ip.ts';

test.each([
  ['10.0.0.1', 4, 4],
  ['010.0.0.1', undefined, 4],
  ['10.0.0.256', undefined, undefined],
  ['10.0.0', undefined, undefined],
  ['10.0.0.1.2', undefined, undefined],
  ['10.0.0.a', undefined, undefined],
  ['', undefined, undefined],
  ['::', 6, 6],
  ['2001:db8::1', 6, 6],
  ['1:2:3:4:5:6:7:8', 6, 6],
  ['1:2:3:4:5:6:7::', 6, 6],
  ['1:2:3:4:5:6:7:8::', undefined, undefined],
  ['1:2:3:4:5:6:7', undefined, undefined],
  ['1::2::3', undefined, undefined],
  ['12345::', undefined, undefined],
  ['::ffff:1.2.3.4', 6, 6],
  ['::ffff:01.2.3.4', undefined, undefined],
  ['1.2.3.4::', undefined, undefined],
  ['1:2:3:4:5:6:7:1.2.3.4', undefined, undefined],
])('%j is of the family %s, of old %s', (text, family, old) => {
  expect([ipFamily(text), parseIp(text)?.family, oldIpFamily(text)]).toEqual([family, family, old]);
});

test.each([
  ['10.0.0.0/8', true, true],
  ['10.0.0.0/08', false, true],
  ['010.0.0.0/8', false, true],
  ['10.0.0.0/33', false, false],
  ['2001:db8::/64', true, true],
  ['2001:db8::/129', false, false],
  ['10.0.0.0', false, false],
  ['10.0.0.0/8/8', false, false],
])('%j is a range: %s, of old: %s', (text, strict, old) => {
  expect([parseCidr(text) !== undefined, parseOldCidr(text) !== undefined]).toEqual([strict, old]);
});

test.each([
  ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['::FFFF:1.2.3.4', '::ffff:1.2.3.4'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
])('%s is written %s', (text, canonical) => {
  const ip = parseIp(text);
  expect(ip && ipText(ip)).toBe(canonical);
});
