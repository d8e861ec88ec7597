import {wait} from '../state/steps.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {readOptions} from './options.ts';

/** `mapfile [-t] [-d delim] [-n count] [-O origin] [-s count] [-u fd] [array]` */
export function* mapfile(shell: Shell, args: readonly string[]): Steps<number> {
  const given = readOptions(args, 'td:n:O:s:u:C:c:');
  if (given.wrong) return yield* shell.complain(`mapfile: ${given.wrong.option}: ${given.wrong.words}`, 2);
  const delimiter = (given.values.get('d') ?? '\n').slice(0, 1) || '\0';
  const text = yield* wait(shell.process.readAll(Number(given.values.get('u') ?? 0)));
  const pieces = text.split(delimiter);
  if (pieces.at(-1) === '') pieces.pop();
  const variable = shell.variables.obtain(given.rest[0] ?? 'MAPFILE');
  if (variable.readonly) return yield* shell.complain(`${given.rest[0] ?? 'MAPFILE'}: readonly variable`);
  const from = Number(given.values.get('O') ?? 0);
  if (!given.values.has('O') || !variable.list) variable.list = new Map();
  variable.text = undefined;
  const skipped = Number(given.values.get('s') ?? 0);
  const count = Number(given.values.get('n') ?? 0) || Infinity;
  for (const [index, piece] of pieces.slice(skipped, skipped + count).entries()) {
    const isOpen = skipped + index === pieces.length - 1 && !text.endsWith(delimiter);
    variable.list.set(from + index, given.letters.has('t') || isOpen ? piece : piece + delimiter);
  }
  return 0;
}
