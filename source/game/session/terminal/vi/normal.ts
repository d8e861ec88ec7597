// Commands of vi that are typed without a line below: counts, operators with motions, single letters.
import {editText} from '../text-editor.ts';
import {indentOf, reach, textObject} from './motions.ts';
import {compilePattern, findPattern} from './pattern.ts';
import {breakLine, copy, put, shift, spanTo, take, type Span} from './spans.ts';
import {at, says, withLines, type ViText} from './state.ts';

const MOTION = String.raw`(?:gg|[;hjklwbeWBE0^$G%{}+nN* \r\u0002\u0004\u0006\u0015-])`;
const FIND = '[ftFT].';
const OBJECT = '[ia](?:[wW"\'`(){}\\[\\]])';
const WHOLE = new RegExp(
  `^(?:"[\\w"+*])?([1-9]\\d*)?(?:([dcy<>])([1-9]\\d*)?(\\2|${OBJECT}|${FIND}|${MOTION})|(${FIND}|${MOTION})|(r.|r\\r|ZZ|ZQ|z.|[xXDCYsSpPuiaIAoOJ~vV:/?.\\u0012]))$`,
  'u',
);
const BEGUN = /^(?:"[\w"+*]?)?(?:[1-9]\d*)?(?:[dcy<>](?:[1-9]\d*)?[iagftFT]?|[gftFTrZz])?$/;

/** Does what the keys say that are typed so far; undefined while more must come. */
export function command(document: ViText): ViText | undefined {
  const keys = document.vi.pending;
  const match = WHOLE.exec(keys);
  if (!match) {
    if (BEGUN.test(keys)) return undefined;
    return says(document, `${keys} is no command here: i types text, :wq saves and leaves, :q! leaves without saving`);
  }
  const [, count, operator, inner, target, motion, letter] = match;
  const times = count === undefined && inner === undefined ? undefined : Number(count ?? 1) * Number(inner ?? 1);
  if (operator !== undefined) return operate(document, operator, target ?? '', times);
  if (motion !== undefined) return go(document, motion, times);
  return (document.vi.mode === 'visual' ? undefined : single(document, letter ?? '', times)) ?? document;
}

/** Where a motion leads, searches among them. */
export function follow(document: ViText, motion: string, count: number | undefined) {
  const {text, vi} = document;
  if (motion === 'n' || motion === 'N' || motion === '*') return searchAgain(document, motion);
  return reach(motion, {lines: text.lines, at: text, count, found: vi.found});
}

function searchAgain({text, vi}: ViText, motion: string) {
  const regex = compilePattern(vi.searched.slice(1), vi.options.ignorecase);
  const isBack = vi.searched.startsWith('?') !== (motion === 'N');
  const to = regex && vi.searched.length > 1 ? findPattern(text.lines, regex, text, isBack ? -1 : 1) : undefined;
  return to && {to, covers: 'excluding' as const};
}

function go(document: ViText, motion: string, count: number | undefined): ViText {
  const remembered = withFound(motion === '*' ? withWord(document) : document, motion);
  const led = follow(remembered, motion, count);
  if (led) return at(remembered, led.to);
  return 'nN*'.includes(motion) ? says(remembered, `E486: Pattern not found: ${remembered.vi.searched.slice(1)}`) : remembered;
}

function withFound(document: ViText, motion: string): ViText {
  return /^[ftFT]./u.test(motion) ? {...document, vi: {...document.vi, found: motion}} : document;
}

function withWord(document: ViText): ViText {
  const {lines, row, column} = document.text;
  const [from, to] = textObject('iw', lines[row] ?? '', column) ?? [0, 0];
  const word = [...(lines[row] ?? '')].slice(from, to).join('');
  return {...document, vi: {...document.vi, searched: `/\\<${word.replaceAll(/[\\/.*^$[\]]/g, String.raw`\$&`)}\\>`}};
}

function operate(document: ViText, operator: string, target: string, count: number | undefined): ViText {
  const remembered = withFound(document, target);
  const span = spanOf(remembered, operator, target, count);
  return span ? apply(remembered, operator, span) : remembered;
}

function spanOf(document: ViText, operator: string, target: string, count: number | undefined): Span | undefined {
  const {lines, row, column} = document.text;
  if (target === operator) {
    const to = Math.min(lines.length - 1, row + (count ?? 1) - 1);
    return {from: {row, column: 0}, to: {row: to, column: 0}, byLines: true};
  }
  if (/^[ia]/.test(target)) {
    const object = textObject(target, lines[row] ?? '', column);
    return object && {from: {row, column: object[0]}, to: {row, column: object[1]}, byLines: false};
  }
  // `cw` on a word leaves the blanks behind it, as `ce` does; `dw` on the last word of a line leaves the line's end.
  const onWord = /\S/.test([...(lines[row] ?? '')][column] ?? '');
  const isWord = target === 'w' || target === 'W';
  const motion = operator === 'c' && isWord && onWord ? (target === 'w' ? 'e' : 'E') : target;
  const from = motion === target ? document.text : {row, column: Math.max(0, column)};
  const led = motion === target ? follow(document, motion, count) : wordEndFrom(document, motion, count);
  if (!led) return undefined;
  const end = isWord && led.to.row > row && (count ?? 1) === 1 ? {row, column: [...(lines[row] ?? '')].length} : led.to;
  return spanTo(lines, from, {...led, to: end});
}

/** As `e`, but a word of one letter is its own end. */
function wordEndFrom(document: ViText, motion: string, count: number | undefined) {
  const {lines, row, column} = document.text;
  const [, end = column + 1] = textObject(motion === 'e' ? 'iw' : 'iW', lines[row] ?? '', column) ?? [];
  if ((count ?? 1) === 1) return {to: {row, column: end - 1}, covers: 'including' as const};
  return follow({...document, text: {...document.text, column: end - 1}}, motion, (count ?? 1) - 1);
}

/** What an operator does to a part of the text. */
export function apply(document: ViText, operator: string, span: Span): ViText {
  switch (operator) {
    case 'y':
      return copy(document, span);
    case 'd':
      return take(document, span);
    case 'c': {
      if (!span.byLines) return typing(take(document, span), span.from.column);
      const {lines} = document.text;
      const indent = ' '.repeat(indentOf(lines[span.from.row]));
      const kept = copy(document, span);
      return typing(
        withLines(kept, [...lines.slice(0, span.from.row), indent, ...lines.slice(span.to.row + 1)], {
          row: span.from.row,
          column: 0,
        }),
        indent.length,
      );
    }
    default:
      return shift(document, span, operator === '>' ? '>' : '<');
  }
}

/** Goes on by typing, from a column of the line. */
function typing(document: ViText, column: number): ViText {
  return at({...document, vi: {...document.vi, mode: 'insert'}}, {row: document.text.row, column});
}

const SHORT: Readonly<Record<string, readonly [string, string]>> = {
  x: ['d', 'l'],
  X: ['d', 'h'],
  D: ['d', '$'],
  C: ['c', '$'],
  Y: ['y', 'y'],
  s: ['c', 'l'],
  S: ['c', 'c'],
};

function single(document: ViText, letter: string, count: number | undefined): ViText | undefined {
  const {lines, row, column} = document.text;
  const length = [...(lines[row] ?? '')].length;
  const short = SHORT[letter];
  if (short) return operate(document, short[0], short[1], count);
  if (letter.startsWith('r') && letter.length > 1) return replaceLetter(document, letter.slice(1), count ?? 1);
  switch (letter) {
    case 'i':
      return typing(document, column);
    case 'a':
      return typing(document, Math.min(length, column + 1));
    case 'I':
      return typing(document, indentOf(lines[row]));
    case 'A':
      return typing(document, length);
    case 'o':
      return breakLine(typing(document, length));
    case 'O': {
      const indent = ' '.repeat(document.vi.options.paste ? 0 : indentOf(lines[row]));
      return typing(withLines(document, [...lines.slice(0, row), indent, ...lines.slice(row)], {row, column: 0}), indent.length);
    }
    case 'p':
    case 'P':
      return put(document, letter === 'P', count ?? 1);
    case 'J':
      return join(document, Math.max(1, (count ?? 2) - 1));
    case '~':
      return changeCase(document, count ?? 1);
    case 'v':
    case 'V':
      return {...document, vi: {...document.vi, mode: 'visual', anchor: {row, column, byLines: letter === 'V'}}};
    case ':':
    case '/':
    case '?':
      return {...document, vi: {...document.vi, mode: 'line', typed: letter}};
    case 'ZZ':
      return {...document, wish: {wish: 'save', force: false}};
    case 'ZQ':
      return {...document, wish: {wish: 'leave', force: true}};
    default:
      return undefined;
  }
}

function replaceLetter(document: ViText, by: string, times: number): ViText {
  const {lines, row, column} = document.text;
  const letters = [...(lines[row] ?? '')];
  if (column + times > letters.length) return document;
  if (by === '\r') return breakLine({...document, text: editText(document.text, {key: 'delete'})});
  const line = [...letters.slice(0, column), ...Array.from({length: times}, () => by), ...letters.slice(column + times)].join('');
  return withLines(document, lines.with(row, line), {row, column: column + times - 1});
}

function changeCase(document: ViText, times: number): ViText {
  const {lines, row, column} = document.text;
  const line = [...(lines[row] ?? '')]
    .map((each, index) =>
      index < column || index >= column + times ? each : each === each.toUpperCase() ? each.toLowerCase() : each.toUpperCase(),
    )
    .join('');
  return withLines(document, lines.with(row, line), {row, column: column + times});
}

function join(document: ViText, times: number): ViText {
  let next = document;
  for (let time = 0; time < times && next.text.row < next.text.lines.length - 1; time++) {
    const {lines, row} = next.text;
    const [before, after] = [(lines[row] ?? '').trimEnd(), (lines[row + 1] ?? '').trimStart()];
    const joined = after === '' ? before : `${before} ${after}`;
    next = withLines(next, [...lines.slice(0, row), joined, ...lines.slice(row + 2)], {row, column: [...before].length});
  }
  return next;
}

/** What is marked. */
export function marked({text, vi}: ViText): Span {
  const {anchor} = vi;
  const isBack = text.row < anchor.row || (text.row === anchor.row && text.column < anchor.column);
  const [from, to] = isBack ? [text, anchor] : [anchor, text];
  return {
    from: {row: from.row, column: from.column},
    to: {row: to.row, column: Math.min([...(text.lines[to.row] ?? '')].length, to.column + 1)},
    byLines: anchor.byLines,
  };
}
