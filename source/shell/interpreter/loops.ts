// `for`, `while`, `until`, and the `for` that counts. Every turn costs virtual CPU time, also one with an empty body.
import {arithmetic, expandRaw} from '../expansion/parameters.ts';
import {expandWords} from '../expansion/words.ts';
import {assign} from '../state/assign.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {SELECT_MARK} from '../syntax/grammar.ts';
import type {Arithmetic, NodeOf, Statements} from '../syntax/tree.ts';
import {runCondition} from './choices.ts';
import {runSelect} from './select.ts';
import {trace, traceFor} from './trace.ts';

/** Virtual CPU milliseconds of a turn, beside its statements. */
const TURN_COST_MS = 0.005;

/** Runs a body once; must the loop end? */
function* runBody(shell: Shell, body: Statements): Steps<boolean> {
  const due = shell.process.cpu(TURN_COST_MS);
  if (due) yield due;
  yield* shell.interpreter.list(shell, body);
  return shell.unwind !== undefined && leaves(shell);
}

/** Takes a `break` or `continue` that is meant for this loop; must the loop end? */
function leaves(shell: Shell): boolean {
  const {unwind} = shell;
  if (!unwind) return false;
  if (unwind.kind !== 'break' && unwind.kind !== 'continue') return true;
  if (unwind.levels > 1) {
    shell.unwind = {kind: unwind.kind, levels: unwind.levels - 1};
    return true;
  }
  shell.unwind = undefined;
  return unwind.kind === 'break';
}

export function* runFor(shell: Shell, node: NodeOf<'For'>): Steps<number> {
  if (node.variable.startsWith(SELECT_MARK)) return yield* runSelect(shell, node, runBody);
  const values = node.words ? yield* expandWords(shell, node.words) : shell.positional;
  if (shell.unwind) return 1;
  shell.loops++;
  let status = 0;
  for (const value of values) {
    if (shell.options.xtrace) yield* traceFor(shell, node);
    const words = assign(shell, {name: node.variable}, value);
    if (words !== undefined) {
      yield* shell.complain(words);
      status = 1;
      break;
    }
    const ends = yield* runBody(shell, node.body);
    status = shell.status;
    if (ends) break;
  }
  shell.loops--;
  return status;
}

export function* runWhile(shell: Shell, node: NodeOf<'While'> | NodeOf<'Until'>): Steps<number> {
  const wanted = node.type === 'While';
  shell.loops++;
  let status = 0;
  for (;;) {
    const condition = yield* runCondition(shell, node.condition);
    if (shell.unwind && leaves(shell)) {
      status = shell.status;
      break;
    }
    if ((condition === 0) !== wanted) break;
    const ends = yield* runBody(shell, node.body);
    status = shell.status;
    if (ends) break;
  }
  shell.loops--;
  return status;
}

export function* runCountingFor(shell: Shell, node: NodeOf<'CStyleFor'>): Steps<number> {
  shell.loops++;
  let status = 0;
  yield* compute(shell, node.init);
  while (!shell.unwind && (yield* compute(shell, node.condition)) && !shell.unwind) {
    const ends = yield* runBody(shell, node.body);
    status = shell.status;
    if (ends) break;
    yield* compute(shell, node.update);
  }
  shell.loops--;
  if (shell.unwind?.kind === 'discard') return 1;
  return status;
}

/** Is the value other than 0? An absent expression is true. */
function* compute(shell: Shell, expression: Arithmetic | null): Steps<boolean> {
  if (!expression) return true;
  if (shell.options.xtrace) yield* trace(shell, `(( ${expression.originalText ?? ''} ))`);
  const text = yield* expandRaw(shell, expression.originalText ?? '');
  if (text.trim() === '') return true;
  const value = yield* arithmetic(shell, text, '((: ');
  return value !== undefined && value !== 0 && value !== 0n;
}
