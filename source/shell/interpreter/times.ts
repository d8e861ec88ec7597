// `time`: real time is the clock's, user time the virtual CPU time of the shell.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** Prints how long it took. */
export function* printTimes(shell: Shell, began: {at: number; cpuMs: number}, posix: boolean): Steps {
  const real = shell.process.kernel.clock.now - began.at;
  const user = shell.process.cpuMs - began.cpuMs;
  if (posix) yield* shell.printError(`real ${(real / 1000).toFixed(2)}\nuser ${(user / 1000).toFixed(2)}\nsys 0.00\n`);
  else yield* shell.printError(`\nreal\t${minutes(real)}\nuser\t${minutes(user)}\nsys\t${minutes(0)}\n`);
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)}m${((ms % 60_000) / 1000).toFixed(3)}s`;
}
