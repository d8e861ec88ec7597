import {expect, test} from 'vitest';
import {EMPTY_TRANSCRIPT, isAtPrompt, writeTo} from './transcript.ts';

test.each([
  ['a line is finished by its end', ['ab', 'c\nd'], ['abc'], 'd'],
  ['a carriage return overwrites', ['10%\r20%\n'], ['20%'], ''],
  ['a line end of two characters is one', ['a\r\nb\r\n'], ['a', 'b'], ''],
  ['colours stay, cursor movement goes', ['\u001B[31mred\u001B[0m\u001B[2K\n'], ['\u001B[31mred\u001B[0m'], ''],
  ['clearing the screen drops what stood there', ['old\n', '\u001B[H\u001B[2Jnew'], [], 'new'],
  ['a tab goes to the next stop', ['a\tb\n'], ['a       b'], ''],
  ['a bell is not shown', ['a\u0007b\n'], ['ab'], ''],
] as const)('%s', (_, texts, lines, last) => {
  expect(texts.reduce(writeTo, EMPTY_TRANSCRIPT)).toMatchObject({lines, last});
});

test('old lines are dropped, and counted', () => {
  const long = writeTo(EMPTY_TRANSCRIPT, 'x\n'.repeat(6000));
  expect(long.lines.length).toBeLessThanOrEqual(5000);
  expect(long.lines.length + long.dropped).toBe(6000);
});

test.each([
  ['root@cp-1:~# ', true],
  ['$ ', true],
  ['/ # ', true],
  ['Waiting for deployment "web" rollout to finish', false],
  ['', false],
] as const)('%j is a prompt: %s', (last, prompt) => {
  expect(isAtPrompt(writeTo(EMPTY_TRANSCRIPT, `before\n${last}`))).toBe(prompt);
});
