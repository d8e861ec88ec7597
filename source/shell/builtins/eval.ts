import {openToRead, takeDescriptor, closeDescriptor} from '../../sim/process/open.ts';
import {findScript} from '../interpreter/lookup.ts';
import type {Shell} from '../state/shell.ts';
import {wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';

/** `eval [word …]` */
export function evaluateText(shell: Shell, args: readonly string[]): Steps<number> | number {
  const text = (args[0] === '--' ? args.slice(1) : args).join(' ');
  if (text.trim() === '') return 0;
  return run(shell, text);
}

function* run(shell: Shell, text: string): Steps<number> {
  shell.traceDepth++;
  const status = yield* shell.interpreter.text(shell, text, 'eval');
  shell.traceDepth--;
  return status;
}

/** `source file [argument …]` */
export function source(shell: Shell, args: readonly string[]): Steps<number> {
  return runFile(shell, 'source', args);
}

/** `. file [argument …]` */
export function dot(shell: Shell, args: readonly string[]): Steps<number> {
  return runFile(shell, '.', args);
}

function* runFile(shell: Shell, who: string, args: readonly string[]): Steps<number> {
  const [name, ...rest] = args[0] === '--' ? args.slice(1) : args;
  if (name === undefined) {
    const status = yield* shell.complain(`${who}: filename argument required`, 2);
    yield* shell.printError(`${who}: usage: ${who} filename [arguments]\n`);
    return status;
  }
  const opened = openToRead(shell.process, findScript(shell, name));
  if (!opened.ok)
    return yield* shell.complain(
      opened.text === 'Is a directory' ? `${who}: ${name}: is a directory` : `${name}: ${opened.text}`,
    );
  const fd = takeDescriptor(shell.process, opened.stream);
  const text = yield* wait(shell.process.readAll(fd));
  closeDescriptor(shell.process, fd);
  const {positional, source, line, lineBase, loops} = shell;
  if (rest.length > 0) shell.positional = rest;
  shell.calls.push({name: 'source', source: name, line, isFunction: false});
  shell.source = name;
  shell.line = 1;
  shell.loops = 0;
  shell.traceDepth++;
  let status = yield* shell.interpreter.text(shell, text);
  shell.traceDepth--;
  if (shell.unwind?.kind === 'return') {
    shell.unwind = undefined;
    status = shell.status;
  }
  shell.calls.pop();
  if (rest.length > 0) shell.positional = positional;
  shell.source = source;
  shell.line = line;
  shell.lineBase = lineBase;
  shell.loops = loops;
  return status;
}
