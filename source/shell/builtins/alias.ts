import {quote} from '../expansion/transformations.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `alias [name[=value] …]` */
export function* alias(shell: Shell, args: readonly string[]): Steps<number> {
  const words = args.filter(arg => arg !== '-p');
  const names = words.length === 0 ? [...shell.aliases.keys()].sort() : words;
  let status = 0;
  for (const word of names) {
    const at = word.indexOf('=');
    if (at > 0) {
      shell.aliases.set(word.slice(0, at), word.slice(at + 1));
      continue;
    }
    const text = shell.aliases.get(word);
    if (text === undefined) status = yield* shell.complain(`alias: ${word}: not found`);
    else yield* shell.print(`alias ${word}=${quote(text)}\n`);
  }
  return status;
}

/** `unalias [-a] name …` */
export function* unalias(shell: Shell, args: readonly string[]): Steps<number> {
  if (args[0] === '-a') shell.aliases.clear();
  let status = 0;
  for (const name of args.filter(arg => arg !== '-a')) {
    if (!shell.aliases.delete(name)) status = yield* shell.complain(`unalias: ${name}: not found`);
  }
  return status;
}
