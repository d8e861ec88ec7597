// What `set -x` prints: simple commands after their expansion, the heads of loops and choices as they are about to run.
import {quoteForTrace} from '../expansion/transformations.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {placeOf} from '../state/variables.ts';
import {serializeWord} from '../syntax/text.ts';
import type {Assignment, NodeOf, WordNode} from '../syntax/tree.ts';

/** Prints a line behind PS4, whose first character is doubled for each level of `eval` and `$(…)`. */
export function* trace(shell: Shell, text: string): Steps {
  const sign = shell.variables.text('PS4') ?? '+ ';
  yield* shell.printError(`${sign.slice(0, 1).repeat(shell.traceDepth)}${sign}${text}\n`);
}

/** Traces the words of a simple command. */
export function traceWords(shell: Shell, words: readonly string[]): Steps {
  return trace(shell, words.map(quoteForTrace).join(' '));
}

/** Traces an assignment that was made. */
export function traceAssignment(shell: Shell, assignment: Assignment): Steps {
  const sign = assignment.append ? '+=' : '=';
  if (assignment.array) return trace(shell, `${assignment.name}${sign}(${assignment.array.map(serializeWord).join(' ')})`);
  const {name, subscript} = placeOf(assignment.name);
  const constant = assignment.value && subscript !== undefined ? serializeWord(assignment.value) : undefined;
  const value = constant ?? shell.variables.text(name) ?? '';
  return trace(shell, `${assignment.name}${sign}${value === '' ? '' : quoteForTrace(value)}`);
}

/** Traces `for name in words`. */
export function traceFor(shell: Shell, node: NodeOf<'For'>): Steps {
  const words: readonly WordNode[] | null = node.words;
  return trace(shell, `for ${node.variable}${words === null ? '' : ` in ${words.map(serializeWord).join(' ')}`}`);
}
