// Texts as a terminal counts them: in columns. Colours (SGR sequences) take none, wide characters two, marks that combine none.

const COLOUR = /\u001B\[[0-9;]*m/y;

/** How many columns a character takes. */
export function columnsOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x300) return code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1;
  if (
    (code >= 0x300 && code <= 0x36f) ||
    code === 0x200d ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0x200b && code <= 0x200f)
  )
    return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}

/** Plain ASCII without colours: the width is the length. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

interface Piece {
  /** A colour sequence, or one character. */
  readonly text: string;
  readonly columns: number;
}

function* pieces(text: string): Generator<Piece> {
  for (let at = 0; at < text.length;) {
    COLOUR.lastIndex = at;
    const colour = text.charCodeAt(at) === 0x1b ? COLOUR.exec(text)?.[0] : undefined;
    const piece = colour ?? String.fromCodePoint(text.codePointAt(at) ?? 0x20);
    at += piece.length;
    yield {text: piece, columns: colour === undefined ? columnsOf(piece) : 0};
  }
}

/** Columns of a text. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const piece of pieces(text)) width += piece.columns;
  return width;
}

const RESET = '\u001B[0m';

/** The text, cut to a width; a cut is marked with `…`. Colours that were begun are ended. */
export function cut(text: string, width: number, mark = '…'): string {
  if (width <= 0) return '';
  if (widthOf(text) <= width) return text;
  let kept = '';
  let columns = 0;
  let coloured = false;
  for (const piece of pieces(text)) {
    if (piece.columns > 0 && columns + piece.columns > width - widthOf(mark)) break;
    columns += piece.columns;
    kept += piece.text;
    if (piece.columns === 0 && piece.text.startsWith('\u001B')) coloured = piece.text !== RESET;
  }
  return kept + mark + (coloured ? RESET : '');
}

/** The text at exactly a width: cut, or filled with blanks. */
export function fit(text: string, width: number): string {
  const short = cut(text, width);
  return short + ' '.repeat(Math.max(0, width - widthOf(short)));
}

/** Two texts at the ends of a row; the left one gives way, and a blank stays between them. */
export function ends(left: string, right: string, width: number): string {
  const space = width - widthOf(right);
  if (space <= 0) return cut(right, width);
  return right === '' ? fit(left, width) : `${fit(left, space - 1)} ${right}`;
}

/** A line of a terminal as the rows that it takes there: broken at the width, wherever that is. */
export function rowsOf(line: string, width: number): readonly string[] {
  if (width <= 0) return [];
  if (isPlain(line)) {
    if (line.length <= width) return [line];
    return Array.from({length: Math.ceil(line.length / width)}, (_, row) => line.slice(row * width, (row + 1) * width));
  }
  const rows: string[] = [];
  let row = '';
  let columns = 0;
  let colour = '';
  for (const piece of pieces(line)) {
    if (piece.text.startsWith('\u001B')) {
      colour = piece.text === RESET || piece.text === '\u001B[m' ? '' : colour + piece.text;
      row += piece.text;
      continue;
    }
    if (columns + piece.columns > width) {
      rows.push(colour === '' ? row : row + RESET);
      row = colour;
      columns = 0;
    }
    row += piece.text;
    columns += piece.columns;
  }
  rows.push(colour === '' ? row : row + RESET);
  return rows;
}

/** Prose in rows of at most a width, broken between words. */
export function wrap(prose: string, width: number): readonly string[] {
  const rows: string[] = [];
  for (const paragraph of prose.split('\n')) {
    const indent = /^ */.exec(paragraph)?.[0] ?? '';
    let row = '';
    for (const word of paragraph.split(/ +/).filter(Boolean)) {
      const longer = row === '' ? indent + word : `${row} ${word}`;
      if (widthOf(longer) <= width || row === '') row = longer;
      else {
        rows.push(row);
        row = indent + word;
      }
    }
    rows.push(...(widthOf(row) > width ? rowsOf(row, width) : [row]));
  }
  return rows;
}
