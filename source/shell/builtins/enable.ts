// `enable` and `caller`.
import {readOptions} from './options.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `enable [-anps] [name …]`: with -n a builtin is not seen, so that a program of its name is. */
export function* enable(shell: Shell, args: readonly string[]): Steps<number> {
  const {letters, rest} = readOptions(args, 'adf:nps');
  if (rest.length === 0) {
    const names = [...shell.interpreter.builtins.keys()].sort();
    const shown = names.filter(name => letters.has('a') || shell.disabled.has(name) === letters.has('n'));
    yield* shell.print(shown.map(name => `enable ${shell.disabled.has(name) ? '-n ' : ''}${name}\n`).join(''));
    return 0;
  }
  let status = 0;
  for (const name of rest) {
    if (!shell.interpreter.builtins.has(name)) status = yield* shell.complain(`enable: ${name}: not a shell builtin`);
    else if (letters.has('n')) shell.disabled.add(name);
    else shell.disabled.delete(name);
  }
  return status;
}

/** `caller [n]`: where the running function was called. */
export function* caller(shell: Shell, args: readonly string[]): Steps<number> {
  const depth = Number(args[0] ?? 0);
  const call = shell.calls.at(-1 - depth);
  if (!call) return 1;
  const above = shell.calls.at(-2 - depth);
  const source = above?.source ?? shell.source;
  const where = shell.origin === 'environment' && !above ? 'NULL' : source;
  if (args[0] !== undefined && !above && shell.origin === 'environment') return 1;
  yield* shell.print(`${call.line} ${args[0] === undefined ? '' : `${above?.name ?? 'main'} `}${where}\n`);
  return 0;
}
