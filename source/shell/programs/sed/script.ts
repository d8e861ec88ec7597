// What a script of sed is made of.
import type {Regex} from '../../text/regex/regex.ts';

/** An expression that was read: `undefined` stands for the empty one, which means the last that was used. */
export type Pattern = Extract<Regex, {ok: true}> | undefined;

/** Which lines; `plus` and `multiple` only as the second of two. */
export type Address =
  | {readonly kind: 'line'; readonly line: number}
  | {readonly kind: 'step'; readonly first: number; readonly step: number}
  | {readonly kind: 'last'}
  | {readonly kind: 'match'; readonly pattern: Pattern}
  | {readonly kind: 'plus'; readonly count: number}
  | {readonly kind: 'multiple'; readonly of: number};

/** A piece of a replacement: text, a group of the match, or how letters are changed from here on. */
export type Piece =
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'group'; readonly index: number}
  | {readonly kind: 'case'; readonly letter: 'U' | 'L' | 'u' | 'l' | 'E'};

/** An `s` command. */
export interface Substitution {
  readonly pattern: Pattern;
  readonly pieces: readonly Piece[];
  readonly isGlobal: boolean;
  /** Which match is the first to be replaced. */
  readonly nth: number;
  readonly prints: boolean;
  readonly file: string | undefined;
}

/** A command with its addresses, and where its range stands while the script runs. */
export interface Command {
  readonly name: string;
  readonly first: Address | undefined;
  readonly second: Address | undefined;
  readonly isNegated: boolean;
  /** Of a, i, c: the text; of r, R, w, W: the file; of b, t, T and `:`: the label. */
  readonly text: string;
  /** Of q, Q, l, L: the number behind it. */
  readonly number: number | undefined;
  readonly substitution: Substitution | undefined;
  /** Of y: what becomes what. */
  readonly letters: ReadonlyMap<string, string> | undefined;
  /** Of `{`, b, t, T: the index of the command to go on with. */
  target: number;
  range: 'inactive' | 'active' | 'closed';
  rangeEnd: number;
}

/** A script, or the words for what is wrong with it. */
export type Script =
  | {readonly ok: true; readonly commands: readonly Command[]; readonly isQuiet: boolean}
  | {readonly ok: false; readonly words: string};
