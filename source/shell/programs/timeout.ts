import {SIGNALS} from '../../sim/process/kernel.ts';
import type {Process} from '../../sim/process/process.ts';
import {signalOf} from '../builtins/kill.ts';
import {durationMs} from '../text/durations.ts';
import {makeProgram} from './arguments.ts';
import {findByName} from './find-program.ts';
import {complain, missingOperand} from './output.ts';

const LATE = 124;

/** `timeout [-s signal] [-k duration] duration command …` */
export const timeout = makeProgram(
  {
    name: 'timeout',
    synopsis: '[OPTION] DURATION COMMAND [ARG]...',
    summary: 'Start COMMAND, and kill it if still running after DURATION.',
    letters: 'k:s:vpf',
    long: {signal: 's', 'kill-after': 'k', 'preserve-status': 'p', foreground: 'f', verbose: 'v'},
    failure: 125,
    inOrder: true,
  },
  async (process, given) => {
    const [text, ...words] = given.operands;
    if (text === undefined || words.length === 0) return missingOperand(process, 'timeout', 125);
    const ms = durationMs(text);
    const after = given.value('k') === undefined ? undefined : durationMs(given.value('k') ?? '');
    if (ms === undefined)
      return complain(process, `timeout: invalid time interval '${text}'\nTry 'timeout --help' for more information.`, 125);
    const signal = signalOf(given.value('s') ?? 'TERM');
    if (!signal)
      return complain(process, `timeout: '${given.value('s')}': invalid signal\nTry 'timeout --help' for more information.`, 125);
    const found = findByName(process, words);
    if (!found.ok) return complain(process, `timeout: failed to run command '${words[0]}': ${found.words}`, found.status);
    const child = process.spawn(found.program, {argv: found.argv});
    if (!child) return complain(process, 'timeout: fork system call failed: Resource temporarily unavailable', 125);
    passOn(process, child);
    if (await endsWithin(process, child, ms === 0 ? Infinity : ms)) return child.exitCode ?? 0;
    if (given.has('v')) await process.err(`timeout: sending signal ${signal} to command '${words[0]}'\n`);
    process.kernel.signal(child, signal);
    if (after !== undefined && !(await endsWithin(process, child, after))) {
      process.kernel.signal(child, 'KILL');
      return 128 + SIGNALS.KILL;
    }
    await endsWithin(process, child, Infinity);
    if (signal === 'KILL') process.kernel.signal(process, 'KILL');
    return given.has('p') ? (child.exitCode ?? 0) : LATE;
  },
);

/** A signal for this program goes on to the command. */
function passOn(process: Process, child: Process): void {
  for (const name of ['TERM', 'HUP', 'INT'] as const) process.onSignal(name, 'catch');
  child.onEnd(() => process.takeSignals());
}

/** Waits for a child, but not longer; has it ended? */
async function endsWithin(process: Process, child: Process, ms: number): Promise<boolean> {
  const {clock} = process.kernel;
  const end = clock.now + ms;
  while (child.exitCode === undefined && clock.now < end) {
    let timer: ReturnType<typeof clock.after> | undefined;
    const woken = await process.block(wake => {
      child.onEnd(wake);
      if (end !== Infinity) timer = clock.at(end, wake);
    });
    clock.cancel(timer);
    if (!woken) for (const name of process.takeSignals()) process.kernel.signal(child, name);
  }
  return child.exitCode !== undefined;
}
