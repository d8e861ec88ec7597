import {expect, test} from 'vitest';
import {editLine, freshLine, offeredLine, type LineKey, type LineState} from './line-editor.ts';

const history = ['kubectl get pods', 'kubectl describe pod web', 'ls'];

function type(...keys: readonly string[]): LineState {
  return keys.reduce<LineState>(
    (state, key) => editLine(state, NAMES.has(key) ? ({key} as LineKey) : {key: 'insert', text: key}, history),
    freshLine(history),
  );
}

const NAMES = new Set<string>([
  'left',
  'right',
  'word-left',
  'word-right',
  'start',
  'end',
  'backspace',
  'delete',
  'kill-end',
  'kill-start',
  'kill-word',
  'yank',
  'swap',
  'up',
  'down',
  'search',
  'cancel-search',
  'last-word',
]);

test.each([
  ['letters are put in at the cursor', ['ac', 'left', 'b'], 'abc', 2],
  ['an emoji is one step', ['a🚀b', 'left', 'left', 'x'], 'ax🚀b', 2],
  ['backspace takes the letter before', ['abc', 'backspace'], 'ab', 2],
  ['delete takes the letter under the cursor', ['abc', 'start', 'delete'], 'bc', 0],
  ['^W takes the word before, to the blank', ['get pods/web-1', 'kill-word'], 'get ', 4],
  ['^U takes all before, and ^Y brings it back', ['get pods', 'kill-start', 'x', 'yank'], 'xget pods', 9],
  ['^K takes all after', ['get pods', 'word-left', 'kill-end'], 'get ', 4],
  ['a pasted line end becomes a blank', ['a\nb'], 'a b', 3],
  ['up brings the last command', ['up'], 'ls', 2],
  ['down after up brings back what was being typed', ['draft', 'up', 'up', 'down', 'down'], 'draft', 5],
  ['up at the oldest stays', ['up', 'up', 'up', 'up'], 'kubectl get pods', 16],
  ['^R finds the newest line with the words', ['search', 'kube'], 'kubectl describe pod web', 24],
  ['^R again looks further back', ['search', 'kube', 'search'], 'kubectl get pods', 16],
  ['^T swaps two letters', ['lcea', 'left', 'left', 'swap'], 'leca', 3],
] as const)('%s', (_, keys, text, cursor) => {
  expect(type(...keys)).toMatchObject({text, cursor});
});

test('Alt-. puts in the last word of the line before, and again that of the one before it', () => {
  expect(type('vi ', 'last-word').text).toBe('vi ls');
  expect(type('vi ', 'last-word', 'last-word').text).toBe('vi web');
  expect(type('vi ', 'last-word', 'last-word', '.yaml').text).toBe('vi web.yaml');
  expect(type('last-word', ' ', 'last-word').text).toBe('ls ls');
});

test('what is typed stands in the place of a line that was only offered', () => {
  const offered = offeredLine('kubectl get pods');
  const after = (...keys: readonly LineKey[]) => keys.reduce((state, key) => editLine(state, key, history), offered).text;
  expect(offered).toMatchObject({text: 'kubectl get pods', cursor: 16});
  expect(after({key: 'insert', text: 'l'}, {key: 'insert', text: 's'})).toBe('ls');
  expect(after({key: 'end'}, {key: 'insert', text: ' -A'})).toBe('kubectl get pods -A');
  expect(after({key: 'backspace'}, {key: 'insert', text: '!'})).toBe('kubectl get pod!');
});
