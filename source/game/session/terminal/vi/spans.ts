// Parts of the text that commands of vi take: whole lines, or letters from one place to before another.
import {editText} from '../text-editor.ts';
import {indentOf, type Place, type Reach} from './motions.ts';
import {at, withLines, type ViText} from './state.ts';

/** From a place to before another; by lines, both rows are whole. */
export interface Span {
  readonly from: Place;
  readonly to: Place;
  readonly byLines: boolean;
}

const INDENT = '  ';

/** What lies between the cursor and where a motion leads. */
export function spanTo(lines: readonly string[], here: Place, {to, covers}: Reach): Span {
  const isBack = to.row < here.row || (to.row === here.row && to.column < here.column);
  const [from, end] = isBack ? [to, here] : [here, to];
  const length = [...(lines[end.row] ?? '')].length;
  const column = Math.min(length, end.column + (covers === 'including' ? 1 : 0));
  return {from, to: {row: end.row, column}, byLines: covers === 'lines'};
}

/** The text of a span; by lines, with a line end at its end. */
export function textIn(lines: readonly string[], {from, to, byLines}: Span): string {
  if (byLines) return `${lines.slice(from.row, to.row + 1).join('\n')}\n`;
  const part = lines.slice(from.row, to.row + 1).map(line => [...line]);
  const last = part.length - 1;
  return part
    .map((letters, row) => letters.slice(row === 0 ? from.column : 0, row === last ? to.column : letters.length).join(''))
    .join('\n');
}

/** Keeps a span's text for `p`. */
export function copy(document: ViText, span: Span): ViText {
  const killed = textIn(document.text.lines, span);
  const kept = {...document, text: {...document.text, killed}};
  return at(kept, span.byLines ? {row: span.from.row, column: kept.text.column} : span.from);
}

/** Takes a span out, and keeps it for `p`. */
export function take(document: ViText, span: Span): ViText {
  const kept = copy(document, span);
  const {lines} = kept.text;
  const {from, to} = span;
  if (span.byLines) {
    const left = [...lines.slice(0, from.row), ...lines.slice(to.row + 1)];
    const row = Math.min(from.row, Math.max(0, left.length - 1));
    return withLines(kept, left, {row, column: indentOf(left[row])});
  }
  const joined =
    [...(lines[from.row] ?? '')].slice(0, from.column).join('') + [...(lines[to.row] ?? '')].slice(to.column).join('');
  return withLines(kept, [...lines.slice(0, from.row), joined, ...lines.slice(to.row + 1)], from);
}

/** Moves the lines of a span to the right or to the left. */
export function shift(document: ViText, {from, to}: Span, way: '>' | '<', times = 1): ViText {
  const {lines} = document.text;
  const moved = lines.map((line, row) => {
    if (row < from.row || row > to.row || (way === '>' && line === '')) return line;
    return way === '>' ? INDENT.repeat(times) + line : line.replace(new RegExp(`^ {0,${INDENT.length * times}}`), '');
  });
  return withLines(document, moved, {row: from.row, column: indentOf(moved[from.row])});
}

/** Breaks the line at the cursor; the new one begins with the blanks of the old one, but not while `:set paste` holds. */
export function breakLine({text, vi}: ViText): ViText {
  const broken = editText(text, {key: 'line-end'});
  const indent = ' '.repeat(Math.min(text.column, indentOf(text.lines[text.row])));
  return {text: vi.options.paste ? broken : editText(broken, {key: 'insert', text: indent}), vi};
}

/** Puts back what was kept: whole lines below or above, letters behind or before the cursor. */
export function put(document: ViText, isBefore: boolean, times: number): ViText {
  const {lines, row, column, killed} = document.text;
  if (killed === '') return document;
  if (killed.endsWith('\n')) {
    const fresh = Array.from({length: times}, () => killed.slice(0, -1).split('\n')).flat();
    const to = isBefore ? row : row + 1;
    return withLines(document, [...lines.slice(0, to), ...fresh, ...lines.slice(to)], {row: to, column: indentOf(fresh[0])});
  }
  const letters = [...(lines[row] ?? '')];
  const to = isBefore || letters.length === 0 ? column : column + 1;
  const parts = `${letters.slice(0, to).join('')}${killed.repeat(times)}${letters.slice(to).join('')}`.split('\n');
  const end = killed.includes('\n') ? to : to + [...killed].length * times - 1;
  return withLines(document, [...lines.slice(0, row), ...parts, ...lines.slice(row + 1)], {row, column: end});
}
