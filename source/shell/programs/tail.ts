import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {countOf} from './head.ts';
import type {Count} from './head.ts';
import {chunks, closeInput, openQuoted, readWhole} from './input.ts';

/** How often `-f` looks at its files, as the real one does. */
const LOOK_MS = 1000;

/** `tail [-n count] [-c bytes] [-fF] [file …]` */
export const tail = makeProgram(
  {
    name: 'tail',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Print the last 10 lines of each FILE to standard output; with -f, wait for more.',
    letters: 'c:fFn:qs:v',
    long: {lines: 'n', bytes: 'c', follow: 'f', quiet: 'q', silent: 'q', verbose: 'v', 'sleep-interval': 's'},
    countLetter: 'n',
  },
  async (process, given) => {
    const count = countOf(given);
    if (typeof count === 'string') {
      await process.err(`tail: ${count}\n`);
      return 1;
    }
    const names = given.operands.length === 0 ? ['-'] : given.operands;
    const withTitles = given.has('v') || (names.length > 1 && !given.has('q'));
    const follows = given.has('f') || given.has('F');
    const followed = new Map<string, number | undefined>();
    let status = 0;
    for (const name of names) {
      const input = await openQuoted(process, name, 'tail');
      if (!input) {
        status = 1;
        if (given.has('F')) followed.set(name, undefined);
        continue;
      }
      if (withTitles) await process.out(titleOf(name, followed.size === 0));
      await copyTail(process, input.fd, count);
      if (name !== '-' && follows) followed.set(name, process.machine.files.info(process.path(name))?.size ?? 0);
      closeInput(process, input);
    }
    if (followed.size > 0) await follow(process, followed, {withTitles, waits: given.has('F')});
    return status;
  },
);

function titleOf(name: string, isFirst: boolean): string {
  return `${isFirst ? '' : '\n'}==> ${name === '-' ? 'standard input' : name} <==\n`;
}

async function copyTail(process: Process, fd: number, count: Count): Promise<void> {
  if (count.sign !== '+') {
    const text = await readWhole(process, fd);
    await process.out(
      count.unit === 'bytes' ? text.slice(Math.max(0, text.length - count.number)) : lastLines(text, count.number),
    );
    return;
  }
  let skip = Math.max(0, count.number - 1);
  for await (const text of chunks(process, fd)) {
    let from = 0;
    while (skip > 0 && from < text.length) {
      const next = count.unit === 'bytes' ? from : text.indexOf('\n', from);
      if (next < 0) {
        from = text.length;
        break;
      }
      from = next + 1;
      skip--;
    }
    await process.out(text.slice(from));
  }
}

function lastLines(text: string, lines: number): string {
  if (lines === 0) return '';
  let at = text.endsWith('\n') ? text.length - 1 : text.length;
  for (let left = lines; left > 0; left--) {
    at = text.lastIndexOf('\n', at - 1);
    if (at < 0) return text;
  }
  return text.slice(at + 1);
}

interface Following {
  readonly withTitles: boolean;
  /** A file that is not there may come. */
  readonly waits: boolean;
}

/** Prints what is added to files, until it is killed. A file that got shorter is read anew, and with `-F` one that comes again. */
async function follow(process: Process, sizes: Map<string, number | undefined>, {withTitles, waits}: Following): Promise<void> {
  const {files} = process.machine;
  let last = [...sizes.keys()].at(-1);
  for (;;) {
    await process.sleep(LOOK_MS);
    for (const [name, before] of sizes) {
      const text = files.read(process.path(name));
      if (text === undefined && waits && before !== undefined) {
        sizes.set(name, undefined);
        await process.err(`tail: '${name}' has become inaccessible: No such file or directory\n`);
      }
      if (text === undefined || text.length === before) continue;
      if (before === undefined) await process.err(`tail: '${name}' has appeared;  following new file\n`);
      else if (text.length < before) await process.err(`tail: ${name}: file truncated\n`);
      sizes.set(name, text.length);
      if (withTitles && last !== name) await process.out(titleOf(name, false));
      last = name;
      await process.cpu(0.01);
      await process.out(text.slice(before === undefined || text.length < before ? 0 : before));
    }
  }
}
