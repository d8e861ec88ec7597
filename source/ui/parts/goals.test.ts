import {expect, test} from 'vitest';
import {makeTheme} from '../text/theme.ts';
import {widthOf} from '../text/width.ts';
import {goals} from './goals.ts';
import type {PartView} from './view.ts';

const GOALS = [
  {id: 'receipt', text: 'receipt 1042 survived', met: false, holding: false, note: 'no configmap/pay/receipt-1042'},
  {id: 'three', text: 'three healthy members, the dead one replaced', met: false, holding: true, note: '2 of 3 healthy'},
  {id: 'ready', text: 'ready', met: true, holding: false, note: '3/3'},
];

function drawn(width: number, height: number): readonly string[] {
  const state = {goals: GOALS, breaches: []} as unknown as PartView['state'];
  return goals({state, theme: makeTheme({colour: false, ascii: true}), width, height});
}

test('where there is room, goals take several rows and nothing is left out', () => {
  const rows = drawn(50, 8);
  const said = rows.join(' ').replaceAll(/\s+/g, ' ');
  for (const {text, note} of GOALS) {
    expect(said).toContain(text);
    expect(said).toContain(note);
  }
  expect(rows.map(widthOf).every(width => width <= 50)).toBe(true);
});

test('where there is none, each has a row, and text and note do not touch', () => {
  expect(drawn(50, 3).map(row => row.trim())).toEqual([
    'o receipt 1042 survived no configmap/pay/receip…',
    '~ three healthy members, the dea… 2 of 3 healthy',
    expect.stringMatching(/ready +3\/3$/),
  ]);
});
