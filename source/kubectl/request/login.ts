// Who asks, when nothing says it: over https kubectl asks the one who types for a name and a password.
import {fail, Failure} from '../failure.ts';
import {INTERRUPTED, type Process} from '../../sim/process/process.ts';

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** Asks on standard output and reads standard input; its end is a failure. */
export async function askLogin(process: Process): Promise<Login | Failure> {
  await process.out('Please enter Username: ');
  const username = await readWord(process);
  if (username === undefined) return fail('EOF');
  await process.out('Please enter Password: ');
  if (!process.streams.get(0)?.isTerminal) return fail('inappropriate ioctl for device');
  const password = await readWord(process);
  await process.out('\n');
  return password === undefined ? fail('EOF') : {username, password};
}

/** The first word of the next line that has one. */
export async function readWord(process: Process): Promise<string | undefined> {
  let text = '';
  for (;;) {
    const part = await process.read(0);
    if (part === INTERRUPTED) continue;
    if (part === null) return text.trim() === '' ? undefined : text.trim();
    text += part;
    const [, word] = /^\s*(\S+)[^\n]*\n/.exec(text) ?? [];
    if (word !== undefined) return word;
  }
}
