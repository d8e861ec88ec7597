// Subshells: a copy of the shell on a process of its own.
import type {SpawnOptions} from '../../sim/process/kernel.ts';
import type {Process} from '../../sim/process/process.ts';
import type {Shell} from './shell.ts';
import {drive} from './steps.ts';
import type {Steps} from './steps.ts';

/** Starts `body` in a copy of the shell as it is now; undefined, and said so, when there are too many processes. */
export function* forkShell(
  shell: Shell,
  body: (fork: Shell) => Steps<number>,
  options: Omit<SpawnOptions, 'argv'> = {},
): Steps<Process | undefined> {
  const born: {fork?: Shell} = {};
  const argv = [shell.process.argv[0] ?? 'bash'];
  const environment = new Map<string, string>();
  const child = yield* shell.spawn(() => drive(life(born.fork ?? shell, body)), {argv, environment, ...options});
  if (child) born.fork = shell.fork(child);
  return child;
}

function* life(fork: Shell, body: (fork: Shell) => Steps<number>): Steps<number> {
  yield* body(fork);
  return yield* fork.interpreter.finish(fork);
}
