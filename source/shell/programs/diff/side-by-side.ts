// `diff -y`: both texts beside each other, and a sign between lines that differ.
import type {Comparison} from './formats.ts';
import type {Text} from './text.ts';

const TAB = 8;
const LEAST_GUTTER = 3;

interface Layout {
  readonly half: number;
  readonly second: number;
}

/** Columns that GNU takes for a width: the second text begins at a multiple of a tab. */
function layoutOf(width: number): Layout {
  const extra = TAB + LEAST_GUTTER;
  const wanted = (width >> 1) + (extra >> 1) + (width & extra & 1);
  const second = wanted - (wanted % TAB);
  const half = Math.max(0, Math.min(second - LEAST_GUTTER, width - second));
  return {half, second: half > 0 ? second : width};
}

export interface SideBySide {
  readonly width: number;
  readonly onlyChanges: boolean;
  readonly leftColumn: boolean;
}

export function sideBySide({left, right, changes, isIgnored}: Comparison, how: SideBySide): string {
  const layout = layoutOf(how.width);
  let out = '';
  let at = 0;
  let beside = 0;
  const row = (sign: string, first: string | undefined, second: string | undefined): void => {
    out += rowText(layout, {sign, first, second});
  };
  const common = (to: number): void => {
    for (; at < to; at++, beside++) {
      if (how.onlyChanges) continue;
      if (how.leftColumn) row('(', left.lines[at], undefined);
      else row(' ', left.lines[at], right.lines[beside]);
    }
  };
  for (const change of changes) {
    common(change.left.from);
    while (at < change.left.to || beside < change.right.to) {
      const both = at < change.left.to && beside < change.right.to;
      if (both) row(isIgnored(change) ? ' ' : signOf(left, right, at, beside), left.lines[at++], right.lines[beside++]);
      else if (at < change.left.to) row('<', left.lines[at++], undefined);
      else row('>', undefined, right.lines[beside++]);
    }
  }
  common(left.lines.length);
  return out;
}

/** Lines that differ only by an end that one lacks have a sign of their own. */
function signOf(left: Text, right: Text, at: number, beside: number): string {
  if (left.lines[at] !== right.lines[beside]) return '|';
  return left.lacksEnd && at === left.lines.length - 1 ? '\\' : '/';
}

interface Row {
  readonly sign: string;
  readonly first: string | undefined;
  readonly second: string | undefined;
}

function rowText({half, second}: Layout, row: Row): string {
  const cut = half > 0 ? half : 0;
  let out = '';
  let column = 0;
  const write = (text: string): void => {
    const {shown, width} = fitted(text, cut);
    out += shown;
    column += width;
  };
  const moveTo = (to: number): void => {
    for (let tab = column + TAB - (column % TAB); tab <= to; tab += TAB) {
      out += '\t';
      column = tab;
    }
    out += ' '.repeat(Math.max(0, to - column));
    column = Math.max(column, to);
  };
  if (row.first !== undefined) write(row.first);
  if (row.sign !== ' ') {
    moveTo((half + second - 1) >> 1);
    out += row.sign;
    column++;
  }
  if (row.second !== undefined) {
    if (row.second !== '') moveTo(second);
    write(row.second);
  }
  return `${out}\n`;
}

/** As much of a line as there is room for. */
function fitted(text: string, room: number): {shown: string; width: number} {
  let shown = '';
  let width = 0;
  for (const char of text) {
    const wide = char === '\t' ? TAB - (width % TAB) : 1;
    if (width + wide > room) break;
    shown += char;
    width += wide;
  }
  return {shown, width};
}
