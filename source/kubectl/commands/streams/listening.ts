// A port of this machine on which kubectl listens while it runs. Calls come while it waits for something else, so that what is to be
// said of them is said by a helper of its own.
import type {Call} from '../../../sim/network.ts';
import type {Process} from '../../../sim/process/process.ts';

/** Listens until the process ends; false when the port is taken. */
export function listenWhile(
  process: Process,
  {address, port}: {address: string; port: number},
  take: (call: Call) => void,
): boolean {
  const open = process.machine.listen?.(address, port, take);
  if (!open) return false;
  // What a process holds is let go when it ends, however that happens.
  process.hold({send: () => undefined, cancel: () => open.close()});
  return true;
}

/** Lines that are written as soon as somebody has the time. */
export class Notices {
  readonly #lines: {readonly text: string; readonly fd: 1 | 2}[] = [];
  #wake: (() => void) | undefined;

  say(text: string, fd: 1 | 2 = 1): void {
    this.#lines.push({text, fd});
    this.#wake?.();
  }

  /** The program of the helper. */
  readonly speak = async (process: Process): Promise<number> => {
    for (;;) {
      const line = this.#lines.shift();
      if (line) await (line.fd === 1 ? process.out(line.text) : process.err(line.text));
      else await process.block(wake => (this.#wake = wake));
    }
  };
}
