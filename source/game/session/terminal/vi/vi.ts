// vi: a key in, the next state of text and cursor out. Pure. Its modes are those of the real one: commands first, `i` types, `Esc`
// comes back, `:` and `/` are typed below the text. One `u` takes a whole command back, and `.` does it again.
import {editText, type TextKey, type TextState} from '../text-editor.ts';
import {runLine} from './line.ts';
import {lettersOf} from './motions.ts';
import {apply, command, follow, marked} from './normal.ts';
import {breakLine, shift} from './spans.ts';
import {at, says, type ViPress, type ViText} from './state.ts';

const UNDO_STEPS = 200;

/** Named keys as the letters that they stand for among commands. */
const LETTERS: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  up: 'k',
  down: 'j',
  home: '0',
  end: '$',
  backspace: 'h',
  delete: 'x',
  enter: '\r',
  'page-up': '\u0002',
  'page-down': '\u0006',
  'ctrl-b': '\u0002',
  'ctrl-f': '\u0006',
  'ctrl-d': '\u0004',
  'ctrl-u': '\u0015',
  'ctrl-r': '\u0012',
};

/** Keys that edit while text is typed. */
const TYPING: Readonly<Record<string, Exclude<TextKey['key'], 'insert'>>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'start',
  end: 'end',
  'page-up': 'page-up',
  'page-down': 'page-down',
  backspace: 'backspace',
  'ctrl-h': 'backspace',
  delete: 'delete',
  tab: 'indent',
};

/** The state after a key. */
export function pressVi(document: ViText, press: ViPress): ViText {
  const quiet: ViText = {text: document.text, vi: {...document.vi, message: ''}};
  if (press.name !== 'text') return one(quiet, press);
  let next = quiet;
  const letters = [...press.text];
  while (letters.length > 0 && !next.wish) {
    const text = next.vi.mode === 'insert' || next.vi.mode === 'line' ? letters.splice(0).join('') : (letters.shift() ?? '');
    next = one(next, {name: 'text', text});
  }
  return next;
}

/** A text that is pasted goes in as it is, whatever the mode. */
export function pasteVi({text, vi}: ViText, pasted: string): ViText {
  if (vi.mode === 'line') return {text, vi: {...vi, typed: vi.typed + (pasted.split(/[\r\n]/)[0] ?? '')}};
  return {text: editText(text, {key: 'insert', text: pasted}), vi: {...vi, pending: ''}};
}

function one(document: ViText, press: ViPress): ViText {
  const {text, vi} = document;
  const isFresh = vi.mode === 'normal' && vi.pending === '';
  if (isFresh && (press.text === 'u' || press.name === 'ctrl-r')) return press.text === 'u' ? undo(document) : redo(document);
  if (isFresh && press.text === '.') return settle(again(document));
  const begun: ViText = {text, vi: {...vi, keys: [...(isFresh ? [] : vi.keys), press], before: isFresh ? text : vi.before}};
  return settle(MODES[vi.mode](begun, press));
}

const MODES: Readonly<Record<ViText['vi']['mode'], (document: ViText, press: ViPress) => ViText>> = {
  normal,
  insert,
  line,
  visual,
};

/** After a whole command: what it did is one step to undo. */
function settle(document: ViText): ViText {
  const {text, vi} = document;
  if (vi.mode !== 'normal' || vi.pending !== '') return document;
  const {before} = vi;
  const hasChanged = before !== undefined && before.lines !== text.lines && before.lines.join('\n') !== text.lines.join('\n');
  const past = before ? (hasChanged ? kept(before) : before.past) : text.past;
  const isLine = [':', '/', '?'].includes(vi.keys[0]?.text ?? '');
  return {
    ...at(document, text),
    text: {...at(document, text).text, past},
    vi: {
      ...vi,
      before: undefined,
      lastChange: hasChanged && !isLine ? vi.keys : vi.lastChange,
      undone: hasChanged ? [] : vi.undone,
      keys: [],
    },
  };
}

function kept({past, lines, row, column}: TextState): TextState['past'] {
  return [...past.slice(-UNDO_STEPS), {lines, row, column}];
}

function again(document: ViText): ViText {
  const keys = document.vi.lastChange;
  const before = document.text;
  let next = document;
  for (const press of keys) next = one(next, press);
  return {...next, vi: {...next.vi, before, keys}};
}

function undo(document: ViText): ViText {
  const {text, vi} = document;
  const last = text.past.at(-1);
  if (!last) return says(document, 'Already at oldest change');
  const {lines, row, column} = text;
  return {
    text: {...text, ...last, past: text.past.slice(0, -1)},
    vi: {...vi, undone: [{lines, row, column}, ...vi.undone].slice(0, UNDO_STEPS)},
  };
}

function redo(document: ViText): ViText {
  const {text, vi} = document;
  const [next, ...rest] = vi.undone;
  if (!next) return says(document, 'Already at newest change');
  return {text: {...text, ...next, past: kept(text)}, vi: {...vi, undone: rest}};
}

function letterOf(press: ViPress): string {
  return press.name === 'text' ? press.text : (LETTERS[press.name] ?? '');
}

function isEscape({name}: ViPress): boolean {
  return name === 'escape' || name === 'ctrl-c';
}

function normal(document: ViText, press: ViPress): ViText {
  const {vi} = document;
  if (isEscape(press)) {
    if (vi.pending !== '') return {...document, vi: {...vi, pending: ''}};
    return press.name === 'escape'
      ? {...document, wish: {wish: 'leave', force: false}}
      : says(document, 'Type  :q!  and press Enter to leave without saving');
  }
  const letter = letterOf(press);
  if (letter === '') return document;
  const waiting: ViText = {...document, vi: {...vi, pending: vi.pending + letter}};
  const done = command(waiting);
  return done ? {...done, vi: {...done.vi, pending: ''}} : waiting;
}

function insert(document: ViText, press: ViPress): ViText {
  const {text, vi} = document;
  if (isEscape(press)) {
    const lines = text.lines[text.row]?.trim() === '' ? text.lines.with(text.row, '') : text.lines;
    return at({text: {...text, lines}, vi: {...vi, mode: 'normal'}}, {row: text.row, column: text.column - 1});
  }
  if (press.name === 'text') return {text: editText(text, {key: 'insert', text: press.text}), vi};
  if (press.name === 'ctrl-w' || press.name === 'ctrl-u') return {text: cutBack(text, press.name === 'ctrl-u'), vi};
  if (press.name === 'enter') return breakLine(document);
  const key = TYPING[press.name];
  return key ? {text: editText(text, {key}), vi} : document;
}

/** Takes the word before the cursor away, or all of the line before it. */
function cutBack(text: TextState, all: boolean): TextState {
  const before = lettersOf(text.lines, text.row).slice(0, text.column).join('');
  const left = [...(all ? '' : before.replace(/(?:\w+|[^\w\s]+)?\s*$/u, ''))].length;
  let next = text;
  for (let column = text.column; column > left; column--) next = editText(next, {key: 'backspace'});
  return next;
}

function line(document: ViText, press: ViPress): ViText {
  const {text, vi} = document;
  const typed = (words: string): ViText =>
    words === '' ? {text, vi: {...vi, mode: 'normal', typed: ''}} : {text, vi: {...vi, typed: words}};
  if (isEscape(press)) return typed('');
  if (press.name === 'enter') return runLine(document);
  if (press.name === 'text') return typed(vi.typed + press.text);
  if (press.name === 'backspace' || press.name === 'ctrl-h') return typed([...vi.typed].slice(0, -1).join(''));
  if (press.name === 'ctrl-w') return typed(vi.typed.replace(/(?!^)\S*\s*$/, ''));
  return press.name === 'ctrl-u' ? typed(vi.typed.slice(0, 1)) : document;
}

const MARKED: Readonly<Record<string, string>> = {d: 'd', x: 'd', c: 'c', s: 'c', y: 'y', '>': '>', '<': '<', X: 'd'};

/** A part is marked: motions widen it, an operator takes it. */
function visual(document: ViText, press: ViPress): ViText {
  const {text, vi} = document;
  const plain: ViText = {text, vi: {...vi, mode: 'normal', pending: ''}};
  const letter = letterOf(press);
  if (isEscape(press) || (letter === 'V' && vi.anchor.byLines) || (letter === 'v' && !vi.anchor.byLines)) return plain;
  if (letter === 'v' || letter === 'V') return {text, vi: {...vi, anchor: {...vi.anchor, byLines: letter === 'V'}}};
  if (letter === ':') return {text, vi: {...vi, mode: 'line', typed: ":'<,'>"}};
  const count = /^[1-9]\d*/.exec(vi.pending)?.[0];
  const operator = MARKED[letter];
  if (operator !== undefined && (vi.pending === '' || vi.pending === count)) {
    const span = marked(document);
    return '<>'.includes(operator)
      ? shift(plain, span, operator === '>' ? '>' : '<', Number(count ?? 1))
      : apply(plain, operator, span);
  }
  const keys = vi.pending + letter;
  if (/^(?:[1-9]\d*)?[gftFT]?$/.test(keys) && letter !== '') return {text, vi: {...vi, pending: keys}};
  const led = follow(document, keys.replace(/^[1-9]\d*/, ''), count === undefined ? undefined : Number(count));
  const still: ViText = {text, vi: {...vi, pending: ''}};
  return led ? at(still, led.to) : still;
}
