// The terminal: what was printed, the line that is being typed with its cursor, and the words that Tab found.
import {cut, fit, rowsOf, widthOf} from '../text/width.ts';
import type {PartView} from './view.ts';

/** The newest rows that fit, or those that the player scrolled back to. */
export function terminal(view: PartView): readonly string[] {
  const {state, width, height} = view;
  const bottom = state.scrolled > 0 ? [] : [...inputRows(view), ...completionRows(view)];
  const room = Math.max(0, height - bottom.length);
  const {lines} = state.transcript;
  const rows: string[] = [];
  for (let at = lines.length - 1 - state.scrolled; at >= 0 && rows.length < room; at--)
    rows.unshift(...rowsOf(lines[at] ?? '', width));
  const shown = rows.slice(-room || rows.length);
  const whole = [...(room === 0 ? [] : shown), ...bottom].slice(-height);
  return [...whole, ...Array.from({length: Math.max(0, height - whole.length)}, () => '')];
}

/** The unfinished line: a prompt or a program's words, then what is typed. */
function inputRows({state, theme, width}: PartView): readonly string[] {
  const {last} = state.transcript;
  const {text, cursor, search} = state.line;
  if (state.phase !== 'playing' && state.phase !== 'briefing') return last === '' ? [] : rowsOf(last, width);
  const letters = [...text];
  const under = letters[cursor] ?? ' ';
  const point = state.mode === 'terminal' ? theme.inverse(under) : under;
  const typed = `${letters.slice(0, cursor).join('')}${point}${letters.slice(cursor + 1).join('')}`;
  const front = search === undefined ? last : `(reverse-i-search)\`${search}': `;
  return rowsOf(front + (state.mode === 'terminal' ? typed : theme.dim(typed)), width);
}

/** Completions in columns, three rows at most. */
function completionRows({state, theme, width}: PartView): readonly string[] {
  const words = state.completions;
  if (words.length === 0) return [];
  const cell = Math.min(width, Math.max(...words.map(widthOf)) + 2);
  const columns = Math.max(1, Math.floor(width / cell));
  const rows = Math.ceil(words.length / columns);
  const shown = Math.min(3, rows);
  return Array.from({length: shown}, (_, row) => {
    const cells = words.slice(row * columns, (row + 1) * columns).map(word => fit(word, cell));
    const more = row === shown - 1 && rows > shown ? ` and ${words.length - shown * columns} more` : '';
    return theme.dim(cut(cells.join('').trimEnd() + more, width));
  });
}
