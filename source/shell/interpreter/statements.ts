// Statements, `&&` and `||` lists. Each statement costs virtual CPU time, so a script that does nothing but loop is load on its
// machine and never a frozen game.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {PipelineNode, StatementNode, Statements} from '../syntax/tree.ts';
import {startBackground} from './background.ts';
import {runPipeline} from './pipelines.ts';
import {mayTrap, runTrap, runTraps} from './traps.ts';
import {syntaxError} from './errors.ts';

/** Virtual CPU milliseconds of a statement. */
export const STATEMENT_COST_MS = 0.05;

/** Runs statements until one leaves them; the status of the last. */
export function* runList(shell: Shell, statements: Statements): Steps<number> {
  for (const statement of statements) {
    yield* runStatement(shell, statement);
    if (shell.unwind) break;
  }
  return shell.status;
}

function* runStatement(shell: Shell, statement: StatementNode): Steps {
  const due = shell.process.cpu(STATEMENT_COST_MS);
  if (due) yield due;
  if (shell.process.hasSignals) {
    yield* runTraps(shell);
    if (shell.unwind) return;
  }
  if (statement.deferredError) {
    yield* syntaxError(shell, statement.deferredError.token);
    return;
  }
  if (statement.background) {
    shell.status = yield* startBackground(shell, statement);
    return;
  }
  const {pipelines, operators} = statement;
  if (pipelines.length === 1 && pipelines[0]) yield* runChecked(shell, pipelines[0]);
  else yield* runChain(shell, pipelines, operators);
  if (shell.process.hasSignals && !shell.unwind) yield* runTraps(shell);
}

/** `a && b || c`: only the last may end the shell with -e. */
function* runChain(shell: Shell, pipelines: readonly PipelineNode[], operators: readonly string[]): Steps {
  for (const [index, pipeline] of pipelines.entries()) {
    const operator = operators[index - 1];
    if ((operator === '&&' && shell.status !== 0) || (operator === '||' && shell.status === 0)) continue;
    if (index === pipelines.length - 1) yield* runChecked(shell, pipeline);
    else {
      shell.unchecked++;
      shell.status = yield* runPipeline(shell, pipeline);
      shell.unchecked--;
    }
    if (shell.unwind) return;
  }
}

/** Runs a pipeline whose failure counts: for the ERR trap and for -e. */
function* runChecked(shell: Shell, pipeline: PipelineNode): Steps {
  shell.status = yield* runPipeline(shell, pipeline);
  if (shell.status === 0 || shell.unwind || shell.unchecked > 0 || pipeline.negated || !countsFailure(pipeline)) return;
  if (shell.traps.has('ERR') && mayTrap(shell, 'ERR')) yield* runTrap(shell, 'ERR');
  if (shell.options.errexit && !shell.unwind) shell.unwind = {kind: 'exit'};
}

/** What failed inside of a compound command was looked at there. */
function countsFailure(pipeline: PipelineNode): boolean {
  const [command] = pipeline.commands;
  if (pipeline.commands.length > 1 || !command) return true;
  return (
    command.type === 'SimpleCommand' ||
    command.type === 'Subshell' ||
    command.type === 'ArithmeticCommand' ||
    command.type === 'ConditionalCommand'
  );
}
