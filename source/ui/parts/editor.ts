// The editor over the whole width: line numbers, YAML in colours, an error under its line with a caret.
import type {EditorState} from '../../game/session/state.ts';
import {marked} from '../../game/session/terminal/vi/normal.ts';
import type {ViState} from '../../game/session/terminal/vi/state.ts';
import {cut, ends} from '../text/width.ts';
import type {Theme} from '../text/theme.ts';
import type {PartView} from './view.ts';

export function editor({state, theme, width, height}: PartView): readonly string[] {
  const edited = state.editor;
  if (!edited) return [];
  const below = edited.vi ? [statusLine(edited.vi, theme, width)] : [];
  const {lines, row} = edited.text;
  const room = Math.max(1, height - 1 - below.length - (edited.problem ? 1 : 0));
  const from = Math.max(0, Math.min(row - Math.floor(room / 2), lines.length - room));
  const hasNumbers = edited.vi?.options.number !== false;
  const numbers = hasNumbers ? String(lines.length).length : 0;
  const body: string[] = [];
  for (let at = from; at < Math.min(lines.length, from + room); at++) {
    const number = hasNumbers ? ` ${theme.dim(String(at + 1).padStart(numbers))}` : '';
    body.push(`${number} ${shownLine(edited, at, {theme, width: width - numbers - 3})}`);
    if (edited.problem?.line === at + 1) body.push(problemLine(edited.problem, {theme, width, indent: numbers + 1}));
  }
  while (edited.vi && body.length < height - 2) body.push(theme.dim(' ~'));
  const title = ends(
    ` ${theme.bold(edited.path)}`,
    edited.asking
      ? `${theme.yellow('not saved: ^S saves, ^Q throws away, Esc goes on')} `
      : `line ${row + 1} of ${lines.length} `,
    width,
  );
  return [title, ...body, ...below].slice(0, height);
}

function problemLine(
  {line, column, message}: NonNullable<EditorState['problem']>,
  {theme, width, indent}: {readonly theme: Theme; readonly width: number; readonly indent: number},
): string {
  return theme.red(cut(`${' '.repeat(indent + column)}^ line ${line}, column ${column}: ${message}`, width));
}

const MODES = {normal: '', line: '', insert: '-- INSERT --', visual: '-- VISUAL --'} as const;

/** What is typed below the text, what was said last, or the mode. */
function statusLine({mode, typed, pending, message, anchor, options}: ViState, theme: Theme, width: number): string {
  if (mode === 'line') return cut(`${typed}${theme.inverse(' ')}`, width, '');
  if (message !== '') return cut(theme.yellow(message), width);
  const name = mode === 'visual' && anchor.byLines ? '-- VISUAL LINE --' : MODES[mode];
  return ends(` ${theme.bold(options.paste && mode === 'insert' ? '-- INSERT (paste) --' : name)}`, `${pending} `, width);
}

interface Shown {
  readonly theme: Theme;
  readonly width: number;
}

function shownLine({text, vi}: EditorState, at: number, {theme, width}: Shown): string {
  const line = text.lines[at] ?? '';
  const letters = [...line];
  const isMarking = vi?.mode === 'visual';
  if (isMarking && isMarked(vi.anchor, text, at)) return cut(markedLine(letters, {text, vi}, at, theme), width, '');
  if (at !== text.row) return cut(colours(line, theme), width);
  const start = Math.max(0, text.column - width + 2);
  const before = letters.slice(start, text.column).join('');
  return cut(`${before}${theme.inverse(letters[text.column] ?? ' ')}${letters.slice(text.column + 1).join('')}`, width, '');
}

function isMarked(anchor: ViState['anchor'], {row}: EditorState['text'], at: number): boolean {
  return at >= Math.min(anchor.row, row) && at <= Math.max(anchor.row, row);
}

/** A line that is marked, whole or in part. */
function markedLine(
  letters: readonly string[],
  {text, vi}: {readonly text: EditorState['text']; readonly vi: ViState},
  at: number,
  theme: Theme,
): string {
  const {from, to, byLines} = marked({text, vi});
  const start = byLines || at > from.row ? 0 : from.column;
  const end = byLines || at < to.row ? letters.length : to.column;
  const part = letters.slice(start, end).join('');
  return `${letters.slice(0, start).join('')}${theme.inverse(part === '' ? ' ' : part)}${letters.slice(end).join('')}`;
}

/** Keys, comments and texts of a line of YAML. */
function colours(line: string, theme: Theme): string {
  if (line.trimStart().startsWith('#')) return theme.dim(line);
  const [, indent, dash, key = '', colon = '', rest = ''] = /^(\s*)((?:- )*)([^\s#:][^#:]*?)(:)((?:\s.*)?)$/.exec(line) ?? [];
  if (colon === '') return line;
  return `${indent}${dash}${theme.cyan(key)}${colon}${rest.replace(/( #.*)$/, comment => theme.dim(comment))}`;
}
