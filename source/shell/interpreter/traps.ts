// Traps: commands for signals, and for EXIT, ERR, DEBUG and RETURN. A signal is noted when it comes and its command runs between
// two statements; a `wait` is cut short by it.
import {SIGNALS} from '../../sim/process/kernel.ts';
import type {SignalName} from '../../sim/process/kernel.ts';
import {statusOfSignal} from '../state/shell.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** Signals that end a shell, after its EXIT trap. */
const DEADLY: readonly SignalName[] = ['HUP', 'INT', 'QUIT', 'TERM', 'USR1', 'USR2', 'PIPE', 'ALRM'];

/** The shell that is typed at lives through signals; its forks do not. */
function isAtPrompt(shell: Shell): boolean {
  return shell.isInteractive && shell.level === 0;
}

/** Runs the commands of all signals that came. */
export function* runTraps(shell: Shell): Steps {
  for (const name of shell.process.takeSignals()) {
    if (shell.traps.has(name)) yield* runTrap(shell, name);
    else if (name === 'INT' && isAtPrompt(shell)) {
      yield* shell.printError('\n');
      shell.status = statusOfSignal('INT');
      shell.unwind = {kind: 'discard'};
    } else if (DEADLY.includes(name) && !isAtPrompt(shell)) {
      shell.status = statusOfSignal(name);
      shell.unwind = {kind: 'exit'};
    }
    if (shell.unwind) return;
  }
}

/** ERR and DEBUG hold in functions and subshells only with `set -E` and `set -T`. */
export function mayTrap(shell: Shell, name: 'ERR' | 'DEBUG'): boolean {
  return !shell.calls.some(call => call.isFunction) || shell.options.has(name === 'ERR' ? 'errtrace' : 'functrace');
}

/** Runs the command of one trap; the status is afterwards as before. */
export function* runTrap(shell: Shell, name: string): Steps {
  const text = shell.traps.get(name);
  if (!text || (shell.inTrap && (name === 'ERR' || name === 'DEBUG' || name === 'RETURN'))) return;
  const {status, inTrap, unchecked, pipeStatus} = shell;
  shell.inTrap = true;
  shell.unchecked = name === 'ERR' ? unchecked + 1 : unchecked;
  yield* shell.interpreter.text(shell, text, 'trap');
  shell.unchecked = unchecked;
  shell.inTrap = inTrap;
  if (shell.unwind?.kind !== 'exit' && shell.unwind?.kind !== 'return') {
    shell.status = status;
    shell.pipeStatus = pipeStatus;
  }
}

/** The end of a shell: its EXIT trap runs once; the status that the shell ends with. */
export function* finish(shell: Shell): Steps<number> {
  shell.unwind = undefined;
  if (shell.traps.has('EXIT')) {
    const text = shell.traps.get('EXIT') ?? '';
    shell.traps.delete('EXIT');
    const {status} = shell;
    shell.exitStatus = status;
    yield* shell.interpreter.text(shell, text, 'exit trap');
    if (shell.unwind === undefined) shell.status = status;
  }
  return shell.status & 255;
}

/** Tells the process what to do with a signal, as the traps now stand. */
export function arm(shell: Shell, name: string): void {
  if (!isSignal(name) || name === 'KILL' || name === 'STOP') return;
  const text = shell.traps.get(name);
  if (text === '') shell.process.onSignal(name, 'ignore');
  else if (text !== undefined) shell.process.onSignal(name, 'catch');
  else if (isAtPrompt(shell)) shell.process.onSignal(name, usualOf(name));
  else shell.process.onSignal(name, shell.traps.has('EXIT') && DEADLY.includes(name) ? 'catch' : 'default');
}

/** After `trap … EXIT` deadly signals must be caught, so that it can run. */
export function armAll(shell: Shell): void {
  for (const name of DEADLY) arm(shell, name);
}

/** An interactive shell lives through these. It catches them, as what it ignored its children would ignore too. */
function usualOf(name: SignalName): 'catch' | 'default' {
  return name === 'INT' || name === 'WINCH' || name === 'TERM' || name === 'QUIT' ? 'catch' : 'default';
}

/** Is it the name of a signal? */
export function isSignal(name: string): name is SignalName {
  return Object.hasOwn(SIGNALS, name);
}
