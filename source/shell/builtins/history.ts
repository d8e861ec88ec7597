import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `history [-c] [n]`: the lines that were typed. */
export function* history(shell: Shell, args: readonly string[]): Steps<number> {
  const entries = shell.history;
  const [first] = args;
  if (first === '-c') {
    entries.length = 0;
    return 0;
  }
  if (first !== undefined && !/^\d+$/.test(first)) return yield* shell.complain(`history: ${first}: numeric argument required`);
  const from = first === undefined ? 0 : Math.max(0, entries.length - Number(first));
  yield* shell.print(
    entries
      .slice(from)
      .map((line, index) => `${String(from + index + 1).padStart(5)}  ${line}\n`)
      .join(''),
  );
  return 0;
}
