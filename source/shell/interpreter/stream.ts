// Commands from a stream: a script file, or standard input. They are taken line by line, and the rest is given back, so that a
// command may read what follows it: `bash` in the middle of a pipe, `read` in a script that comes from standard input.
import {closeDescriptor} from '../../sim/process/open.ts';
import type {Shell} from '../state/shell.ts';
import type {Steps} from '../state/steps.ts';
import {readLine} from './read-line.ts';
import {isUnfinished, runText} from './script.ts';

/** Runs all commands of a stream. */
export function* runStream(shell: Shell, fd: number): Steps {
  let text = '';
  for (;;) {
    const line = yield* readLine(shell, fd);
    if (line === undefined) break;
    text += line;
    if (!text.endsWith('\n') || !isUnfinished(text)) {
      yield* run(shell, text);
      text = '';
      if (shell.unwind) break;
    }
  }
  if (text !== '' && !shell.unwind) yield* run(shell, text);
  if (fd !== 0) closeDescriptor(shell.process, fd);
}

function* run(shell: Shell, text: string): Steps {
  yield* runText(shell, text, {isTop: true});
  for (const char of text) if (char === '\n') shell.lineBase++;
}
