import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** `history [-c] [n]`: the lines that were typed. */
export function* history(shell: Shell, args: readonly string[]): Steps<number> {
  const store = shell.settings.history;
  if (!store) return 0;
  const [first] = args;
  if (first === '-c') {
    store.clear();
    return 0;
  }
  if (first !== undefined && !/^\d+$/.test(first)) return yield* shell.complain(`history: ${first}: numeric argument required`);
  const entries = store.entries();
  const from = first === undefined ? 0 : Math.max(0, entries.length - Number(first));
  yield* shell.print(
    entries
      .slice(from)
      .map((line, index) => `${String(from + index + 1).padStart(5)}  ${line}\n`)
      .join(''),
  );
  return 0;
}
