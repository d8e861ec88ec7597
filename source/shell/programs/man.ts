import {findByName} from './find-program.ts';
import type {Program} from '../../sim/process/machine.ts';
import {complain} from './output.ts';

/** `man name`: what the program says of itself with `--help`. */
export const man: Program = async process => {
  const [name] = process.argv.slice(1).filter(arg => !/^(-.*|\d)$/.test(arg));
  if (name === undefined) return complain(process, "What manual page do you want?\nFor example, try 'man man'.");
  const found = findByName(process, [name, '--help']);
  if (!found.ok) return complain(process, `No manual entry for ${name}`, 16);
  return process.exec(found.program, found.argv, new Map(process.environment));
};
