import type {Program} from '../../sim/process/machine.ts';

const CHUNK = 4096;
const CHUNK_COST_MS = 0.05;

/** `yes [word …]`: until nobody reads it. */
export const yes: Program = async process => {
  const words = process.argv.slice(1);
  const line = `${words.length === 0 ? 'y' : words.join(' ')}\n`;
  const text = line.repeat(Math.max(1, Math.floor(CHUNK / line.length)));
  for (;;) {
    await process.cpu(CHUNK_COST_MS);
    await process.out(text);
    if (process.writeFailure === undefined) continue;
    await process.err(`yes: standard output: ${process.writeFailure}\n`);
    return 1;
  }
};
