// Brace expansion: `a{b,c}{1..3}` becomes several words before anything else happens to them. It works on the tree, so that
// `{$x,y}` is expanded later and a quoted brace is none. The number of words is bounded: where a real bash would fill the
// machine's memory, this one says that it cannot.
import type {BraceItem, WordNode, WordPart} from '../syntax/tree.ts';

/** More words than this are refused. */
const MOST_WORDS = 100_000;

/** The words that one word stands for; undefined when they are too many. */
export function expandBraces(word: WordNode): readonly WordNode[] | undefined {
  if (!word.parts.some(part => part.type === 'BraceExpansion')) return [word];
  const rows = product(word.parts);
  return rows?.map(parts => ({type: 'Word', parts}));
}

/** How many items the ranges of a word ask for: for the message when they are too many. */
export function countOf(word: WordNode): number {
  let count = 1;
  for (const part of word.parts) {
    if (part.type === 'BraceExpansion') count *= part.items.reduce((sum, item) => sum + sizeOf(item), 0);
  }
  return count;
}

function sizeOf(item: BraceItem): number {
  if (item.type === 'Word') return countOf(item.word);
  const step = Math.max(1, Math.abs(item.step ?? 1));
  return Math.floor(Math.abs(codeOf(item.end) - codeOf(item.start)) / step) + 1;
}

function product(parts: readonly WordPart[]): WordPart[][] | undefined {
  let rows: WordPart[][] = [[]];
  for (const part of parts) {
    if (part.type !== 'BraceExpansion') {
      for (const row of rows) row.push(part);
      continue;
    }
    if (part.items.reduce((sum, item) => sum + sizeOf(item), 0) * rows.length > MOST_WORDS) return undefined;
    const choices: WordPart[][] = [];
    for (const item of part.items) {
      const more = choicesOf(item);
      if (!more) return undefined;
      for (const choice of more) choices.push(choice);
    }
    rows = rows.flatMap(row => choices.map(choice => [...row, ...choice]));
  }
  return rows;
}

function choicesOf(item: BraceItem): WordPart[][] | undefined {
  if (item.type === 'Word') return product(item.word.parts);
  return rangeOf(item).map(value => [{type: 'Literal', value}]);
}

function codeOf(end: string | number): number {
  return typeof end === 'number' ? end : (end.codePointAt(0) ?? 0);
}

function rangeOf(item: BraceItem & {type: 'Range'}): string[] {
  const from = codeOf(item.start);
  const to = codeOf(item.end);
  const step = Math.max(1, Math.abs(item.step ?? 1)) * (from <= to ? 1 : -1);
  const isNumber = typeof item.start === 'number';
  const width =
    isPadded(item.startStr) || isPadded(item.endStr) ? Math.max(item.startStr?.length ?? 0, item.endStr?.length ?? 0) : 0;
  const values: string[] = [];
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
    values.push(isNumber ? padded(value, width) : String.fromCodePoint(value));
  }
  return values;
}

function isPadded(digits: string | undefined): boolean {
  return digits !== undefined && /^-?0\d/.test(digits);
}

function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0');
  return value < 0 ? `-${digits}` : digits;
}
