import {unescapeEcho} from '../expansion/escapes.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** Virtual CPU milliseconds that a printed character costs. */
const CHARACTER_COST_MS = 0.00002;

/** The text that `echo` prints for its arguments. */
export function echoText(args: readonly string[], escapesByDefault = false): string {
  let first = 0;
  let line = '\n';
  let escapes = escapesByDefault;
  for (; first < args.length; first++) {
    const option = args[first] ?? '';
    if (!/^-[neE]+$/.test(option)) break;
    for (const letter of option.slice(1)) {
      if (letter === 'n') line = '';
      else escapes = letter === 'e';
    }
  }
  const text = first === 0 ? args.join(' ') : args.slice(first).join(' ');
  if (!escapes) return text + line;
  const unescaped = unescapeEcho(text);
  return unescaped.stops ? unescaped.text : unescaped.text + line;
}

/** `echo [-neE] [word …]` */
export function echo(shell: Shell, args: readonly string[]): Steps<number> | number {
  return write(shell, 'echo', echoText(args, shell.options.shopt('xpg_echo')));
}

/** Prints for a builtin; its status. Waits only where the stream makes it. */
export function write(shell: Shell, who: string, text: string): Steps<number> | number {
  const {process} = shell;
  process.debtMs += text.length * CHARACTER_COST_MS;
  const due = process.write(1, text);
  if (due) return later(due);
  return process.writeFailure === undefined || text === '' ? 0 : complainOfWrite(shell, who);
}

function* later(due: Promise<void>): Steps<number> {
  yield due;
  return 0;
}

function* complainOfWrite(shell: Shell, who: string): Steps<number> {
  return yield* shell.complain(`${who}: write error: ${shell.process.writeFailure}`);
}
