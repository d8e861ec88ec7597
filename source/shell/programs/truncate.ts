import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import {makeProgram} from './arguments.ts';
import {complain} from './output.ts';

const UNITS: Readonly<Record<string, number>> = {'': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, KB: 1000, MB: 1_000_000, GB: 1e9};
const HELP = "\nTry 'truncate --help' for more information.";

/** `truncate [-c] {-s size | -r file} file …`: sizes may begin with `+ - < >`. */
export const truncate = makeProgram(
  {
    name: 'truncate',
    synopsis: 'OPTION... FILE...',
    summary: 'Shrink or extend the size of each FILE to the specified size.',
    letters: 'cos:r:',
    long: {'no-create': 'c', size: 's', reference: 'r'},
  },
  async (process, given) => {
    const {files} = process.machine;
    const size = given.value('s');
    const reference = given.value('r');
    if (size === undefined && reference === undefined)
      return complain(process, `truncate: you must specify either '--size' or '--reference'${HELP}`);
    if (given.operands.length === 0) return complain(process, `truncate: missing file operand${HELP}`);
    const other = reference === undefined ? undefined : files.info(process.path(reference));
    if (reference !== undefined && !other)
      return complain(process, `truncate: cannot stat '${reference}': ${FILE_ERROR_TEXT.ENOENT}`);
    const match = /^\s*([-+<>]?)\s*(\d+)\s*([KMG]?B?)$/.exec(size ?? '0');
    const unit = UNITS[match?.[3] ?? ''];
    if (!match || unit === undefined) return complain(process, `truncate: Invalid number: '${size}'`);
    const amount = Number(match[2]) * unit;
    let status = 0;
    for (const name of given.operands) {
      const path = process.path(name);
      const text = files.read(path);
      if (text === undefined && given.has('c') && !files.info(path)) continue;
      const before = text?.length ?? 0;
      const base = other?.size ?? before;
      const wanted = size === undefined ? base : resized(base, match[1] ?? '', amount);
      const failed = wanted > files.limitBytes ? 'ENOSPC' : files.write(path, (text ?? '').slice(0, wanted).padEnd(wanted, '\0'));
      if (failed) status = await complain(process, `truncate: cannot open '${name}' for writing: ${FILE_ERROR_TEXT[failed]}`);
    }
    return status;
  },
);

function resized(before: number, sign: string, amount: number): number {
  if (sign === '+') return before + amount;
  if (sign === '-') return Math.max(0, before - amount);
  if (sign === '<') return Math.min(before, amount);
  return sign === '>' ? Math.max(before, amount) : amount;
}
