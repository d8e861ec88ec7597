import {expect, test} from 'vitest';
import {openText} from '../../game/session/terminal/text-editor.ts';
import {makeTheme} from '../text/theme.ts';
import {editor} from './editor.ts';
import type {PartView} from './view.ts';

test.each([
  ['  replicas: 3', '  \u001B[36mreplicas\u001B[39m: 3'],
  ['- image: web:1.4 # new', '- \u001B[36mimage\u001B[39m: web:1.4\u001B[2m # new\u001B[22m'],
  ['spec:', '\u001B[36mspec\u001B[39m:'],
  ['- pods', '- pods'],
  ['# a: b', '\u001B[2m# a: b\u001B[22m'],
])('%j is shown with its key in colour', (line, shown) => {
  const edited = {
    path: 'a.yaml',
    text: openText(`first\n${line}`),
    vi: undefined,
    original: '',
    problem: undefined,
    asking: false,
  };
  const state = {editor: edited} as unknown as PartView['state'];
  const rows = editor({state, theme: makeTheme({colour: true, ascii: false}), width: 80, height: 10});
  expect(rows[2]).toContain(shown);
});
