// What bash says of a script that it cannot read.
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** A token that stands where none may; ends what runs with status 2. */
export function* syntaxError(shell: Shell, token: string): Steps {
  yield* shell.complain(`syntax error near unexpected token \`${token}'`);
  shell.status = 2;
  shell.unwind = {kind: shell.isInteractive ? 'discard' : 'exit'};
}
