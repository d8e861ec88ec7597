// What the mouse means while a level is open: the wheel scrolls what it is over, a click goes to where it is.
import type {Intent} from '../../game/session/intents.ts';
import type {PartView} from '../parts/view.ts';
import {viewAt} from '../screens/level-frame.ts';

/** Something that the mouse did, at a column and a row counted from 0. */
export interface MouseReport {
  readonly what: 'click' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
}

/** Rows that one notch of the wheel moves. */
const WHEEL_ROWS = 3;

/** What a report asks for; nothing on the screens around a level. */
export function mouseIntent(view: PartView, {what, column, row}: MouseReport): Intent | undefined {
  const {phase, mode, view: shown} = view.state;
  if (what === 'click') return phase === 'playing' ? {intent: 'focus', view: viewAt(view, column, row)} : undefined;
  const by = what === 'wheel-up' ? -1 : 1;
  if (phase === 'won') return {intent: 'select', by: by * WHEEL_ROWS};
  if (phase !== 'playing') return undefined;
  if (mode === 'editor') return {intent: 'edit', key: {key: by < 0 ? 'up' : 'down'}};
  return mode === 'terminal' || shown === 'terminal' ? {intent: 'scroll', lines: -by * WHEEL_ROWS} : {intent: 'select', by};
}
