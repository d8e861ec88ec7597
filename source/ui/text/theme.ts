// Colours and shapes. State is a shape first and a colour second: each light has a character of its own, also in ASCII. Colours are
// the terminal's own sixteen; without colour nothing else changes.
import type {Light} from '../../game/session/state.ts';

type Paint = (text: string) => string;

/** How things look. */
export interface Theme {
  readonly ascii: boolean;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly red: Paint;
  readonly blue: Paint;
  readonly cyan: Paint;
  readonly dim: Paint;
  readonly bold: Paint;
  /** The cursor: shown without colours too. */
  readonly inverse: Paint;
  /** Lines of frames and dividers. */
  readonly line: {
    readonly across: string;
    readonly down: string;
    readonly corners: readonly [string, string, string, string];
    readonly tee: readonly [string, string, string, string];
  };
  readonly star: {readonly full: string; readonly half: string; readonly none: string};
  readonly play: string;
  readonly pause: string;
  readonly done: string;
  readonly open: string;
  readonly arrow: string;
}

const LIGHTS: Readonly<Record<Light, {readonly shape: string; readonly ascii: string; readonly word: string}>> = {
  ready: {shape: '●', ascii: '*', word: 'ready'},
  working: {shape: '◐', ascii: '~', word: 'working'},
  waiting: {shape: '○', ascii: 'o', word: 'waiting'},
  broken: {shape: '✖', ascii: 'x', word: 'broken'},
  stale: {shape: '◌', ascii: '?', word: 'not heard of'},
};

/** The theme for a terminal. */
export function makeTheme({colour, ascii}: {readonly colour: boolean; readonly ascii: boolean}): Theme {
  const sgr = (on: number, off: number): Paint =>
    colour ? text => (text === '' ? '' : `\u001B[${on}m${text}\u001B[${off}m`) : text => text;
  return {
    ascii,
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    red: sgr(31, 39),
    blue: sgr(34, 39),
    cyan: sgr(36, 39),
    dim: sgr(2, 22),
    bold: sgr(1, 22),
    inverse: text => `\u001B[7m${text}\u001B[27m`,
    line: ascii
      ? {across: '-', down: '|', corners: ['+', '+', '+', '+'], tee: ['+', '+', '+', '+']}
      : {across: '─', down: '│', corners: ['┌', '┐', '└', '┘'], tee: ['├', '┤', '┬', '┴']},
    star: ascii ? {full: '*', half: '+', none: '-'} : {full: '★', half: '½', none: '☆'},
    play: ascii ? '>' : '▶',
    pause: ascii ? '||' : '‖',
    done: ascii ? '*' : '✔',
    open: ascii ? 'o' : '○',
    arrow: ascii ? '->' : '→',
  };
}

/** A light as one coloured character. */
export function light(theme: Theme, state: Light): string {
  const {shape, ascii} = LIGHTS[state];
  const paint = {ready: theme.green, working: theme.yellow, waiting: theme.dim, broken: theme.red, stale: theme.dim}[state];
  return paint(theme.ascii ? ascii : shape);
}

/** A light in a word. */
export function lightWord(state: Light): string {
  return LIGHTS[state].word;
}

/** Stars from 0 to 3, in halves. */
export function stars(theme: Theme, count: number): string {
  const whole = Math.floor(count);
  const half = count - whole >= 0.5 ? 1 : 0;
  const {full, half: part, none} = theme.star;
  return theme.yellow(full.repeat(whole) + (half ? part : '')) + theme.dim(none.repeat(Math.max(0, 3 - whole - half)));
}
