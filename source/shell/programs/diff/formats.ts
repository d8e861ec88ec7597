// How changes are shown: normal, as an ed script, unified, with context.
import type {Change} from './compare.ts';
import type {Text} from './text.ts';

/** Two texts and what to say of them. */
export interface Comparison {
  readonly left: Text;
  readonly right: Text;
  readonly changes: readonly Change[];
  /** Names with times, for the head. */
  readonly heads: readonly [string, string];
  readonly context: number;
  /** Changes that do not count, as of `-B`. */
  readonly isIgnored: (change: Change) => boolean;
  readonly paint: Paint;
}

/** Colours, or none. */
export type Paint = (kind: 'head' | 'place' | 'old' | 'new', line: string) => string;

const NO_END = '\\ No newline at end of file\n';

export const plainPaint: Paint = (_, line) => line;
const COLOURS = {head: '1', place: '36', old: '31', new: '32'};
export const colourPaint: Paint = (kind, line) => `\u001b[${COLOURS[kind]}m${line}\u001b[0m`;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Lines with a mark before each. */
function marked(
  text: Text,
  range: Range,
  mark: (index: number) => string,
  paint: (line: string) => string = each => each,
): string {
  let out = '';
  for (let index = range.from; index < range.to; index++) {
    out += `${paint(mark(index) + (text.lines[index] ?? ''))}\n`;
    if (text.lacksEnd && index === text.lines.length - 1) out += NO_END;
  }
  return out;
}

/** `2`, `2,4`; of no line the one before. */
function rangeText({from, to}: Range): string {
  return to - from > 1 ? `${from + 1},${to}` : String(to);
}

export function normal({left, right, changes, isIgnored, paint}: Comparison): string {
  let out = '';
  for (const change of changes) {
    if (isIgnored(change)) continue;
    const deletes = change.left.to > change.left.from;
    const inserts = change.right.to > change.right.from;
    const letter = deletes && inserts ? 'c' : deletes ? 'd' : 'a';
    out += `${paint('place', `${rangeText(change.left)}${letter}${rangeText(change.right)}`)}\n`;
    out += marked(
      left,
      change.left,
      () => '< ',
      line => paint('old', line),
    );
    if (letter === 'c') out += '---\n';
    out += marked(
      right,
      change.right,
      () => '> ',
      line => paint('new', line),
    );
  }
  return out;
}

/** What ed would do, from the end on. */
export function edScript({right, changes, isIgnored}: Comparison): string {
  let out = '';
  for (const change of [...changes].reverse()) {
    if (isIgnored(change)) continue;
    const deletes = change.left.to > change.left.from;
    const inserts = change.right.to > change.right.from;
    out += `${rangeText(change.left)}${deletes && inserts ? 'c' : deletes ? 'd' : 'a'}\n`;
    if (inserts) out += `${marked(right, change.right, () => '')}.\n`;
  }
  return out;
}

interface Hunk {
  readonly changes: readonly Change[];
  readonly left: Range;
  readonly right: Range;
}

/** Changes that lie near each other, with the lines around them. */
function hunksOf({left, right, changes, context, isIgnored}: Comparison): readonly Hunk[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const gap = before ? change.left.from - before.left.to : Infinity;
    const nearest = isIgnored(change) ? context : 2 * context + 1;
    if (group && gap < nearest) group.push(change);
    else groups.push([change]);
  }
  return groups
    .filter(group => !group.every(isIgnored))
    .map(group => {
      const first = group[0] as Change;
      const last = group.at(-1) as Change;
      const around = (from: number, to: number, length: number): Range => ({
        from: Math.max(0, from - context),
        to: Math.min(length, to + context),
      });
      return {
        changes: group,
        left: around(first.left.from, last.left.to, left.lines.length),
        right: around(first.right.from, last.right.to, right.lines.length),
      };
    });
}

export function unified(comparison: Comparison): string {
  const {left, right, heads, paint} = comparison;
  const hunks = hunksOf(comparison);
  if (hunks.length === 0) return '';
  let out = `${paint('head', `--- ${heads[0]}`)}\n${paint('head', `+++ ${heads[1]}`)}\n`;
  const place = ({from, to}: Range): string => {
    const count = to - from;
    return count === 1 ? String(to) : `${count === 0 ? to : from + 1},${count}`;
  };
  for (const hunk of hunks) {
    out += `${paint('place', `@@ -${place(hunk.left)} +${place(hunk.right)} @@`)}\n`;
    let at = hunk.left.from;
    for (const change of hunk.changes) {
      out += marked(left, {from: at, to: change.left.from}, () => ' ');
      out += marked(
        left,
        change.left,
        () => '-',
        line => paint('old', line),
      );
      out += marked(
        right,
        change.right,
        () => '+',
        line => paint('new', line),
      );
      at = change.left.to;
    }
    out += marked(left, {from: at, to: hunk.left.to}, () => ' ');
  }
  return out;
}

export function inContext(comparison: Comparison): string {
  const {left, right, heads, paint} = comparison;
  const hunks = hunksOf(comparison);
  if (hunks.length === 0) return '';
  let out = `${paint('head', `*** ${heads[0]}`)}\n${paint('head', `--- ${heads[1]}`)}\n`;
  for (const {changes, left: leftRange, right: rightRange} of hunks) {
    const markOf = (side: 'left' | 'right', index: number): string => {
      const change = changes.find(each => index >= each[side].from && index < each[side].to);
      if (!change) return '  ';
      const other = change[side === 'left' ? 'right' : 'left'];
      return other.to > other.from ? '! ' : side === 'left' ? '- ' : '+ ';
    };
    out += `***************\n${paint('place', `*** ${rangeText(leftRange)} ****`)}\n`;
    if (changes.some(change => change.left.to > change.left.from)) out += marked(left, leftRange, index => markOf('left', index));
    out += `${paint('place', `--- ${rangeText(rightRange)} ----`)}\n`;
    if (changes.some(change => change.right.to > change.right.from))
      out += marked(right, rightRange, index => markOf('right', index));
  }
  return out;
}
