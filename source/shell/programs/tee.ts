import {openToWrite, takeDescriptor} from '../../sim/process/open.ts';
import {makeProgram} from './arguments.ts';
import {chunks} from './input.ts';

/** `tee [-a] [file …]` */
export const tee = makeProgram(
  {
    name: 'tee',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Copy standard input to each FILE, and also to standard output.',
    letters: 'aip',
    long: {append: 'a', 'ignore-interrupts': 'i'},
  },
  async (process, given) => {
    const descriptors: number[] = [];
    let status = 0;
    if (given.has('i')) process.onSignal('INT', 'ignore');
    for (const name of given.operands) {
      const opened = openToWrite(process, name, given.has('a') ? 'append' : 'truncate');
      if (opened.ok) descriptors.push(takeDescriptor(process, opened.stream));
      else {
        await process.err(`tee: ${name}: ${opened.text}\n`);
        status = 1;
      }
    }
    for await (const text of chunks(process, 0)) {
      await process.out(text);
      for (const fd of descriptors) await process.write(fd, text);
    }
    return status;
  },
);
