import type {Process} from '../../sim/process/process.ts';

/** Says what is wrong, as `name: words`; the status. */
export async function complain(process: Process, words: string, status = 1): Promise<number> {
  await process.err(`${words}\n`);
  return status;
}

/** Says that an operand is missing, and where help is. */
export async function missingOperand(process: Process, name: string, status = 1): Promise<number> {
  return complain(process, `${name}: missing operand\nTry '${name} --help' for more information.`, status);
}
