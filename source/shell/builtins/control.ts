// `break`, `continue`, `return` and `exit`: they say how far the statements around are left.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `break [n]` */
export function breakLoop(shell: Shell, args: readonly string[]): Steps<number> | number {
  return leaveLoops(shell, 'break', args[0]);
}

/** `continue [n]` */
export function continueLoop(shell: Shell, args: readonly string[]): Steps<number> | number {
  return leaveLoops(shell, 'continue', args[0]);
}

function leaveLoops(shell: Shell, kind: 'break' | 'continue', count: string | undefined): Steps<number> | number {
  if (shell.loops === 0) return warn(shell, `${kind}: only meaningful in a \`for', \`while', or \`until' loop`);
  const levels = count === undefined ? 1 : Number(count);
  if (!Number.isInteger(levels)) return shell.fail(`${kind}: ${count}: numeric argument required`, 128, 'exit');
  if (levels < 1) return refuse(shell, `${kind}: ${count}: loop count out of range`);
  shell.unwind = {kind, levels: Math.min(levels, shell.loops)};
  return 0;
}

function* warn(shell: Shell, words: string): Steps<number> {
  yield* shell.complain(words);
  return 0;
}

function* refuse(shell: Shell, words: string): Steps<number> {
  yield* shell.complain(words);
  shell.unwind = {kind: 'break', levels: shell.loops};
  return 1;
}

/** `return [n]` */
export function returnFrom(shell: Shell, args: readonly string[]): Steps<number> | number {
  if (shell.calls.length === 0) return shell.complain("return: can only `return' from a function or sourced script", 2);
  return leave(shell, 'return', args);
}

/** `exit [n]` */
export function exit(shell: Shell, args: readonly string[]): Steps<number> | number {
  return leave(shell, 'exit', args);
}

function leave(shell: Shell, kind: 'return' | 'exit', args: readonly string[]): Steps<number> | number {
  const [text] = args;
  const usual = kind === 'exit' ? (shell.exitStatus ?? shell.status) : shell.status;
  const status = text === undefined ? usual : Number(text);
  if (text !== undefined && !/^\s*[-+]?\d+\s*$/.test(text)) return wrong(shell, kind, text);
  if (args.length > 1) return shell.fail(`${kind}: too many arguments`);
  shell.status = status & 255;
  shell.unwind = {kind};
  return shell.status;
}

function* wrong(shell: Shell, kind: 'return' | 'exit', text: string): Steps<number> {
  yield* shell.complain(`${kind}: ${text}: numeric argument required`);
  shell.status = 2;
  shell.unwind = {kind};
  return 2;
}
