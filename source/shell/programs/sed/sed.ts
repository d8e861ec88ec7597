// sed, as GNU's 4.9 has it. Not: the command and the flag `e`, which run programs; `--debug`; `--follow-symlinks`.
import {openToRead, takeDescriptor, closeDescriptor} from '../../../sim/process/open.ts';
import type {Process} from '../../../sim/process/process.ts';
import {makeProgram} from '../arguments.ts';
import type {Given} from '../arguments.ts';
import {readWhole} from '../input.ts';
import {complain} from '../output.ts';
import {readScript} from './parse.ts';
import {HELP} from './help.ts';
import {Run} from './run.ts';
import type {Part} from './source-text.ts';

const WIDTH = 70;

/** `sed [-nErsuz] [-i[SUFFIX]] [-l N] {script | -e script | -f file}… [file]…` */
export const sed = makeProgram(
  {
    name: 'sed',
    synopsis: '[OPTION]... {script-only-if-no-other-script} [input-file]...',
    summary: 'A stream editor: does what a script says with each line of its input.',
    letters: 'bsnrzuEe:f:l:i::V:',
    long: {
      quiet: 'n',
      silent: 'n',
      expression: 'e',
      file: 'f',
      'regexp-extended': 'E',
      'in-place': 'i',
      'line-length': 'l',
      separate: 's',
      unbuffered: 'u',
      'null-data': 'z',
      'zero-terminated': 'z',
      binary: 'b',
      posix: 'p',
      sandbox: 'S',
    },
    failure: 1,
    help: HELP,
  },
  async (process, given) => {
    if (given.has('version')) {
      await process.out('sed (GNU sed) 4.9\n');
      return 0;
    }
    const operands = [...given.operands];
    const parts = await partsOf(process, given);
    if (typeof parts === 'string') return complain(process, `sed: ${parts}`);
    if (parts.length === 0) {
      const script = operands.shift();
      if (script === undefined) {
        await process.err(`${HELP}\n`);
        return 1;
      }
      parts.push({text: script, file: undefined});
    }
    const script = readScript(parts, given.has('E') || given.has('r'));
    if (!script.ok) return complain(process, `sed: ${script.words}`);
    const isInPlace = given.has('i');
    const run = new Run(process, script.commands, operands.length > 0 ? operands : ['-'], {
      isQuiet: given.has('n') || script.isQuiet,
      separator: given.has('z') ? '\0' : '\n',
      isSeparate: given.has('s') || isInPlace,
      suffix: isInPlace ? (given.value('i') ?? '') : undefined,
      isUnbuffered: given.has('u'),
      width: Number(given.value('l') ?? WIDTH),
    });
    return run.run();
  },
);

/** What -e and -f gave, in their order; words when a file cannot be read. */
async function partsOf(process: Process, given: Given): Promise<Part[] | string> {
  const parts: Part[] = [];
  let expressions = 0;
  let files = 0;
  for (const letter of given.order) {
    if (letter === 'e') parts.push({text: given.values('e')[expressions++] ?? '', file: undefined});
    if (letter !== 'f') continue;
    const name = given.values('f')[files++] ?? '';
    const opened = openToRead(process, name === '-' ? '/dev/stdin' : name);
    if (!opened.ok) return `couldn't open file ${name}: ${opened.text}`;
    const fd = takeDescriptor(process, opened.stream);
    parts.push({text: (await readWhole(process, fd)).replace(/\n$/, ''), file: name});
    closeDescriptor(process, fd);
  }
  return parts;
}
