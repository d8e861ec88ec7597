import {expect, test} from 'vitest';
import {takeApart} from './read-keys.ts';

test.each([
  ['a line that is sent at once is letters and Enter', 'ls -l\r', ['text ls -l', 'enter']],
  ['control characters are keys of their own', '\u0017\u0001x', ['ctrl-w', 'ctrl-a', 'text x']],
  ['a line end of two characters is one Enter', 'a\r\nb\n', ['text a', 'enter', 'text b', 'enter']],
  ['a tab, a backspace, an escape', '\t\u007F\u001B', ['tab', 'backspace', 'escape']],
] as const)('%s', (_, input, keys) => {
  expect(takeApart(input).map(({name, text}) => `${name} ${text}`.trim())).toEqual(keys);
});
