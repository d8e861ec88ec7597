// What each key means while a level is open, by mode. What is said of them stands in key-help.ts.
import type {GameIntent} from '../../game/state.ts';
import type {Intent} from '../../game/session/intents.ts';
import type {LineKey} from '../../game/session/terminal/line-editor.ts';
import {beforeBreach} from '../../game/session/marks.ts';
import type {LevelState, View} from '../../game/session/state.ts';
import type {TextKey} from '../../game/session/terminal/text-editor.ts';
import type {KeyPress} from './read-keys.ts';

/** What a key does: an intent of the level, or one of the whole game. */
export type Action = {readonly level: Intent} | {readonly game: Exclude<GameIntent, {intent: 'level'}>} | undefined;

const LINE_KEYS: Readonly<Record<string, Exclude<LineKey['key'], 'insert'>>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'start',
  end: 'end',
  backspace: 'backspace',
  delete: 'delete',
  'ctrl-a': 'start',
  'ctrl-e': 'end',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'ctrl-p': 'up',
  'ctrl-n': 'down',
  'ctrl-h': 'backspace',
  'ctrl-k': 'kill-end',
  'ctrl-u': 'kill-start',
  'ctrl-w': 'kill-word',
  'alt-backspace': 'kill-word',
  'alt-d': 'kill-word-right',
  'ctrl-y': 'yank',
  'ctrl-t': 'swap',
  'alt-b': 'word-left',
  'alt-f': 'word-right',
  'alt-.': 'last-word',
  'alt-_': 'last-word',
  'ctrl-r': 'search',
  'ctrl-g': 'cancel-search',
};

const TEXT_KEYS: Readonly<Record<string, Exclude<TextKey['key'], 'insert'>>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'start',
  end: 'end',
  'page-up': 'page-up',
  'page-down': 'page-down',
  enter: 'enter',
  backspace: 'backspace',
  delete: 'delete',
  tab: 'indent',
  'ctrl-a': 'start',
  'ctrl-e': 'end',
  'ctrl-d': 'delete',
  'ctrl-k': 'kill-end',
  'ctrl-x': 'kill-line',
  'ctrl-y': 'yank',
  'ctrl-z': 'undo',
  'ctrl-u': 'undo',
};

const VIEWS: Readonly<Record<string, View>> = {
  g: 'goals',
  o: 'objects',
  p: 'path',
  e: 'events',
  h: 'hints',
  t: 'time',
  '?': 'help',
};
const SPEEDS: Readonly<Record<string, number>> = {'1': 1, '2': 10, '3': 60};

/** What a key press means now. */
export function actionsFor(state: LevelState, press: KeyPress): readonly Action[] {
  if (state.phase === 'briefing') return briefing(state, press);
  if (state.phase === 'won') return won(state, press);
  if (state.watching) return [watching(state, press)];
  if (state.phase === 'breached') return breached(state, press);
  if (state.mode === 'editor') return [editor(state, press)];
  if (state.mode === 'look') return [looking(state, press)];
  return terminal(state, press);
}

function briefing(state: LevelState, press: KeyPress): readonly Action[] {
  if (press.name === 'escape' || (press.name === 'text' && press.text === 'q')) return [{game: {intent: 'leave'}}];
  if (press.name === 'text' && press.text === 's' && state.lesson)
    return [{level: {intent: 'skip-lesson'}}, {level: {intent: 'begin'}}];
  return press.name === 'enter' || press.name === 'text' ? [{level: {intent: 'begin'}}] : [];
}

function won(state: LevelState, press: KeyPress): readonly Action[] {
  if (press.name === 'enter' || press.text === 'n')
    return [{game: {intent: state.debrief?.next === undefined ? 'leave' : 'next'}}];
  if (press.text === 'r') return [{game: {intent: 'retry'}}];
  if (press.text === 'l')
    return [{level: {intent: 'look-on'}}, {level: {intent: 'look'}}, {level: {intent: 'view', view: 'time'}}];
  if (press.name === 'up' || press.name === 'page-up') return [{level: {intent: 'select', by: press.name === 'up' ? -1 : -10}}];
  if (press.name === 'down' || press.name === 'page-down')
    return [{level: {intent: 'select', by: press.name === 'down' ? 1 : 10}}];
  return press.text === 'm' || press.text === 'q' || press.name === 'escape' ? [{game: {intent: 'leave'}}] : [];
}

function breached({marks}: LevelState, press: KeyPress): readonly Action[] {
  const before = beforeBreach(marks);
  if (press.text === 'b' && before) return [{level: {intent: 'look-on'}}, {game: {intent: 'look-back', mark: before}}];
  if (press.text === 'r' || press.name === 'enter') return [{game: {intent: 'retry'}}];
  if (press.text === 'l') return [{level: {intent: 'look-on'}}];
  return press.text === 'm' || press.text === 'q' || press.name === 'escape' ? [{game: {intent: 'leave'}}] : [];
}

function terminal(state: LevelState, press: KeyPress): readonly Action[] {
  const level = (intent: Intent): readonly Action[] => [{level: intent}];
  if (press.name === 'text') return level({intent: 'line', key: {key: 'insert', text: press.text}});
  switch (press.name) {
    case 'enter':
      return level({intent: 'submit'});
    case 'tab':
      return level({intent: 'complete'});
    case 'escape':
      return state.line.search === undefined ? level({intent: 'look'}) : level({intent: 'line', key: {key: 'cancel-search'}});
    case 'ctrl-c':
      return level({intent: 'interrupt'});
    case 'ctrl-d':
      return state.line.text === '' ? level({intent: 'end-input'}) : level({intent: 'line', key: {key: 'delete'}});
    case 'ctrl-l':
      return level({intent: 'clear'});
    case 'page-up':
      return level({intent: 'scroll', lines: 10});
    case 'page-down':
      return level({intent: 'scroll', lines: -10});
    default: {
      const key = LINE_KEYS[press.name];
      return key ? level({intent: 'line', key: {key}}) : [];
    }
  }
}

/** An earlier moment, or a replay: every key looks, and none changes anything but Enter, from where it is played on. */
function watching(state: LevelState, press: KeyPress): Action {
  const {name, text} = press;
  const isPast = state.watching === 'past';
  if (name === 'enter') return {game: {intent: 'play-on'}};
  if (name === 'escape' && state.view !== 'terminal') return {level: {intent: 'view', view: state.view}};
  if (name === 'escape') return {game: {intent: isPast ? 'back-to-now' : 'leave'}};
  if (isPast && (name === 'left' || name === 'right')) return {game: {intent: 'travel', by: name === 'left' ? -1 : 1}};
  if (isPast && (text === ' ' || text === 'n' || text === 'b' || SPEEDS[text] !== undefined)) return undefined;
  return name === 'text' || name === 'up' || name === 'down' || name.startsWith('page') ? looking(state, press) : undefined;
}

function looking(state: LevelState, press: KeyPress): Action {
  const {name, text} = press;
  if (name === 'escape' || name === 'enter') return {level: {intent: 'back'}};
  if (name === 'up' || name === 'down')
    return {
      level:
        state.view === 'terminal'
          ? {intent: 'scroll', lines: name === 'up' ? 1 : -1}
          : {intent: 'select', by: name === 'up' ? -1 : 1},
    };
  if (name === 'page-up' || name === 'page-down') return {level: {intent: 'scroll', lines: name === 'page-up' ? 10 : -10}};
  if (text === 'q') return {game: {intent: 'leave'}};
  if (text === 'r') return {game: {intent: 'retry'}};
  if (text === ' ') return {level: {intent: 'pause'}};
  if (text === 'n') return {level: {intent: 'step'}};
  if (text === 's' && state.lesson) return {level: {intent: 'skip-lesson'}};
  if (text === 'a') return {level: {intent: 'ascii'}};
  const mark = state.marks[Math.min(state.selected, state.marks.length - 1)];
  if (text === 'b' && state.view === 'time') return mark && {game: {intent: 'look-back', mark}};
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
    d: `kubectl describe ${kind} ${row.name}`,
    y: `kubectl get ${kind} ${row.name} -o yaml`,
    i: `kubectl edit ${kind} ${row.name}`,
    l: `kubectl logs ${kind === 'pod' ? row.name : `${kind}/${row.name}`}`,
    v: `kubectl events --for ${kind}/${row.name}`,
  };
  return commands[letter];
}

function editor({editor: edited}: LevelState, press: KeyPress): Action {
  if (press.name === 'ctrl-s') return {level: {intent: 'save'}};
  if (press.name === 'ctrl-q') return {level: {intent: 'leave-editor', discard: true}};
  if (edited?.vi) return {level: {intent: 'press', key: press}};
  if (press.name === 'text') return {level: {intent: 'edit', key: {key: 'insert', text: press.text}}};
  if (press.name === 'escape') return {level: {intent: 'leave-editor', discard: false}};
  const key = TEXT_KEYS[press.name];
  return key ? {level: {intent: 'edit', key: {key}}} : undefined;
}
