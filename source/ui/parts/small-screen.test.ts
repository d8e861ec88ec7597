import {expect, test} from 'vitest';
import {makeTheme} from '../text/theme.ts';
import {ALL_KEYS} from '../keys/key-help.ts';
import {nodes} from './nodes.ts';
import {objects} from './objects.ts';
import {path} from './path.ts';
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

test('the path shows where it ends on a small screen too, in its own whole words', () => {
  const hop = (name: string, light: string, words: string) => ({id: name, name, label: name, light, at: '09:01:13', words});
  const failed = `Failed: Failed to pull image "registry.local/web:1.44": ${'not found '.repeat(8)}`.trim();
  const lamps = [
    ...['kubectl', 'API server', 'etcd', 'deployment', 'replicaset', 'scheduler', 'kubelet'].map(name =>
      hop(name, 'ready', `${name} did its part, and says so in a sentence that is longer than the row`),
    ),
    hop('runtime', 'broken', failed),
    hop('ready', 'waiting', ''),
    hop('endpoints', 'waiting', ''),
  ];
  const state = {panels: {lamps, pathOf: 'web-1'}} as unknown as PartView['state'];
  const rows = path({...SMALL, state});
  expect(rows.length).toBeLessThanOrEqual(SMALL.height);
  expect(rows.at(-1)).toMatch(/endpoints/);
  const at = rows.findIndex(row => row.includes('✖ runtime'));
  expect(
    rows
      .slice(at + 1, -2)
      .map(row => row.trim())
      .join(' '),
  ).toBe(failed);
  const tall = path({...SMALL, height: 40, state});
  expect(tall.filter(row => row.includes('did its part'))).toHaveLength(7);
  expect(tall.join(' ')).not.toMatch(/…/);
});
