// The last command of a process: where it is a program, the process becomes that program instead of waiting for a child. So
// `kubectl get pods | grep web` is two processes, and `ps` shows them by their names.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {CommandNode} from '../syntax/tree.ts';
import {runCommand} from './commands.ts';
import {runSimple} from './simple.ts';

/** Runs the only command of a fork. */
export function* runLast(fork: Shell, command: CommandNode): Steps<number> {
  if (command.type !== 'SimpleCommand') {
    fork.status = yield* runCommand(fork, command);
    return fork.status;
  }
  fork.status = yield* runSimple(fork, command, {becomes: true});
  return fork.status;
}
