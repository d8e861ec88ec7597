// What a shell says when a signal ended a child of its own: nothing for `^C` and broken pipes, one word for SIGTERM, and for the
// others what and where.
import type {SignalName} from '../../sim/process/kernel.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

const NAMES: Readonly<Partial<Record<SignalName, string>>> = {
  HUP: 'Hangup',
  QUIT: 'Quit',
  KILL: 'Killed',
  USR1: 'User defined signal 1',
  USR2: 'User defined signal 2',
  ALRM: 'Alarm clock',
  TERM: 'Terminated',
};

/** Tells of a child that a signal ended. `text` is its command. */
export function* tellSignal(shell: Shell, child: Process, text: () => string): Steps {
  const name = child.endedBy && NAMES[child.endedBy];
  if (name === undefined) return;
  if (shell.isInteractive || child.endedBy === 'TERM') yield* shell.printError(`${name}\n`);
  else yield* shell.printError(`${shell.place}${String(child.pid).padStart(5)} ${name.padEnd(24)}${text()}\n`);
}
