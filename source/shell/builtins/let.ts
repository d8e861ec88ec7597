import {arithmetic} from '../expansion/parameters.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `let expression …`: 0 when the last value is not 0. */
export function* letCommand(shell: Shell, args: readonly string[]): Steps<number> {
  if (args.length === 0) return yield* shell.complain('let: expression expected');
  let status = 1;
  for (const text of args) {
    const value = yield* arithmetic(shell, text, 'let: ');
    if (value === undefined) {
      if (shell.unwind?.kind === 'discard') shell.unwind = undefined;
      return 1;
    }
    status = value === 0 || value === 0n ? 1 : 0;
  }
  return status;
}
