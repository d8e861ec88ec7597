// `command &`. The job goes on while the shell does; it reads nothing from the terminal, and where there is no job control a
// `^C` does not reach it.
import {nullStream} from '../../sim/process/streams.ts';
import {serializeStatement} from '../syntax/text.ts';
import {forkShell} from '../state/fork.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {StatementNode} from '../syntax/tree.ts';
import {controlsJobs} from './foreground.ts';
import {runLast} from './last.ts';
import {startParts} from './pipelines.ts';

/** Starts a job; status 0. */
export function* startBackground(shell: Shell, statement: StatementNode): Steps<number> {
  const children = yield* startChildren(shell, statement);
  const last = children?.at(-1);
  if (!children || !last) return shell.status;
  shell.lastBackground = last.pid;
  const job = shell.jobs.add(children, serializeStatement(statement));
  if (controlsJobs(shell)) yield* shell.printError(`[${job.number}] ${last.pid}\n`);
  return 0;
}

function* startChildren(shell: Shell, statement: StatementNode) {
  const [pipeline] = statement.pipelines;
  const group = controlsJobs(shell) ? 'new' : undefined;
  if (statement.pipelines.length === 1 && pipeline && pipeline.commands.length > 1 && !pipeline.negated) {
    return yield* startParts(shell, pipeline, group);
  }
  const streams = new Map(shell.process.streams);
  if (!controlsJobs(shell)) streams.set(0, nullStream());
  const only =
    pipeline?.commands.length === 1 && statement.pipelines.length === 1 && !pipeline.negated ? pipeline.commands[0] : undefined;
  const child = yield* forkShell(
    shell,
    function* (fork) {
      if (only) return yield* runLast(fork, only);
      return yield* fork.interpreter.list(fork, [{...statement, background: false}]);
    },
    {streams, ...(group ? {group} : {})},
  );
  if (child && !controlsJobs(shell)) {
    child.onSignal('INT', 'ignore');
    child.onSignal('QUIT', 'ignore');
  }
  return child && [child];
}
