// `coproc`: a job whose input and output the shell holds, as the two descriptors in a list of the job's name.
import {pipe} from '../../sim/process/streams.ts';
import {serializeCommand} from '../syntax/text.ts';
import type {CommandNode} from '../syntax/tree.ts';
import {forkShell} from '../state/fork.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';

/** bash takes the descriptors from here downwards. */
const HIGHEST = 63;

/** Starts one; status 0. */
export function* runCoproc(shell: Shell, name: string, command: CommandNode): Steps<number> {
  const input = pipe();
  const output = pipe();
  const {process} = shell;
  const streams = new Map(process.streams);
  streams.set(0, input.reader);
  streams.set(1, output.writer);
  const child = yield* forkShell(shell, fork => fork.interpreter.command(fork, command), {streams});
  input.reader.close();
  output.writer.close();
  if (!child) return shell.status;
  const from = freeDescriptor(process.streams);
  process.streams.set(from, output.reader);
  const to = freeDescriptor(process.streams);
  process.streams.set(to, input.writer);
  shell.coprocDescriptors.add(from).add(to);
  const list = shell.variables.obtain(name);
  list.text = undefined;
  list.list = new Map([
    [0, String(from)],
    [1, String(to)],
  ]);
  shell.variables.setText(`${name}_PID`, String(child.pid));
  shell.lastBackground = child.pid;
  shell.jobs.add([child], `coproc ${name} ${serializeCommand(command)}`);
  return 0;
}

function freeDescriptor(streams: ReadonlyMap<number, unknown>): number {
  let fd = HIGHEST;
  while (streams.has(fd)) fd--;
  return fd;
}
