// `umask`, `ulimit`, `times`.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `umask [-S] [mode]` */
export function* umask(shell: Shell, args: readonly string[]): Steps<number> {
  const [mode] = args.filter(arg => !arg.startsWith('-'));
  if (mode === undefined) {
    yield* shell.print(
      args.includes('-S') ? `${symbolic(~shell.process.mask)}\n` : `${shell.process.mask.toString(8).padStart(4, '0')}\n`,
    );
    return 0;
  }
  if (!/^[0-7]+$/.test(mode))
    return yield* shell.complain(
      `umask: ${mode}: ${/^[89\d]+$/.test(mode) ? 'octal number out of range' : 'invalid symbolic mode operator'}`,
    );
  shell.process.mask = Number.parseInt(mode, 8) & 0o777;
  return 0;
}

function symbolic(bits: number): string {
  const part = (shift: number): string => ['r', 'w', 'x'].filter((_, index) => (bits >> shift) & (4 >> index)).join('');
  return `u=${part(6)},g=${part(3)},o=${part(0)}`;
}

/** `ulimit [-n | -u | …]`: limits are those of the machine and cannot be set. */
export function* ulimit(shell: Shell, args: readonly string[]): Steps<number> {
  const [option] = args;
  const processes = String(shell.process.machine.processLimit);
  if (option === '-a') {
    yield* shell.print(`open files                          (-n) 1024\nmax user processes                  (-u) ${processes}\n`);
  } else yield* shell.print(option === '-u' ? `${processes}\n` : option === '-n' ? '1024\n' : 'unlimited\n');
  return 0;
}

/** `times` */
export function* times(shell: Shell): Steps<number> {
  const own = shell.process.cpuMs;
  const text = `${Math.floor(own / 60_000)}m${((own % 60_000) / 1000).toFixed(3)}s`;
  yield* shell.print(`${text} 0m0.000s\n0m0.000s 0m0.000s\n`);
  return 0;
}
