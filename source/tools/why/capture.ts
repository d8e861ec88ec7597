// Runs another program of the machine and hears what it says.
import type {Process} from '../../sim/process/process.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {sinkStream, textStream} from '../../sim/process/streams.ts';

export interface Heard {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** The words' program, its output and exit code. */
export async function capture(process: Process, argv: readonly string[]): Promise<Heard> {
  const program = process.machine.program(argv[0] ?? '');
  if (!program) return {out: '', err: `${argv[0]}: command not found\n`, code: 127};
  const said = {out: '', err: ''};
  const streams = new Map([
    [0, textStream('')],
    [1, sinkStream(text => (said.out += text))],
    [2, sinkStream(text => (said.err += text))],
  ]);
  const child = process.spawn(program, {argv, streams});
  if (!child) return {out: '', err: 'fork: retry: Resource temporarily unavailable\n', code: 254};
  const code = await process.wait(child);
  return {...said, code: code === INTERRUPTED ? 130 : code};
}
