// The line that the player types, as bash's own editor would keep it: a text and a cursor. Pure: a key in, the next state out.
// Cursor positions count characters as code points, so that an emoji is one step.

export interface LineState {
  readonly text: string;
  /** From 0 to the number of characters. */
  readonly cursor: number;
  /** What `^K`, `^U` and `^W` took last, for `^Y`. */
  readonly killed: string;
  /** Where in the history: its length stands for the line that is being typed. */
  readonly at: number;
  /** The line that was being typed when the player went up. */
  readonly draft: string;
  /** The words of a search backwards (`^R`), while one goes on. */
  readonly search: string | undefined;
  /** `Alt-.`: from which earlier line the last word was put in, and how long it is; the next press puts in that of the line before. */
  readonly lastWord?: {readonly at: number; readonly length: number} | undefined;
  /** Nobody has touched it since it was offered: what is typed stands in its place. */
  readonly offered?: boolean | undefined;
}

export type LineKey =
  | {readonly key: 'insert'; readonly text: string}
  | {
      readonly key:
        | 'left'
        | 'right'
        | 'word-left'
        | 'word-right'
        | 'start'
        | 'end'
        | 'backspace'
        | 'delete'
        | 'kill-end'
        | 'kill-start'
        | 'kill-word'
        | 'kill-word-right'
        | 'yank'
        | 'swap'
        | 'up'
        | 'down'
        | 'last-word'
        | 'search'
        | 'cancel-search';
    };

export const EMPTY_LINE: LineState = {text: '', cursor: 0, killed: '', at: 0, draft: '', search: undefined};

/** A fresh line at the end of a history. */
export function freshLine(history: readonly string[], killed = ''): LineState {
  return {...EMPTY_LINE, at: history.length, killed};
}

/** A line that is offered: Enter takes it, an arrow or Tab begins to change it, anything that is typed replaces it. */
export function offeredLine(text: string): LineState {
  return {...editLine(EMPTY_LINE, {key: 'insert', text}, []), offered: true};
}

/** The state after a key. */
export function editLine(before: LineState, key: LineKey, history: readonly string[]): LineState {
  if (before.search !== undefined) return searching(before, key, history);
  if (key.key === 'last-word') return lastWord(before, history);
  const replaced = before.offered && key.key === 'insert' ? {...before, text: '', cursor: 0} : before;
  const state = {...replaced, lastWord: undefined, offered: undefined};
  const letters = [...state.text];
  const {cursor} = state;
  switch (key.key) {
    case 'insert': {
      const added = [...clean(key.text)];
      return place(state, [...letters.slice(0, cursor), ...added, ...letters.slice(cursor)], cursor + added.length);
    }
    case 'left':
      return {...state, cursor: Math.max(0, cursor - 1)};
    case 'right':
      return {...state, cursor: Math.min(letters.length, cursor + 1)};
    case 'word-left':
      return {...state, cursor: wordStart(letters, cursor)};
    case 'word-right':
      return {...state, cursor: wordEnd(letters, cursor)};
    case 'start':
      return {...state, cursor: 0};
    case 'end':
      return {...state, cursor: letters.length};
    case 'backspace':
      return cut(state, letters, {from: Math.max(0, cursor - 1), to: cursor, keep: false});
    case 'delete':
      return cut(state, letters, {from: cursor, to: Math.min(letters.length, cursor + 1), keep: false});
    case 'kill-end':
      return cut(state, letters, {from: cursor, to: letters.length, keep: true});
    case 'kill-start':
      return cut(state, letters, {from: 0, to: cursor, keep: true});
    case 'kill-word':
      return cut(state, letters, {from: blankWordStart(letters, cursor), to: cursor, keep: true});
    case 'kill-word-right':
      return cut(state, letters, {from: cursor, to: wordEnd(letters, cursor), keep: true});
    case 'yank':
      return editLine(state, {key: 'insert', text: state.killed}, history);
    case 'swap':
      return swap(state, letters);
    case 'up':
      return recall(state, state.at - 1, history);
    case 'down':
      return recall(state, state.at + 1, history);
    case 'search':
      return {...state, search: ''};
    case 'cancel-search':
      return state;
  }
}

/** One line: pasted line ends are blanks to the editor (whoever pastes whole lines runs them one by one before). */
function clean(text: string): string {
  return text.replaceAll(/[\r\n\t]/g, ' ').replaceAll(/[\u0000-\u001f\u007f]/g, '');
}

function place(state: LineState, letters: readonly string[], cursor: number): LineState {
  return {...state, text: letters.join(''), cursor};
}

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly keep: boolean;
}

function cut(state: LineState, letters: readonly string[], {from, to, keep}: Cut): LineState {
  if (from === to) return state;
  const next = place(state, [...letters.slice(0, from), ...letters.slice(to)], from);
  return keep ? {...next, killed: letters.slice(from, to).join('')} : next;
}

function swap(state: LineState, letters: readonly string[]): LineState {
  const at = Math.min(state.cursor, letters.length - 1);
  if (at < 1) return state;
  const swapped = [...letters];
  [swapped[at - 1], swapped[at]] = [letters[at] ?? '', letters[at - 1] ?? ''];
  return place(state, swapped, at + 1);
}

/** The last word of the line before; pressed again, that of the one before it instead. */
function lastWord(state: LineState, history: readonly string[]): LineState {
  const {at, length} = state.lastWord ?? {at: history.length, length: 0};
  const words = history[at - 1]?.match(/(?:[^\s"'\\]|\\.|"[^"]*"|'[^']*')+/g);
  if (at < 1 || !words) return state;
  const letters = [...state.text];
  const from = state.cursor - length;
  const word = [...(words.at(-1) ?? '')];
  const text = [...letters.slice(0, from), ...word, ...letters.slice(state.cursor)];
  return {...place(state, text, from + word.length), lastWord: {at: at - 1, length: word.length}};
}

function recall(state: LineState, at: number, history: readonly string[]): LineState {
  if (at < 0 || at > history.length) return state;
  const draft = state.at === history.length ? state.text : state.draft;
  const text = at === history.length ? draft : (history[at] ?? '');
  return {...state, at, draft, text, cursor: [...text].length};
}

/** `^R`: letters lengthen what is looked for, `^R` again looks further back, any other key takes the line that was found. */
function searching(state: LineState, key: LineKey, history: readonly string[]): LineState {
  const words = state.search ?? '';
  if (key.key === 'insert') return found(state, words + clean(key.text), history.length, history);
  if (key.key === 'backspace') return found(state, words.slice(0, -1), history.length, history);
  if (key.key === 'search') return found(state, words, state.at, history);
  if (key.key === 'cancel-search') return {...freshLine(history, state.killed), search: undefined};
  return editLine({...state, search: undefined}, key, history);
}

function found(state: LineState, words: string, before: number, history: readonly string[]): LineState {
  for (let at = before - 1; at >= 0; at--) {
    const line = history[at] ?? '';
    if (words !== '' && line.includes(words)) return {...state, search: words, at, text: line, cursor: [...line].length};
  }
  return {...state, search: words};
}

const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);

function wordStart(letters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && !isWord(letters[at - 1])) at--;
  while (at > 0 && isWord(letters[at - 1])) at--;
  return at;
}

function wordEnd(letters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at < letters.length && !isWord(letters[at])) at++;
  while (at < letters.length && isWord(letters[at])) at++;
  return at;
}

function blankWordStart(letters: readonly string[], cursor: number): number {
  let at = cursor;
  while (at > 0 && letters[at - 1] === ' ') at--;
  while (at > 0 && letters[at - 1] !== ' ') at--;
  return at;
}
