// Times and spans as journalctl takes them, options as getopt reads them.
import {expect, test} from 'vitest';
import {getOpt, optionsOf} from '../flags/getopt.ts';
import {journalTime} from './journal-time.ts';
import {timeSpan} from './services.ts';

const NOW = Date.parse('2026-11-30T09:30:00Z');

test.each([
  ['now', '2026-11-30T09:30:00Z'],
  ['today', '2026-11-30T00:00:00Z'],
  ['yesterday', '2026-11-29T00:00:00Z'],
  ['-1h', '2026-11-30T08:30:00Z'],
  ['10 min ago', '2026-11-30T09:20:00Z'],
  ['1 hour 5 minutes ago', '2026-11-30T08:25:00Z'],
  ['09:10', '2026-11-30T09:10:00Z'],
  ['2026-11-29', '2026-11-29T00:00:00Z'],
  ['2026-11-29 23:59:58', '2026-11-29T23:59:58Z'],
  ['@1796030000', '2026-11-30T09:13:20Z'],
])('%s is %s', (text, wanted) => expect(journalTime(text, NOW)).toBe(Date.parse(wanted)));

test.each(['soon', '10 potatoes ago', '', '2026-13-45'])('%j is no time', text => expect(journalTime(text, NOW)).toBeUndefined());

test.each([
  [500, '500ms'],
  [5000, '5s'],
  [123_000, '2min 3s'],
  [3_600_000, '1h'],
  [90_061_000, '1 day 1h'],
  [259_200_000, '3 days'],
])('%d ms are %s', (ms, wanted) => expect(timeSpan(ms)).toBe(wanted));

const OPTIONS = optionsOf({letters: 'u=unit f=follow n=lines', none: 'follow no-pager', needed: 'unit', optional: 'lines'});

test.each([
  [['-fu', 'kubelet'], {follow: [''], unit: ['kubelet']}, []],
  [['-ukubelet', '-n5'], {unit: ['kubelet'], lines: ['5']}, []],
  [['-n', '5', '--unit=a', '--unit', 'b'], {lines: ['5'], unit: ['a', 'b']}, []],
  [['-n', 'word'], {lines: ['']}, ['word']],
  [['--', '-f'], {}, ['-f']],
  [['--foll'], {follow: ['']}, []],
])('%j', (argv, given, words) => {
  const read = getOpt('x', argv, OPTIONS);
  expect(read.ok && {given: Object.fromEntries(read.given), words: read.words}).toEqual({given, words});
});

test.each([
  [['--nope'], "x: unrecognized option '--nope'"],
  [['-z'], "x: invalid option -- 'z'"],
  [['-u'], "x: option requires an argument -- 'u'"],
  [['--unit'], "x: option '--unit' requires an argument"],
  [['--follow=1'], "x: option '--follow' doesn't allow an argument"],
])('%j is refused', (argv, message) => expect(getOpt('x', argv, OPTIONS)).toEqual({ok: false, message}));
