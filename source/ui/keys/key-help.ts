// What is said of the keys: on the bottom line those that work now, in the help all of them.
import type {LevelState} from '../../game/session/state.ts';
import {isAtPrompt} from '../../game/session/terminal/transcript.ts';

/** Keys with a sentence. */
export interface KeyHelp {
  readonly keys: string;
  readonly says: string;
}

/** `Enter run | Tab complete` as a list. */
function list(text: string): readonly KeyHelp[] {
  return text.split(' | ').map(each => {
    const [keys = '', says = ''] = each.split(': ');
    return {keys, says};
  });
}

const TERMINAL = list('Enter: run | Tab: complete | Esc: look around');
const STOP = list('^C: stop');
const LOOK = list('g: goals | o: objects | p: path | e: events | h: hint | t: time | ?: keys | Esc: back | r: retry | q: quit');
const OBJECTS = list('↑↓: choose | d: describe | y: yaml | i: edit | l: logs | v: events | Esc: back');
const HINTS = list('b: buy the next hint | Esc: back');
const RUNNING = list('Space: pause | n: next event | 1 2 3: ×1 ×10 ×60 | ↑↓ b: look back | Esc: back');
const PAUSED = list('Space: go on | n: next event | 1 2 3: ×1 ×10 ×60 | ↑↓ b: look back | Esc: back');
const PAST = list('Esc: back to now | ←→: earlier, later | o p e g: look | Enter: play on from here');
const REPLAY = list('Space: pause | 1 2 3: ×1 ×10 ×60 | o p e g: look | Enter: play on from here | Esc: leave');
const VIEWING = list('Esc: back to the terminal | o p e g: look | Enter: play on from here');
const EDITOR = list('^S: save | Esc: leave | ^Z: undo | ^X: cut line');
const VI = list('i: type | dd: cut line | p: put | u: undo | /: find | ^S :wq: save | Esc :q: leave');
const VI_TYPING = list('Esc: stop typing | ^S: save');
const VI_LINE = list('Enter: do it | Esc: back');
const VI_MARKING = list('d: cut | y: copy | > <: shift | Esc: back');
const VI_KEYS = {normal: VI, insert: VI_TYPING, line: VI_LINE, visual: VI_MARKING} as const;
const ASKING = list('Esc: go on editing | ^S: save | ^Q: throw away');
const BREACHED = list('r: start over | b: back to the moment before | l: go on looking | m: map');
const BRIEFING = list('Enter: begin | Esc: map');
const LESSON = list('Enter: begin | s: begin, I know the keys | Esc: map');
const WON = list('Enter: next level | r: again | l: look back | m: map | ↑↓: read');
const WON_LAST = list('Enter: map | r: again | l: look back | ↑↓: read');

/** The bottom line: the keys that work now. */
export function keyHelp(state: LevelState): readonly KeyHelp[] {
  if (state.phase === 'briefing') return state.lesson ? LESSON : BRIEFING;
  if (state.phase === 'won') return state.debrief?.next === undefined ? WON_LAST : WON;
  if (state.watching) return state.view !== 'terminal' ? VIEWING : state.watching === 'past' ? PAST : REPLAY;
  if (state.phase === 'breached') return BREACHED;
  if (state.mode === 'editor') return editorHelp(state.editor);
  if (state.mode === 'terminal') return state.busy && !isAtPrompt(state.transcript) ? [...TERMINAL, ...STOP] : TERMINAL;
  if (state.view === 'objects') return OBJECTS;
  if (state.view === 'hints') return HINTS;
  if (state.view === 'time') return state.paused ? PAUSED : RUNNING;
  return LOOK;
}

function editorHelp(editor: LevelState['editor']): readonly KeyHelp[] {
  if (editor?.asking) return ASKING;
  return editor?.vi ? VI_KEYS[editor.vi.mode] : EDITOR;
}

/** All keys, for the help view. */
export const ALL_KEYS: readonly KeyHelp[] = list(
  [
    'Enter: runs the line',
    'Tab: completes words, names and flags',
    'Esc: leaves the terminal to look around, and comes back',
    '↑ ↓: earlier and later commands',
    '^R ^L: searches earlier commands; clears the screen',
    '^A ^E: start and end of the line',
    '^W ^U ^K ^Y: cut a word, to the start, to the end; put back',
    '^C ^D: stops what runs; ends the input',
    'PgUp PgDn: scroll back and forth; the wheel too (Shift marks text)',
    'g o p e h t: looking around, goals, objects, path, events, hints, time',
    'Space n 1 2 3: pause or go on; to the next event; speed ×1, ×10, ×60',
    't ↑↓ b: back to an earlier moment; Enter plays on from there',
    'r q: start over; leave for the map (the run is kept)',
    'a: plain letters instead of symbols',
  ].join(' | '),
);
