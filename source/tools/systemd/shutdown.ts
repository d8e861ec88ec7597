// `shutdown`, `poweroff`, `halt` and `reboot`: the machine goes down, at once or after some minutes, and comes back where that was asked.
import type {Program} from '../../sim/process/machine.ts';
import {longTime} from './services.ts';

/** Sends the machine down. */
export type GoDown = (then: 'off' | 'boot') => void;

/** A plan to go down later; a new one replaces it. */
interface Plan {
  cancel(): void;
}

const MINUTE = 60_000;

/** Makes the four programs of a machine; `after` calls in a while, unless that is cancelled. */
export function shutdownPrograms(
  goDown: GoDown,
  after: (ms: number, run: () => void) => Plan,
): readonly (readonly [string, Program])[] {
  let plan: Plan | undefined;
  const atOnce =
    (then: 'off' | 'boot'): Program =>
    async () => {
      goDown(then);
      return 0;
    };
  const shutdown: Program = async process => {
    const words = process.argv.slice(1);
    plan?.cancel();
    plan = undefined;
    if (words.includes('-c')) return 0;
    const then = words.some(word => word === '-r' || word === '--reboot') ? 'boot' : 'off';
    const [time = '+1'] = words.filter(word => !word.startsWith('-'));
    const minutes = time === 'now' ? 0 : /^\+?\d+$/.test(time) ? Number(time.replace('+', '')) : undefined;
    if (minutes === undefined) {
      await process.err(`Failed to parse time specification: ${time}\n`);
      return 1;
    }
    if (minutes === 0) {
      goDown(then);
      return 0;
    }
    plan = after(minutes * MINUTE, () => goDown(then));
    const what = then === 'boot' ? 'Reboot' : 'Shutdown';
    const at = longTime(process.machine.wall() + minutes * MINUTE);
    await process.err(`${what} scheduled for ${at}, use 'shutdown -c' to cancel.\n`);
    return 0;
  };
  return [
    ['shutdown', shutdown],
    ['poweroff', atOnce('off')],
    ['halt', atOnce('off')],
    ['reboot', atOnce('boot')],
  ];
}
