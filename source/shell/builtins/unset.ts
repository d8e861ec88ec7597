import {expandKey} from '../expansion/parameters.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {isName, placeOf} from '../state/variables.ts';
import {readOptions} from './options.ts';

/** `unset [-fvn] [name …]` */
export function* unset(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'fvn');
  if (given.wrong) {
    yield* shell.complain(`unset: ${given.wrong.option}: ${given.wrong.words}`);
    yield* shell.printError('unset: usage: unset [-f] [-v] [-n] [name ...]\n');
    return 2;
  }
  let status = 0;
  for (const text of given.rest) {
    if (given.letters.has('f')) {
      shell.functions.delete(text);
      continue;
    }
    const words = yield* unsetOne(shell, text, given.letters);
    if (words !== undefined) status = yield* shell.complain(`unset: ${words}`);
  }
  return status;
}

function* unsetOne(shell: Shell, text: string, letters: ReadonlySet<string>): Steps<string | undefined> {
  const {name, subscript} = placeOf(text);
  if (!isName(name)) return `\`${text}': not a valid identifier`;
  const variable = letters.has('n') ? shell.variables.own(name) : shell.variables.get(name);
  if (!variable) {
    if (!letters.has('v') && !letters.has('n')) shell.functions.delete(name);
    return undefined;
  }
  if (variable.readonly) return `${name}: cannot unset: readonly variable`;
  if (subscript === undefined) {
    shell.variables.remove(letters.has('n') ? name : shell.variables.nameOf(name));
    return undefined;
  }
  if (subscript === '@' || subscript === '*') {
    shell.variables.remove(name);
    return undefined;
  }
  const key = yield* expandKey(shell, name, subscript);
  if (key === undefined) return undefined;
  if (variable.table) variable.table.delete(key);
  else if (variable.list)
    variable.list.delete(Number(key) < 0 ? Math.max(...variable.list.keys()) + 1 + Number(key) : Number(key));
  else if (key === '0') shell.variables.remove(name);
  else return `${name}: not an array variable`;
  return undefined;
}
