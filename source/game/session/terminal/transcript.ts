// What the terminal has shown: lines of text, with colours as they came. It keeps as much of a terminal's behaviour as line
// programs need: line ends, carriage return, backspace, tabs, clearing the screen. Cursor movement is dropped.

/** How many lines are kept. */
const LINES_KEPT = 5000;
const LONGEST_LINE = 4000;
const TAB = 8;

export interface Transcript {
  /** Finished lines, oldest first. */
  readonly lines: readonly string[];
  /** The line that is not finished. */
  readonly last: string;
  /** How many lines were dropped at the front. */
  readonly dropped: number;
}

export const EMPTY_TRANSCRIPT: Transcript = {lines: [], last: '', dropped: 0};

/** Does a shell wait at its prompt, be it one on another machine or in a container? */
export function isAtPrompt({last}: Transcript): boolean {
  return /[$#] $/.test(last);
}

/** The transcript after a program wrote `text`. */
export function writeTo(transcript: Transcript, text: string): Transcript {
  const cleared = Math.max(text.lastIndexOf('\u001B[2J'), text.lastIndexOf('\u001Bc'));
  const start: Transcript =
    cleared < 0 ? transcript : {lines: [], last: '', dropped: transcript.dropped + transcript.lines.length};
  const parts = readable(cleared < 0 ? text : text.slice(cleared)).split('\n');
  const fresh: string[] = [];
  let last = start.last;
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      fresh.push(last);
      last = '';
    }
    last = overwrite(last, part);
  }
  const lines = fresh.length === 0 ? start.lines : [...start.lines, ...fresh];
  if (lines.length <= LINES_KEPT) return {lines, last, dropped: start.dropped};
  const over = lines.length - Math.floor(LINES_KEPT * 0.8);
  return {lines: lines.slice(over), last, dropped: start.dropped + over};
}

/** Keeps printable text, line ends, carriage returns, backspaces and colours. */
function readable(text: string): string {
  return text
    .replaceAll(/\u001B\[[0-9;?]*[A-Zac-ln-z]|\u001B\][^\u0007]*\u0007|\u001B[^[\]]/g, '')
    .replaceAll(/[\u0000-\u0007\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F]/g, '');
}

function overwrite(line: string, part: string): string {
  let whole = line;
  for (const [index, piece] of part.split('\r').entries()) {
    if (index > 0 && piece === '') continue;
    const text = expandTabs(index > 0 ? '' : whole, backspaced(piece));
    whole = index > 0 ? text + whole.slice(text.length) : text;
  }
  return whole.length > LONGEST_LINE ? `${whole.slice(0, LONGEST_LINE)}…` : whole;
}

function backspaced(piece: string): string {
  return piece.includes('\b') ? piece.replaceAll(/[^\b]\b/g, '').replaceAll('\b', '') : piece;
}

function expandTabs(line: string, piece: string): string {
  if (!piece.includes('\t')) return line + piece;
  let whole = line;
  for (const [index, part] of piece.split('\t').entries()) {
    if (index > 0) whole += ' '.repeat(TAB - (visibleLength(whole) % TAB));
    whole += part;
  }
  return whole;
}

/** How many columns a text takes, without its colours. */
export function visibleLength(text: string): number {
  return [...text.replaceAll(/\u001B\[[0-9;]*m/g, '')].length;
}
