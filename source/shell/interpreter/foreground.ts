// Who is in the foreground of the terminal. An interactive shell gives each job a process group of its own and the terminal to
// it, so that `^C` reaches the job and not the shell. Other shells leave their children in their own group.
import type {Process} from '../../sim/process/process.ts';
import type {Foreground} from '../../sim/process/streams.ts';
import {statusOfSignal} from '../state/shell.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** Has this shell job control? */
export function controlsJobs(shell: Shell): boolean {
  return shell.isInteractive && shell.level === 0;
}

/** The group that a new foreground job gets. */
export function groupOf(shell: Shell): 'new' | undefined {
  return controlsJobs(shell) ? 'new' : undefined;
}

/** The terminal of an interactive shell. */
export function terminalOf(shell: Shell): Foreground | undefined {
  return shell.process.streams.get(0)?.terminal ?? shell.process.streams.get(2)?.terminal;
}

/** Waits for children that have the terminal meanwhile. A job that `^C` ended also ends the command line that it was part of. */
export function* whileForeground(shell: Shell, children: readonly Process[], waits: () => Steps<number>): Steps<number> {
  const [first] = children;
  if (!first || !controlsJobs(shell)) {
    const status = yield* waits();
    return status;
  }
  const terminal = terminalOf(shell);
  if (terminal) terminal.foreground = first.group;
  const status = yield* waits();
  if (terminal) terminal.foreground = shell.process.group;
  if (status === statusOfSignal('INT')) {
    yield* shell.printError('\n');
    shell.status = status;
    shell.unwind = {kind: 'discard'};
  }
  return status;
}
