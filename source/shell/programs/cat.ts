import type {Program} from '../../sim/process/machine.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {closeDescriptor, openToRead, takeDescriptor} from '../../sim/process/open.ts';

/** `cat [file …]` */
export const cat: Program = async process => {
  const names = process.argv.slice(1);
  let status = 0;
  for (const name of names.length === 0 ? ['-'] : names) {
    let fd = 0;
    if (name !== '-') {
      const opened = openToRead(process, name);
      if (!opened.ok) {
        await process.err(`cat: ${name}: ${opened.text}\n`);
        status = 1;
        continue;
      }
      fd = takeDescriptor(process, opened.stream);
    }
    for (;;) {
      const text = await process.read(fd);
      if (text === null) break;
      if (text === INTERRUPTED) continue;
      await process.cpu(0.01);
      await process.out(text);
    }
    if (fd !== 0) closeDescriptor(process, fd);
  }
  return status;
};
