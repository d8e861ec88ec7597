// Pipelines: every part is a process of its own, so that what the first prints flows through the others while it runs. A single
// command runs in the shell itself.
import {pipe} from '../../sim/process/streams.ts';
import type {Process} from '../../sim/process/process.ts';
import {forkShell} from '../state/fork.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import type {CommandNode, PipelineNode} from '../syntax/tree.ts';
import {runCommand} from './commands.ts';
import {groupOf, whileForeground} from './foreground.ts';
import {runLast} from './last.ts';
import {printTimes} from './times.ts';

/** Runs a pipeline; its status. */
export function* runPipeline(shell: Shell, pipeline: PipelineNode): Steps<number> {
  const [first] = pipeline.commands;
  const {clock} = shell.process.kernel;
  const began = {at: clock.now, cpuMs: shell.process.cpuMs};
  let status: number;
  if (pipeline.negated) shell.unchecked++;
  if (pipeline.commands.length === 1 && first) {
    status = yield* first === shell.ending && shell.traps.size === 0 ? runLast(shell, first) : runCommand(shell, first);
    if (first.type === 'SimpleCommand' || first.type === 'Subshell') shell.pipeStatus = [status];
  } else status = yield* runParts(shell, pipeline);
  if (pipeline.negated) {
    shell.unchecked--;
    if (!shell.unwind) status = status === 0 ? 1 : 0;
  }
  if (pipeline.timed) yield* printTimes(shell, began, pipeline.timePosix === true);
  return status;
}

function* runParts(shell: Shell, pipeline: PipelineNode): Steps<number> {
  const children = yield* startParts(shell, pipeline, groupOf(shell));
  if (!children) return shell.status;
  return yield* whileForeground(shell, children, function* () {
    const codes: number[] = [];
    for (const child of children) codes.push(yield* shell.await(child));
    shell.pipeStatus = codes;
    if (shell.options.pipefail) return codes.findLast(code => code !== 0) ?? 0;
    return codes.at(-1) ?? 0;
  });
}

/** Starts all parts, each with its ends of the pipes; undefined when there are too many processes. */
export function* startParts(
  shell: Shell,
  pipeline: PipelineNode,
  group: number | 'new' | undefined,
): Steps<Process[] | undefined> {
  const children: Process[] = [];
  let input = shell.process.streams.get(0);
  let isPipe = false;
  let joined = group;
  for (const [index, command] of pipeline.commands.entries()) {
    const streams = new Map(shell.process.streams);
    if (input) streams.set(0, input);
    const isLast = index === pipeline.commands.length - 1;
    const next = isLast ? undefined : pipe();
    if (next) streams.set(1, next.writer);
    if (next && pipeline.pipeStderr?.[index]) streams.set(2, next.writer);
    const child = yield* startPart(shell, command, {streams, ...(joined === undefined ? {} : {group: joined})});
    if (isPipe) input?.close();
    next?.writer.close();
    if (!child) {
      next?.reader.close();
      return undefined;
    }
    if (joined === 'new') joined = child.group;
    children.push(child);
    input = next?.reader;
    isPipe = true;
  }
  return children;
}

function startPart(shell: Shell, command: CommandNode, options: Parameters<typeof forkShell>[2]): Steps<Process | undefined> {
  return forkShell(shell, fork => runLast(fork, command), options);
}
