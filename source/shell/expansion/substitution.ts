// `$(…)`, and `<(…)` and `>(…)`. The commands run in a fork; what they print is read as it comes.
import {pipe} from '../../sim/process/streams.ts';
import {openToRead} from '../../sim/process/open.ts';
import {forkShell} from '../state/fork.ts';
import type {Shell} from '../state/shell.ts';
import {wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {INTERRUPTED} from '../../sim/process/process.ts';
import {LONGEST} from '../state/assign.ts';
import type {PartOf, Statements, WordNode} from '../syntax/tree.ts';

/** What the commands print, without the line ends at its end. */
export function* substituteCommand(shell: Shell, statements: Statements): Steps<string> {
  const file = fileOf(statements);
  if (file) return yield* substituteFile(shell, file);
  const {reader, writer} = pipe();
  const streams = new Map(shell.process.streams).set(1, writer);
  const child = yield* forkShell(shell, fork => runBody(fork, statements), {streams});
  writer.close();
  if (!child) {
    reader.close();
    return '';
  }
  const fd = freeDescriptor(shell);
  shell.process.streams.set(fd, reader);
  let text = '';
  for (;;) {
    const part = yield* wait(shell.process.read(fd));
    if (part === null || text.length > LONGEST) break;
    if (part !== INTERRUPTED) text += part;
  }
  shell.process.streams.delete(fd);
  reader.close();
  shell.status = yield* shell.await(child);
  shell.substitutionStatus = shell.status;
  return text.replaceAll('\0', '').replace(/\n+$/, '');
}

function* runBody(fork: Shell, statements: Statements): Steps<number> {
  fork.traceDepth++;
  if (!fork.options.shopt('inherit_errexit')) fork.options.set('errexit', false);
  return yield* fork.interpreter.list(fork, statements);
}

/** `$(< file)` reads the file itself. */
function fileOf(statements: Statements): WordNode | undefined {
  const [statement] = statements;
  const command = statement?.pipelines[0]?.commands[0];
  if (statements.length !== 1 || statement?.background || statement?.pipelines.length !== 1 || command?.type !== 'SimpleCommand')
    return undefined;
  const [redirection] = command.redirections;
  if (command.name || command.assignments.length > 0 || command.redirections.length !== 1 || redirection?.operator !== '<')
    return undefined;
  return redirection.target.type === 'Word' ? redirection.target : undefined;
}

function* substituteFile(shell: Shell, word: WordNode): Steps<string> {
  const name = yield* shell.interpreter.expandText(shell, word);
  if (shell.unwind) return '';
  const opened = openToRead(shell.process, name);
  shell.status = opened.ok ? 0 : 1;
  shell.substitutionStatus = shell.status;
  if (!opened.ok) {
    yield* shell.complain(`${name}: ${opened.text}`);
    return '';
  }
  const fd = freeDescriptor(shell);
  shell.process.streams.set(fd, opened.stream);
  const text = yield* wait(shell.process.readAll(fd));
  shell.process.streams.delete(fd);
  opened.stream.close();
  return text.replace(/\n+$/, '');
}

/** Starts the commands and gives the path of the pipe to them. It stays open as long as the command that it is for. */
export function* substituteProcess(shell: Shell, part: PartOf<'ProcessSubstitution'>): Steps<string> {
  const {reader, writer} = pipe();
  const isInput = part.direction === 'input';
  const [theirs, ours] = isInput ? [writer, reader] : [reader, writer];
  const streams = new Map(shell.process.streams).set(isInput ? 1 : 0, theirs);
  const child = yield* forkShell(shell, fork => fork.interpreter.list(fork, part.body.statements), {streams});
  theirs.close();
  if (!child) return '/dev/null';
  shell.lastBackground = child.pid;
  const fd = freeDescriptor(shell);
  shell.process.streams.set(fd, ours);
  shell.substitutions.push(fd);
  return `/dev/fd/${fd}`;
}

/** The highest descriptor below 64 that nobody uses. */
export function freeDescriptor(shell: Shell): number {
  let fd = 63;
  while (shell.process.streams.has(fd)) fd--;
  return fd;
}
