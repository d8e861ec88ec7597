import {expect, test} from 'vitest';
import {editText, openText, textOf, type TextKey, type TextState} from './text-editor.ts';

const NAMES = new Set([
  'left',
  'right',
  'up',
  'down',
  'start',
  'end',
  'enter',
  'backspace',
  'delete',
  'kill-end',
  'kill-line',
  'yank',
  'undo',
  'indent',
  'bottom',
]);

function edit(text: string, ...keys: readonly string[]): TextState {
  return keys.reduce<TextState>(
    (state, key) => editText(state, NAMES.has(key) ? ({key} as TextKey) : {key: 'insert', text: key}),
    openText(text),
  );
}

test.each([
  ['letters go in at the cursor', ['right', 'x'], 'axb\nc\n'],
  ['Enter splits a line', ['right', 'enter'], 'a\nb\nc\n'],
  ['backspace at the start joins two lines', ['down', 'start', 'backspace'], 'abc\n'],
  ['delete at the end joins two lines', ['end', 'delete'], 'abc\n'],
  ['a line is cut and put back', ['kill-line', 'down', 'yank'], 'c\n'.replace('c', 'ab\nc')],
  ['undo takes the last change back', ['x', 'y', 'undo'], 'xab\nc\n'],
  ['a paste of many lines', ['1\n2\n'], '1\n2\nab\nc\n'],
] as const)('%s', (_, keys, text) => {
  expect(textOf(edit('ab\nc\n', ...keys))).toBe(text);
});

test('Enter keeps the indent, also of a list', () => {
  expect(textOf(edit('  - a: 1\n', 'end', 'enter', 'b: 2'))).toBe('  - a: 1\n    b: 2\n');
  expect(textOf(edit('  - pods\n', 'end', 'enter', '- nodes'))).toBe('  - pods\n  - nodes\n');
});

test('the cursor stays on the text', () => {
  expect(edit('long line\nx\n', 'end', 'down')).toMatchObject({row: 1, column: 1});
  expect(edit('a\n', 'up', 'left')).toMatchObject({row: 0, column: 0});
});
