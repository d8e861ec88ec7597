import {expect, test} from 'vitest';
import {makeTheme} from '../text/theme.ts';
import {ALL_KEYS} from '../keys/key-help.ts';
import {nodes} from './nodes.ts';
import {objects} from './objects.ts';
import {help} from './side-views.ts';
import type {PartView} from './view.ts';

const theme = makeTheme({colour: false, ascii: false});
/** What a screen of 80×24 leaves beside four goals. */
const SMALL = {theme, width: 80, height: 14};

test('a small screen has room for all keys, each with its whole sentence', () => {
  const rows = help({...SMALL, state: {} as PartView['state']});
  expect(rows).toHaveLength(ALL_KEYS.length);
  for (const [index, {says}] of ALL_KEYS.entries()) expect(rows[index]).toContain(says);
});

test('the pane beside the terminal keeps the whole ending of a pod, and a blank after it', () => {
  const pod = {key: 'a', kind: 'Pod', name: 'web-6b85f54c98-f6n4k', depth: 2, ready: '0/1', age: '125m', light: 'broken'};
  const state = {mode: 'terminal', panels: {objects: [{...pod, status: 'ImagePullBackOff'}]}} as unknown as PartView['state'];
  expect(objects({state, theme, width: 50, height: 5})).toEqual([
    expect.stringMatching(/^ +pod +…-f6n4k +0\/1 +✖ ImagePullBackOff +125m $/),
  ]);
});

test('what the API server said last is marked as old while it is not heard', () => {
  const pod = {key: 'a', kind: 'Pod', name: 'web', depth: 0, ready: '1/1', age: '5m', light: 'ready', status: 'Running'};
  const node = {name: 'node-1', light: 'ready', requestedBytes: undefined, allocatableBytes: 2 ** 30, note: ''};
  const seen = (staleSeconds: number | undefined) =>
    ({mode: 'terminal', panels: {objects: [pod], nodes: [node], staleSeconds}}) as unknown as PartView['state'];
  const rows = (state: PartView['state']) => [...objects({state, ...SMALL}), ...nodes({state, ...SMALL})].join('\n');
  expect(rows(seen(undefined)).match(/●/g)).toHaveLength(2);
  expect(rows(seen(12)).match(/◌/g)).toHaveLength(2);
});
