// `mount` without arguments: what is mounted in a container, as its runtime has written it to /proc/mounts.
import type {Program} from '../../sim/process/machine.ts';

/** The program. */
export const mount: Program = async process => {
  if (process.argv.length > 1) {
    await process.err(`mount: permission denied (are you root?)\n`);
    return 1;
  }
  const lines = (process.machine.files.read('/proc/mounts') ?? '').split('\n').filter(Boolean);
  for (const line of lines) {
    const [device = '', folder = '', kind = '', options = ''] = line.split(' ');
    await process.out(`${device} on ${folder} type ${kind} (${options})\n`);
  }
  return 0;
};
