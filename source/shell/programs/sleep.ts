import type {Program} from '../../sim/process/machine.ts';
import {durationMs} from '../text/durations.ts';

/** `sleep number[smhd] …` */
export const sleep: Program = async process => {
  const args = process.argv.slice(1);
  if (args.length === 0) {
    await process.err("sleep: missing operand\nTry 'sleep --help' for more information.\n");
    return 1;
  }
  let total = 0;
  for (const arg of args) {
    const ms = durationMs(arg);
    if (ms === undefined) {
      await process.err(`sleep: invalid time interval '${arg}'\nTry 'sleep --help' for more information.\n`);
      return 1;
    }
    total += ms;
  }
  const end = process.kernel.clock.now + total;
  while (process.kernel.clock.now < end) {
    if (end === Infinity) await process.block(() => undefined);
    else await process.sleep(end - process.kernel.clock.now);
  }
  return 0;
};
