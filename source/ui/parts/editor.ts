// The editor over the whole width: line numbers, YAML in colours, an error under its line with a caret.
import type {EditorState} from '../../game/session/state.ts';
import {cut, ends} from '../text/width.ts';
import type {Theme} from '../text/theme.ts';
import type {PartView} from './view.ts';

export function editor({state, theme, width, height}: PartView): readonly string[] {
  const edited = state.editor;
  if (!edited) return [];
  const {lines, row} = edited.text;
  const room = Math.max(1, height - 1 - (edited.problem ? 2 : 0));
  const from = Math.max(0, Math.min(row - Math.floor(room / 2), lines.length - room));
  const numbers = String(lines.length).length;
  const body: string[] = [];
  for (let at = from; at < Math.min(lines.length, from + room); at++) {
    body.push(` ${theme.dim(String(at + 1).padStart(numbers))} ${shownLine(edited, at, {theme, width: width - numbers - 3})}`);
    if (edited.problem?.line === at + 1) {
      body.push(
        theme.red(
          cut(
            `${' '.repeat(numbers + 1 + edited.problem.column)}^ line ${edited.problem.line}, column ${edited.problem.column}: ${edited.problem.message}`,
            width,
          ),
        ),
      );
    }
  }
  const title = ends(
    ` ${theme.bold(edited.path)}`,
    edited.asking
      ? `${theme.yellow('not saved: ^S saves, ^Q throws away, Esc goes on')} `
      : `line ${row + 1} of ${lines.length} `,
    width,
  );
  return [title, ...body].slice(0, height);
}

function shownLine({text}: EditorState, at: number, {theme, width}: {readonly theme: Theme; readonly width: number}): string {
  const line = text.lines[at] ?? '';
  if (at !== text.row) return cut(colours(line, theme), width);
  const letters = [...line];
  const start = Math.max(0, text.column - width + 2);
  const before = letters.slice(start, text.column).join('');
  return cut(`${before}${theme.inverse(letters[text.column] ?? ' ')}${letters.slice(text.column + 1).join('')}`, width, '');
}

/** Keys, comments and texts of a line of YAML. */
function colours(line: string, theme: Theme): string {
  const [, indent = '', dash = '', key = '', colon = '', rest = ''] =
    /^(\s*)((?:- )*)([^\s#:][^#:]*?)?(:(?=\s|$))?(.*)$/.exec(line) ?? [];
  if (line.trimStart().startsWith('#')) return theme.dim(line);
  if (colon === '') return line;
  return `${indent}${dash}${theme.cyan(key)}${colon}${rest.replace(/( #.*)$/, comment => theme.dim(comment))}`;
}
