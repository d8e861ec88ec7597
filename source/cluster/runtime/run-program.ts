// A container that runs a real program: a shell with a script, `sleep`, `wget`. It is the first process of the container, so
// a signal that it does not catch does nothing to it, as in life; when it ends all other processes of the container end too.
import type {Program} from '../../sim/process/machine.ts';
import type {SignalName} from '../../sim/process/kernel.ts';
import type {Process} from '../../sim/process/process.ts';
import {nullStream, pipe, sinkStream, type Stream} from '../../sim/process/streams.ts';
import type {Run, RunContext} from './run.ts';

/** Bytes that a small program and each further process take. */
const PROCESS_BYTES = 700 * 1024;
/** What it takes to get a container going. */
const STARTING_SECONDS = 0.02;

/** A run whose standard input somebody may hold (attach). */
export interface ProgramRun extends Run {
  readonly stdin: Stream | undefined;
}

/** Starts the program; undefined when the container may have no more processes. */
export function runProgram(context: RunContext, program: Program): ProgramRun | undefined {
  const {surroundings, sandbox, config, argv, environment, log, image} = context;
  const {kernel} = surroundings;
  const inside = context.machine();
  const input = config.stdin ? pipe() : undefined;
  const process = kernel.spawn(program, {
    argv,
    machine: inside,
    environment,
    folder: config.workingDir ?? image.workingDir ?? '/',
    streams: new Map([
      [0, input?.reader ?? nullStream()],
      [1, sinkStream(text => log.write('stdout', text))],
      [2, sinkStream(text => log.write('stderr', text))],
    ]),
    group: 'new',
  });
  if (!process) return undefined;
  input?.reader.close();
  let over = false;
  process.onEnd(() => {
    if (over) return;
    over = true;
    kernel.killAll(inside);
    context.ended(process.exitCode ?? 0);
  });
  return {
    stdin: input?.writer,
    pid: process.pid,
    stop: signal => deliver(process, signalOf(signal), sandbox.config.processes === undefined && config.target === undefined),
    kill() {
      over = true;
      kernel.killAll(inside);
    },
    usage: () => ({
      cpuCores: kernel.meterOn(inside).rate(kernel.clock.now),
      cpuSeconds: STARTING_SECONDS + kernel.meterOn(inside).seconds,
      memoryBytes: PROCESS_BYTES * Math.max(1, kernel.countOn(inside)) + kernel.heldOn(inside),
    }),
  };
}

/** The first process gets a signal only when it catches it. */
function deliver(process: Process, name: SignalName, isFirst: boolean): void {
  if (!isFirst || name === 'KILL' || process.actionOf(name) === 'catch') process.kernel.signal(process, name);
}

function signalOf(name: string): SignalName {
  const bare = name.replace(/^SIG/, '');
  return bare === 'QUIT' || bare === 'INT' || bare === 'HUP' || bare === 'USR1' || bare === 'USR2' || bare === 'KILL'
    ? bare
    : 'TERM';
}
