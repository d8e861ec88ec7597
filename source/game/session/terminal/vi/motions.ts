// Where a motion of vi leads, and which text it covers: pure functions of the lines and the cursor.

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A motion's end. Of the text up to it a command takes whole lines, or letters with or without the one at the end. */
export interface Reach {
  readonly to: Place;
  readonly covers: 'lines' | 'including' | 'excluding';
}

export interface Around {
  readonly lines: readonly string[];
  readonly at: Place;
  readonly count: number | undefined;
  /** What `f`, `t`, `F` or `T` looked for last. */
  readonly found: string;
}

const PAGE = 15;

/** Where a motion leads; undefined where it leads nowhere. */
export function reach(motion: string, around: Around): Reach | undefined {
  const {lines, at, count} = around;
  const times = count ?? 1;
  const letters = lettersOf(lines, at.row);
  const row = (to: number): Reach => ({to: {row: clamp(to, lines.length - 1), column: at.column}, covers: 'lines'});
  const column = (to: number, covers: Reach['covers'] = 'excluding'): Reach => ({to: {row: at.row, column: to}, covers});
  switch (motion) {
    case 'h':
      return column(Math.max(0, at.column - times));
    case 'l':
    case ' ':
      return column(Math.min(letters.length, at.column + times));
    case 'j':
      return at.row === lines.length - 1 ? undefined : row(at.row + times);
    case 'k':
      return at.row === 0 ? undefined : row(at.row - times);
    case '\r':
    case '+':
      return atText(lines, row(at.row + times));
    case '-':
      return atText(lines, row(at.row - times));
    case '\u0006':
      return row(at.row + PAGE);
    case '\u0002':
      return row(at.row - PAGE);
    case '\u0004':
      return row(at.row + Math.ceil(PAGE / 2));
    case '\u0015':
      return row(at.row - Math.ceil(PAGE / 2));
    case 'G':
      return atText(lines, row((count ?? lines.length) - 1));
    case 'gg':
      return atText(lines, row((count ?? 1) - 1));
    case '0':
      return column(0);
    case '^':
      return column(indentOf(lines[at.row]));
    case '$':
      return {to: {row: clamp(at.row + times - 1, lines.length - 1), column: Infinity}, covers: 'including'};
    case '%':
      return partner(lines, at);
    case '{':
    case '}':
      return {to: paragraph(lines, at.row, motion === '}' ? 1 : -1), covers: 'excluding'};
    default:
      return word(motion, around) ?? letter(motion, around);
  }
}

/** The letters of a row. */
export function lettersOf(lines: readonly string[], row: number): readonly string[] {
  return [...(lines[row] ?? '')];
}

/** How many blanks a line begins with. */
export function indentOf(line: string | undefined): number {
  return /^\s*/.exec(line ?? '')?.[0].length ?? 0;
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}

function atText(lines: readonly string[], {to, covers}: Reach): Reach {
  return {to: {row: to.row, column: indentOf(lines[to.row])}, covers};
}

const BLANK = 0;

/** What a letter is to a motion by words: a blank, part of a name, or another sign; to `W`, `B` and `E` all but blanks are one. */
function sort(letter: string | undefined, isBig: boolean): number {
  if (letter === undefined || /\s/.test(letter)) return BLANK;
  return isBig || /[\p{L}\p{N}_]/u.test(letter) ? 1 : 2;
}

function word(motion: string, {lines, at, count}: Around): Reach | undefined {
  const steps: Readonly<Record<string, typeof nextWord>> = {w: nextWord, b: previousWord, e: wordEnd};
  const step = steps[motion.toLowerCase()];
  if (!step) return undefined;
  let to = at;
  for (let time = 0; time < (count ?? 1); time++) to = step(lines, to, motion !== motion.toLowerCase());
  return {to, covers: motion.toLowerCase() === 'e' ? 'including' : 'excluding'};
}

function nextWord(lines: readonly string[], {row, column}: Place, isBig: boolean): Place {
  const letters = lettersOf(lines, row);
  const from = sort(letters[column], isBig);
  let to = column;
  while (to < letters.length && from !== BLANK && sort(letters[to], isBig) === from) to++;
  while (to < letters.length && sort(letters[to], isBig) === BLANK) to++;
  if (to < letters.length) return {row, column: to};
  return row === lines.length - 1 ? {row, column: letters.length} : {row: row + 1, column: indentOf(lines[row + 1])};
}

function previousWord(lines: readonly string[], {row, column}: Place, isBig: boolean): Place {
  const letters = lettersOf(lines, row);
  let to = column;
  while (to > 0 && sort(letters[to - 1], isBig) === BLANK) to--;
  if (to === 0)
    return row === 0
      ? {row, column: 0}
      : previousWord(lines, {row: row - 1, column: Math.max(1, lettersOf(lines, row - 1).length)}, isBig);
  const of = sort(letters[to - 1], isBig);
  while (to > 0 && sort(letters[to - 1], isBig) === of) to--;
  return {row, column: to};
}

function wordEnd(lines: readonly string[], {row, column}: Place, isBig: boolean): Place {
  const letters = lettersOf(lines, row);
  let to = column + 1;
  while (to < letters.length && sort(letters[to], isBig) === BLANK) to++;
  if (to >= letters.length)
    return row === lines.length - 1
      ? {row, column: Math.max(0, letters.length - 1)}
      : wordEnd(lines, {row: row + 1, column: -1}, isBig);
  while (to + 1 < letters.length && sort(letters[to + 1], isBig) === sort(letters[to], isBig)) to++;
  return {row, column: to};
}

/** `fx`, `tx`, backwards `Fx`, `Tx`, and `;` for the last of them again. */
function letter(motion: string, {lines, at, count, found}: Around): Reach | undefined {
  const [how = '', wanted] = [...(motion === ';' ? found : motion)];
  if (wanted === undefined || !'ftFT'.includes(how)) return undefined;
  const letters = lettersOf(lines, at.row);
  const by = how === how.toLowerCase() ? 1 : -1;
  const isTill = how.toLowerCase() === 't';
  let to = at.column + (isTill && motion === ';' ? by : 0);
  for (let time = 0; time < (count ?? 1); time++) {
    to += by;
    while (to >= 0 && to < letters.length && letters[to] !== wanted) to += by;
  }
  if (letters[to] !== wanted) return undefined;
  return {to: {row: at.row, column: isTill ? to - by : to}, covers: by === 1 ? 'including' : 'excluding'};
}

function paragraph(lines: readonly string[], from: number, by: 1 | -1): Place {
  let row = from + by;
  while (row > 0 && row < lines.length && lines[row] !== '') row += by;
  return row >= lines.length
    ? {row: lines.length - 1, column: lettersOf(lines, lines.length - 1).length}
    : {row: Math.max(0, row), column: 0};
}

const PAIRS: Readonly<Record<string, string>> = {'(': ')', '[': ']', '{': '}'};

/** `%`: from a bracket to the one that belongs to it. */
function partner(lines: readonly string[], at: Place): Reach | undefined {
  const letters = lettersOf(lines, at.row);
  const column = letters.findIndex((each, index) => index >= at.column && '()[]{}'.includes(each));
  const bracket = letters[column];
  if (bracket === undefined) return undefined;
  const closing = PAIRS[bracket];
  const other = closing ?? Object.keys(PAIRS).find(opening => PAIRS[opening] === bracket) ?? '';
  const by = closing === undefined ? -1 : 1;
  let depth = 0;
  for (let row = at.row; row >= 0 && row < lines.length; row += by) {
    const line = lettersOf(lines, row);
    for (let place = row === at.row ? column : by === 1 ? 0 : line.length - 1; place >= 0 && place < line.length; place += by) {
      if (line[place] === bracket) depth++;
      else if (line[place] === other && --depth === 0) return {to: {row, column: place}, covers: 'including'};
    }
  }
  return undefined;
}

/** `iw`, `aw`, `i"`, `a{` and their like, in one line: from where to before where. */
export function textObject(name: string, line: string, column: number): readonly [number, number] | undefined {
  const [how, what = ''] = [...name];
  const letters = [...line];
  if (what.toLowerCase() === 'w') return wordObject(letters, column, {isBig: what === 'W', isWhole: how === 'a'});
  const [opening, closing] =
    PAIRS[what] === undefined ? (Object.entries(PAIRS).find(([, end]) => end === what) ?? [what, what]) : [what, PAIRS[what]];
  let from = opening === closing ? letters.indexOf(opening) : letters.lastIndexOf(opening, column);
  let to = letters.indexOf(closing ?? '', from + 1);
  while (opening === closing && from >= 0 && to >= 0 && to < column) {
    from = letters.indexOf(opening, to + 1);
    to = letters.indexOf(opening, from + 1);
  }
  if (from < 0 || to < 0 || to < column) return undefined;
  return how === 'a' ? [from, to + 1] : [from + 1, to];
}

function wordObject(
  letters: readonly string[],
  column: number,
  {isBig, isWhole}: {readonly isBig: boolean; readonly isWhole: boolean},
): readonly [number, number] | undefined {
  if (letters.length === 0) return undefined;
  const of = sort(letters[column], isBig);
  let [from, to] = [column, column + 1];
  while (from > 0 && sort(letters[from - 1], isBig) === of) from--;
  while (to < letters.length && sort(letters[to], isBig) === of) to++;
  if (isWhole) while (to < letters.length && sort(letters[to], isBig) === BLANK) to++;
  return [from, to];
}
