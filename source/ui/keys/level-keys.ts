// What each key means while a level is open, by mode: one table for the keys, for the bottom line, and for the help.
import type {Intent} from '../../game/session/intents.ts';
import type {LineKey} from '../../game/session/line-editor.ts';
import type {LevelState, View} from '../../game/session/state.ts';
import type {TextKey} from '../../game/session/text-editor.ts';
import type {KeyPress} from './read-keys.ts';

/** What a key does: an intent of the level, or one of the whole game. */
export type Action = {readonly level: Intent} | {readonly game: 'leave' | 'retry' | 'next'} | undefined;

/** A key with a sentence, for the bottom line and the help. */
export interface KeyHelp {
  readonly keys: string;
  readonly says: string;
}

const LINE_KEYS: Readonly<Record<string, Exclude<LineKey['key'], 'insert'>>> = {
  left: 'left', right: 'right', up: 'up', down: 'down', home: 'start', end: 'end', backspace: 'backspace', delete: 'delete',
  'ctrl-a': 'start', 'ctrl-e': 'end', 'ctrl-b': 'left', 'ctrl-f': 'right', 'ctrl-p': 'up', 'ctrl-n': 'down', 'ctrl-h': 'backspace',
  'ctrl-k': 'kill-end', 'ctrl-u': 'kill-start', 'ctrl-w': 'kill-word', 'alt-backspace': 'kill-word', 'alt-d': 'kill-word-right', 'ctrl-y': 'yank',
  'ctrl-t': 'swap', 'alt-b': 'word-left', 'alt-f': 'word-right', 'ctrl-r': 'search', 'ctrl-g': 'cancel-search',
};

const TEXT_KEYS: Readonly<Record<string, Exclude<TextKey['key'], 'insert'>>> = {
  left: 'left', right: 'right', up: 'up', down: 'down', home: 'start', end: 'end', 'page-up': 'page-up', 'page-down': 'page-down',
  enter: 'enter', backspace: 'backspace', delete: 'delete', tab: 'indent', 'ctrl-a': 'start', 'ctrl-e': 'end', 'ctrl-d': 'delete', 'ctrl-k': 'kill-end',
  'ctrl-x': 'kill-line', 'ctrl-y': 'yank', 'ctrl-z': 'undo', 'ctrl-u': 'undo',
};

const VIEWS: Readonly<Record<string, View>> = {g: 'goals', o: 'objects', p: 'path', e: 'events', h: 'hints', t: 'time', '?': 'help'};
const SPEEDS: Readonly<Record<string, number>> = {'1': 1, '2': 10, '3': 60};

/** What a key press means now. */
export function actionsFor(state: LevelState, press: KeyPress): readonly Action[] {
  if (state.phase === 'briefing') return briefing(state, press);
  if (state.phase === 'won') return won(state, press);
  if (state.phase === 'breached') return breached(press);
  if (state.mode === 'editor') return [editor(press)];
  if (state.mode === 'look') return [looking(state, press)];
  return terminal(state, press);
}

function briefing(state: LevelState, press: KeyPress): readonly Action[] {
  if (press.name === 'escape' || (press.name === 'text' && press.text === 'q')) return [{game: 'leave'}];
  if (press.name === 'text' && press.text === 's' && state.lesson) return [{level: {intent: 'skip-lesson'}}, {level: {intent: 'begin'}}];
  return press.name === 'enter' || press.name === 'text' ? [{level: {intent: 'begin'}}] : [];
}

function won(state: LevelState, press: KeyPress): readonly Action[] {
  if (press.name === 'enter' || press.text === 'n') return [{game: state.debrief?.next === undefined ? 'leave' : 'next'}];
  if (press.text === 'r') return [{game: 'retry'}];
  if (press.name === 'up' || press.name === 'page-up') return [{level: {intent: 'select', by: press.name === 'up' ? -1 : -10}}];
  if (press.name === 'down' || press.name === 'page-down') return [{level: {intent: 'select', by: press.name === 'down' ? 1 : 10}}];
  return press.text === 'm' || press.text === 'q' || press.name === 'escape' ? [{game: 'leave'}] : [];
}

function breached(press: KeyPress): readonly Action[] {
  if (press.text === 'r' || press.name === 'enter') return [{game: 'retry'}];
  if (press.text === 'l') return [{level: {intent: 'look-on'}}];
  return press.text === 'm' || press.text === 'q' || press.name === 'escape' ? [{game: 'leave'}] : [];
}

function terminal(state: LevelState, press: KeyPress): readonly Action[] {
  const level = (intent: Intent): readonly Action[] => [{level: intent}];
  if (press.name === 'text') return level({intent: 'line', key: {key: 'insert', text: press.text}});
  switch (press.name) {
    case 'enter': return level({intent: 'submit'});
    case 'tab': return level({intent: 'complete'});
    case 'escape': return state.line.search === undefined ? level({intent: 'look'}) : level({intent: 'line', key: {key: 'cancel-search'}});
    case 'ctrl-c': return level({intent: 'interrupt'});
    case 'ctrl-d': return state.line.text === '' ? level({intent: 'end-input'}) : level({intent: 'line', key: {key: 'delete'}});
    case 'ctrl-l': return level({intent: 'clear'});
    case 'page-up': return level({intent: 'scroll', lines: 10});
    case 'page-down': return level({intent: 'scroll', lines: -10});
    default: {
      const key = LINE_KEYS[press.name];
      return key ? level({intent: 'line', key: {key}}) : [];
    }
  }
}

function looking(state: LevelState, press: KeyPress): Action {
  const {name, text} = press;
  if (name === 'escape' || name === 'enter') return {level: {intent: 'back'}};
  if (name === 'up' || name === 'down') return {level: state.view === 'terminal' ? {intent: 'scroll', lines: name === 'up' ? 1 : -1} : {intent: 'select', by: name === 'up' ? -1 : 1}};
  if (name === 'page-up' || name === 'page-down') return {level: {intent: 'scroll', lines: name === 'page-up' ? 10 : -10}};
  if (text === 'q') return {game: 'leave'};
  if (text === 'r') return {game: 'retry'};
  if (text === ' ') return {level: {intent: 'pause'}};
  if (text === 'n') return {level: {intent: 'step'}};
  if (text === 's' && state.lesson) return {level: {intent: 'skip-lesson'}};
  if (text === 'a') return {level: {intent: 'ascii'}};
  if (text === 'b') return {level: {intent: 'hint'}};
  const speed = SPEEDS[text];
  if (speed !== undefined) return {level: {intent: 'speed', speed}};
  const view = VIEWS[text];
  if (view) return {level: {intent: 'view', view}};
  const command = state.view === 'objects' ? commandFor(state, text) : undefined;
  return command === undefined ? undefined : {level: {intent: 'suggest', command}};
}

/** The command that a letter on an object stands for: the panel teaches kubectl instead of replacing it. */
function commandFor(state: LevelState, letter: string): string | undefined {
  const row = state.panels.objects[Math.min(state.selected, state.panels.objects.length - 1)];
  if (!row) return undefined;
  const kind = row.kind.toLowerCase();
  const commands: Readonly<Record<string, string>> = {
    d: `kubectl describe ${kind} ${row.name}`, y: `kubectl get ${kind} ${row.name} -o yaml`, i: `kubectl edit ${kind} ${row.name}`,
    l: `kubectl logs ${kind === 'pod' ? row.name : `${kind}/${row.name}`}`, v: `kubectl events --for ${kind}/${row.name}`,
  };
  return commands[letter];
}

function editor(press: KeyPress): Action {
  if (press.name === 'text') return {level: {intent: 'edit', key: {key: 'insert', text: press.text}}};
  if (press.name === 'ctrl-s') return {level: {intent: 'save'}};
  if (press.name === 'escape') return {level: {intent: 'leave-editor', discard: false}};
  if (press.name === 'ctrl-q') return {level: {intent: 'leave-editor', discard: true}};
  const key = TEXT_KEYS[press.name];
  return key ? {level: {intent: 'edit', key: {key}}} : undefined;
}

/** The bottom line: the keys that work now. */
export function keyHelp(state: LevelState): readonly KeyHelp[] {
  if (state.phase === 'briefing') return [{keys: 'Enter', says: 'begin'}, ...(state.lesson ? [{keys: 's', says: 'begin, I know the keys'}] : []), {keys: 'Esc', says: 'map'}];
  if (state.phase === 'won') return [{keys: 'Enter', says: state.debrief?.next === undefined ? 'map' : 'next level'}, {keys: 'r', says: 'again'}, {keys: 'm', says: 'map'}, {keys: '↑↓', says: 'read'}];
  if (state.phase === 'breached') return [{keys: 'r', says: 'start over'}, {keys: 'l', says: 'go on looking'}, {keys: 'm', says: 'map'}];
  if (state.mode === 'editor') return state.editor?.asking ? [{keys: 'Esc', says: 'go on editing'}, {keys: '^S', says: 'save'}, {keys: '^Q', says: 'throw away'}] : [{keys: '^S', says: 'save'}, {keys: 'Esc', says: 'leave'}, {keys: '^Z', says: 'undo'}, {keys: '^X', says: 'cut line'}];
  if (state.mode === 'look') {
    if (state.view === 'objects') return [{keys: '↑↓', says: 'choose'}, {keys: 'd', says: 'describe'}, {keys: 'y', says: 'yaml'}, {keys: 'i', says: 'edit'}, {keys: 'l', says: 'logs'}, {keys: 'v', says: 'events'}, {keys: 'Esc', says: 'back'}];
    if (state.view === 'hints') return [{keys: 'b', says: 'buy the next hint'}, {keys: 'Esc', says: 'back'}];
    if (state.view === 'time') return [{keys: 'Space', says: state.paused ? 'go on' : 'pause'}, {keys: 'n', says: 'next event'}, {keys: '1 2 3', says: '×1 ×10 ×60'}, {keys: 'Esc', says: 'back'}];
    return [{keys: 'g', says: 'goals'}, {keys: 'o', says: 'objects'}, {keys: 'p', says: 'path'}, {keys: 'e', says: 'events'}, {keys: 'h', says: 'hint'}, {keys: 't', says: 'time'}, {keys: '?', says: 'keys'}, {keys: 'r', says: 'retry'}, {keys: 'q', says: 'quit'}, {keys: 'Esc', says: 'back'}];
  }
  return [{keys: 'Enter', says: 'run'}, {keys: 'Tab', says: 'complete'}, {keys: 'Esc', says: 'look around'}, ...(state.busy ? [{keys: '^C', says: 'stop'}] : [])];
}

/** All keys, for the help view. */
export const ALL_KEYS: readonly KeyHelp[] = [
  {keys: 'Enter', says: 'runs the line'}, {keys: 'Tab', says: 'completes words, names and flags'}, {keys: 'Esc', says: 'leaves the terminal to look around, and comes back'},
  {keys: '↑ ↓', says: 'earlier and later commands'}, {keys: '^R', says: 'searches earlier commands'}, {keys: '^A ^E', says: 'start and end of the line'},
  {keys: '^W ^U ^K ^Y', says: 'cut a word, to the start, to the end; put back'}, {keys: '^C', says: 'stops what runs'}, {keys: '^D', says: 'ends the input'},
  {keys: '^L', says: 'clears the screen'}, {keys: 'PgUp PgDn', says: 'scroll back and forth'},
  {keys: 'g o p e h t', says: 'looking around: goals, objects, path, events, hints, time'}, {keys: 'Space n', says: 'pause or go on; to the next event'},
  {keys: '1 2 3', says: 'speed ×1, ×10, ×60'}, {keys: 'r q', says: 'start over; leave for the map (the run is kept)'}, {keys: 'a', says: 'plain letters instead of symbols'},
];
