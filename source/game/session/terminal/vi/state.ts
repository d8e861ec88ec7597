// What vi knows besides the text and the cursor.
import type {TextState} from '../text-editor.ts';
import type {Place} from './motions.ts';

/** A key as the keyboard tells it: a name such as `escape` or `ctrl-r`, or `text` with letters. */
export interface ViPress {
  readonly name: string;
  readonly text: string;
}

export interface ViState {
  readonly mode: 'normal' | 'insert' | 'line' | 'visual';
  /** Keys of a command that is not whole yet, as `d` or `3`. */
  readonly pending: string;
  /** The line that is being typed below the text, with its `:`, `/` or `?`. */
  readonly typed: string;
  /** What was searched last, with its `/` or `?`. */
  readonly searched: string;
  /** What `f`, `t`, `F` or `T` looked for last. */
  readonly found: string;
  /** Where a marked part begins, and whether it is marked by lines. */
  readonly anchor: Place & {readonly byLines: boolean};
  /** The text before the command or the typing that goes on: one `u` takes all of it back. */
  readonly before: TextState | undefined;
  /** The keys of the command that goes on, and of the last one that changed the text, for `.`. */
  readonly keys: readonly ViPress[];
  readonly lastChange: readonly ViPress[];
  /** Texts that were undone, the latest first, for `^R`. */
  readonly undone: readonly Pick<TextState, 'lines' | 'row' | 'column'>[];
  readonly options: {readonly paste: boolean; readonly ignorecase: boolean; readonly number: boolean};
  readonly message: string;
}

/** How the player wants to go: `write` stays. `force` asks nothing. */
export type Wish = {readonly wish: 'save' | 'write' | 'leave'; readonly force: boolean} | {readonly wish: 'reload'};

/** The editor: text and vi's own state, and a wish where a command was one. */
export interface ViText {
  readonly text: TextState;
  readonly vi: ViState;
  readonly wish?: Wish | undefined;
}

export const FRESH_VI: ViState = {
  mode: 'normal',
  pending: '',
  typed: '',
  searched: '',
  found: '',
  anchor: {row: 0, column: 0, byLines: true},
  before: undefined,
  keys: [],
  lastChange: [],
  undone: [],
  options: {paste: false, ignorecase: false, number: true},
  message: '',
};

/** The same with a message. */
export function says({text, vi}: ViText, message: string): ViText {
  return {text, vi: {...vi, message}};
}

/** The same with the cursor elsewhere, where a text has a place. */
export function at(document: ViText, {row, column}: Place): ViText {
  const {lines} = document.text;
  const to = Math.max(0, Math.min(row, lines.length - 1));
  const length = [...(lines[to] ?? '')].length;
  const most = document.vi.mode === 'insert' ? length : Math.max(0, length - 1);
  return {...document, text: {...document.text, row: to, column: Math.max(0, Math.min(column, most))}};
}

/** The same with other lines; what it was before is kept by the whole command (`vi.ts`). */
export function withLines(document: ViText, lines: readonly string[], place: Place): ViText {
  return at({...document, text: {...document.text, lines: lines.length === 0 ? [''] : lines}}, place);
}
