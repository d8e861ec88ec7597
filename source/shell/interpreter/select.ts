// `select name in words; do …; done`: a menu on standard error, and a turn for each line that is typed.
import {expandWords} from '../expansion/words.ts';
import {promptText} from '../expansion/prompts.ts';
import {assign} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {SELECT_MARK} from '../syntax/grammar.ts';
import type {NodeOf, Statements} from '../syntax/tree.ts';
import {readLine} from './read-line.ts';

const TAB = 8;
/** The `) ` behind a number. */
const SIGN_WIDTH = 2;

/** Runs it; `turn` runs the body once and says whether the loop ends. */
export function* runSelect(
  shell: Shell,
  node: NodeOf<'For'>,
  turn: (shell: Shell, body: Statements) => Steps<boolean>,
): Steps<number> {
  const name = node.variable.slice(SELECT_MARK.length);
  const values = node.words ? yield* expandWords(shell, node.words) : shell.positional;
  if (shell.unwind) return 1;
  if (values.length === 0) return 0;
  shell.loops++;
  let status = 0;
  for (let showsMenu = true; ;) {
    const answer = yield* ask(shell, values, showsMenu);
    if (answer === undefined) {
      status = 1;
      break;
    }
    const number = /^\s*\d+\s*$/.test(answer) ? Number(answer) : 0;
    assign(shell, {name: 'REPLY'}, answer);
    const words = assign(shell, {name}, values[number - 1] ?? '');
    if (words !== undefined) {
      status = yield* shell.complain(words);
      break;
    }
    const ends = yield* turn(shell, node.body);
    status = shell.status;
    if (ends) break;
    showsMenu = shell.variables.text('REPLY') === '';
  }
  shell.loops--;
  return status;
}

/** The line that is typed, the menu again for an empty one; undefined at the end. */
function* ask(shell: Shell, values: readonly string[], showsMenu: boolean): Steps<string | undefined> {
  let isShown = showsMenu;
  for (;;) {
    if (isShown) yield* shell.printError(menuOf(values, Number(shell.variables.text('COLUMNS') ?? TAB * 10)));
    yield* shell.printError(promptText(shell, shell.variables.text('PS3') ?? '#? '));
    const line = yield* readLine(shell, 0);
    if (line === undefined || shell.unwind) {
      if (!shell.unwind) yield* shell.print('\n');
      return undefined;
    }
    const answer = line.replace(/\n$/, '');
    if (answer !== '') return answer;
    isShown = true;
  }
}

/** The numbered words, in columns that are filled from above; in one column where they would fit on one row. */
export function menuOf(values: readonly string[], width: number): string {
  const numberWidth = String(values.length).length;
  const cell = Math.max(...values.map(value => value.length)) + numberWidth + SIGN_WIDTH + 2;
  const fit = Math.max(1, Math.floor(width / cell));
  const wanted = Math.ceil(values.length / fit);
  const rows = wanted === 1 ? values.length : wanted;
  let text = '';
  for (let row = 0; row < rows; row++) {
    let column = 0;
    for (let index = row; index < values.length; index += rows) {
      if (index > row) {
        const next = Math.floor((index - row) / rows) * cell;
        text += blanks(column, next);
        column = next;
      }
      const number = String(index + 1).padStart(index === row ? String(rows).length : numberWidth);
      text += `${number}) ${values[index]}`;
      column += number.length + SIGN_WIDTH + (values[index] ?? '').length;
    }
    text += '\n';
  }
  return text;
}

/** From one column to another, with tabs where they help. */
function blanks(from: number, to: number): string {
  let text = '';
  for (let at = from; at < to;) {
    const isTab = Math.floor(to / TAB) > Math.floor(at / TAB);
    text += isTab ? '\t' : ' ';
    at += isTab ? TAB - (at % TAB) : 1;
  }
  return text;
}
