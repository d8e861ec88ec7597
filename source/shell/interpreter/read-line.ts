import {INTERRUPTED} from '../../sim/process/process.ts';
import type {Shell} from '../state/shell.ts';
import {wait} from '../state/steps.ts';
import type {Steps} from '../state/steps.ts';
import {runTraps} from './traps.ts';

/** A line with its end; undefined when there is none. */
export function* readLine(shell: Shell, fd: number): Steps<string | undefined> {
  let text = '';
  for (;;) {
    const part = yield* wait(shell.process.read(fd));
    if (part === INTERRUPTED) {
      yield* runTraps(shell);
      if (shell.unwind) return undefined;
      continue;
    }
    if (part === null) return text === '' ? undefined : text;
    text += part;
    const end = text.indexOf('\n');
    if (end < 0) continue;
    shell.process.streams.get(fd)?.unread(text.slice(end + 1));
    return text.slice(0, end + 1);
  }
}
