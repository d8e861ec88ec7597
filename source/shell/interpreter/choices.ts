// `if` and `case`.
import {expandPattern, expandText} from '../expansion/words.ts';
import {patternOf} from '../expansion/patterns.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {serializeWord} from '../syntax/text.ts';
import type {NodeOf, Statements} from '../syntax/tree.ts';
import {trace} from './trace.ts';

/** Runs statements whose failure is an answer; their status. */
export function* runCondition(shell: Shell, statements: Statements): Steps<number> {
  shell.unchecked++;
  const status = yield* shell.interpreter.list(shell, statements);
  shell.unchecked--;
  return status;
}

export function* runIf(shell: Shell, node: NodeOf<'If'>): Steps<number> {
  for (const clause of node.clauses) {
    const status = yield* runCondition(shell, clause.condition);
    if (shell.unwind) return status;
    if (status === 0) return yield* shell.interpreter.list(shell, clause.body);
  }
  if (node.elseBody) return yield* shell.interpreter.list(shell, node.elseBody);
  shell.status = 0;
  return 0;
}

export function* runCase(shell: Shell, node: NodeOf<'Case'>): Steps<number> {
  const text = yield* expandText(shell, node.word);
  if (shell.options.xtrace) yield* trace(shell, `case ${serializeWord(node.word)} in`);
  let status = 0;
  let falls = false;
  for (const item of node.items) {
    if (!falls && !(yield* matchesAny(shell, text, item.patterns))) {
      if (shell.unwind) return 1;
      continue;
    }
    shell.status = 0;
    status = item.body.length > 0 ? yield* shell.interpreter.list(shell, item.body) : 0;
    if (shell.unwind || item.terminator === ';;') return status;
    falls = item.terminator === ';&';
  }
  return status;
}

function* matchesAny(shell: Shell, text: string, patterns: NodeOf<'Case'>['items'][number]['patterns']): Steps<boolean> {
  for (const word of patterns) {
    const pattern = yield* expandPattern(shell, word);
    if (shell.unwind) return false;
    if (patternOf(pattern, shell.options.shopt('nocasematch')).matches(text)) return true;
  }
  return false;
}
