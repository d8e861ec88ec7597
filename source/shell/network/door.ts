// A port on which a program of a machine listens: calls wait in line until the program has the time.
import type {Call} from '../../sim/network.ts';
import type {Process} from '../../sim/process/process.ts';

/** An open port. */
export interface Door {
  /** The next call; undefined when a caught signal came first. */
  next(): Promise<Call | undefined>;
}

/** Opens a port until the process ends; undefined when it is taken, or nothing can listen here. */
export function openDoor(process: Process, port: number): Door | undefined {
  const waiting: Call[] = [];
  let wake: (() => void) | undefined;
  const open = process.machine.listen?.('0.0.0.0', port, call => {
    waiting.push(call);
    wake?.();
  });
  if (!open) return undefined;
  process.hold({send: () => undefined, cancel: () => open.close()});
  return {
    async next() {
      while (waiting.length === 0) if (!(await process.block(woken => (wake = woken)))) return undefined;
      return waiting.shift();
    },
  };
}
