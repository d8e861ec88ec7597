// A text of many lines with a cursor: the editor's state. Pure: a key in, the next state out.

export interface TextState {
  readonly lines: readonly string[];
  readonly row: number;
  /** In characters (code points) from the start of the line. */
  readonly column: number;
  readonly past: readonly Snapshot[];
  readonly killed: string;
}

interface Snapshot {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
}

export type TextKey =
  | {readonly key: 'insert'; readonly text: string}
  | {
      readonly key:
        | 'left'
        | 'right'
        | 'up'
        | 'down'
        | 'start'
        | 'end'
        | 'page-up'
        | 'page-down'
        | 'top'
        | 'bottom'
        | 'enter'
        | 'line-end'
        | 'backspace'
        | 'delete'
        | 'kill-end'
        | 'kill-line'
        | 'yank'
        | 'undo'
        | 'indent';
    };

/** A line's blanks, and of a list's item with keys those below which its other keys stand. */
const INDENT = /^ *(?:- (?=[^\s#:][^:]*:(?: |$)))?/;
const PAGE = 15;
const UNDO_STEPS = 200;

/** The editor's state for a text. */
export function openText(text: string): TextState {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return {lines, row: 0, column: 0, past: [], killed: ''};
}

/** The text again, with a line end at its end. */
export function textOf(state: TextState): string {
  const text = state.lines.join('\n');
  return text === '' ? '' : `${text}\n`;
}

/** The state after a key. */
export function editText(state: TextState, key: TextKey): TextState {
  return move(state, key) ?? change(state, key);
}

function move(state: TextState, {key}: TextKey): TextState | undefined {
  const {lines, row, column} = state;
  const length = lengthOf(lines[row]);
  switch (key) {
    case 'left':
      return column > 0
        ? {...state, column: column - 1}
        : row > 0
          ? {...state, row: row - 1, column: lengthOf(lines[row - 1])}
          : state;
    case 'right':
      return column < length
        ? {...state, column: column + 1}
        : row < lines.length - 1
          ? {...state, row: row + 1, column: 0}
          : state;
    case 'up':
      return goTo(state, row - 1);
    case 'down':
      return goTo(state, row + 1);
    case 'page-up':
      return goTo(state, row - PAGE);
    case 'page-down':
      return goTo(state, row + PAGE);
    case 'top':
      return {...state, row: 0, column: 0};
    case 'bottom':
      return goTo(state, lines.length - 1);
    case 'start':
      return {...state, column: 0};
    case 'end':
      return {...state, column: length};
    default:
      return undefined;
  }
}

function goTo(state: TextState, row: number): TextState {
  const to = Math.max(0, Math.min(state.lines.length - 1, row));
  return {...state, row: to, column: Math.min(state.column, lengthOf(state.lines[to]))};
}

function change(state: TextState, key: TextKey): TextState {
  const line = [...(state.lines[state.row] ?? '')];
  const {row, column, lines} = state;
  switch (key.key) {
    case 'insert':
      return insert(state, key.text);
    case 'indent':
      return insert(state, column % 2 === 0 ? '  ' : ' ');
    case 'enter':
      return insert(state, `\n${INDENT.exec(line.join(''))?.[0].replace('- ', '  ').slice(0, column) ?? ''}`);
    case 'line-end':
      return insert(state, '\n');
    case 'backspace': {
      if (column > 0) return put(state, [...line.slice(0, column - 1), ...line.slice(column)].join(''), column - 1);
      if (row === 0) return state;
      const before = lines[row - 1] ?? '';
      return keep(state, {
        lines: [...lines.slice(0, row - 1), before + line.join(''), ...lines.slice(row + 1)],
        row: row - 1,
        column: lengthOf(before),
      });
    }
    case 'delete': {
      if (column < line.length) return put(state, [...line.slice(0, column), ...line.slice(column + 1)].join(''), column);
      if (row === lines.length - 1) return state;
      return keep(state, {
        lines: [...lines.slice(0, row), line.join('') + (lines[row + 1] ?? ''), ...lines.slice(row + 2)],
        row,
        column,
      });
    }
    case 'kill-end':
      return {...put(state, line.slice(0, column).join(''), column), killed: line.slice(column).join('')};
    case 'kill-line': {
      const rest = [...lines.slice(0, row), ...lines.slice(row + 1)];
      const left = rest.length === 0 ? [''] : rest;
      return {...keep(state, {lines: left, row: Math.min(row, left.length - 1), column: 0}), killed: `${line.join('')}\n`};
    }
    case 'yank':
      return insert(state, state.killed);
    case 'undo':
      return undo(state);
    default:
      return state;
  }
}

function insert(state: TextState, text: string): TextState {
  const plain = text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '');
  const line = [...(state.lines[state.row] ?? '')];
  const parts = plain.split('\n');
  const before = line.slice(0, state.column).join('');
  const after = line.slice(state.column).join('');
  const last = parts.length - 1;
  const fresh = parts.map((part, index) => `${index === 0 ? before : ''}${part}${index === last ? after : ''}`);
  const column = (last === 0 ? state.column : 0) + lengthOf(parts[last]);
  return keep(state, {
    lines: [...state.lines.slice(0, state.row), ...fresh, ...state.lines.slice(state.row + 1)],
    row: state.row + last,
    column,
  });
}

function put(state: TextState, line: string, column: number): TextState {
  return keep(state, {lines: state.lines.map((each, index) => (index === state.row ? line : each)), row: state.row, column});
}

function keep(state: TextState, next: Snapshot): TextState {
  const past = [...state.past.slice(-UNDO_STEPS), {lines: state.lines, row: state.row, column: state.column}];
  return {...state, ...next, past};
}

function undo(state: TextState): TextState {
  const before = state.past.at(-1);
  return before ? {...state, ...before, past: state.past.slice(0, -1)} : state;
}

function lengthOf(line: string | undefined): number {
  return [...(line ?? '')].length;
}
