import {openToWrite} from '../../sim/process/open.ts';
import type {Program} from '../../sim/process/machine.ts';
import {findByName} from './find-program.ts';
import {complain, missingOperand} from './output.ts';

/** `nohup command …` */
export const nohup: Program = async process => {
  const words = process.argv.slice(1);
  if (words.length === 0) return missingOperand(process, 'nohup', 125);
  const found = findByName(process, words);
  if (!found.ok) return complain(process, `nohup: failed to run command '${words[0]}': ${found.words}`, found.status);
  process.onSignal('HUP', 'ignore');
  if (process.streams.get(1)?.isTerminal) {
    await process.err("nohup: ignoring input and appending output to 'nohup.out'\n");
    const opened = openToWrite(process, 'nohup.out', 'append');
    if (!opened.ok) return complain(process, `nohup: failed to open 'nohup.out': ${opened.text}`, 125);
    process.streams.set(1, opened.stream);
    if (process.streams.get(2)?.isTerminal) process.streams.set(2, opened.stream);
  }
  return process.exec(found.program, found.argv, new Map(process.environment));
};
