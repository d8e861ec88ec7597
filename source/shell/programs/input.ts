// What the programs read: their operands one after the other, or standard input; in chunks of whole lines, as they come.
import {FILE_ERROR_TEXT} from '../../sim/files.ts';
import {closeDescriptor, openToRead, takeDescriptor} from '../../sim/process/open.ts';
import {INTERRUPTED, MOST_TEXT} from '../../sim/process/process.ts';
import type {Process} from '../../sim/process/process.ts';

/** Virtual CPU milliseconds for taking a chunk, and for each character of it. */
const CHUNK_COST_MS = 0.005;
const CHARACTER_COST_MS = 0.00002;

/** An input that is open. */
export interface Input {
  /** As the operand was written: `-` for standard input. */
  readonly name: string;
  readonly fd: number;
}

/** Opens an operand; undefined, and said so, when that cannot be. */
export async function openInput(process: Process, name: string, who: string): Promise<Input | undefined> {
  if (name === '-') return {name, fd: 0};
  const opened = openToRead(process, name);
  if (opened.ok) return {name, fd: takeDescriptor(process, opened.stream)};
  await process.err(`${who}: ${name}: ${opened.text}\n`);
  return undefined;
}

/** The same, with the longer words of head and tail. */
export async function openQuoted(process: Process, name: string, who: string): Promise<Input | undefined> {
  if (name === '-') return {name, fd: 0};
  const opened = openToRead(process, name);
  if (opened.ok) return {name, fd: takeDescriptor(process, opened.stream)};
  const isFolder = opened.text === FILE_ERROR_TEXT.EISDIR;
  await process.err(
    `${who}: ${isFolder ? 'error reading' : 'cannot open'} '${name}'${isFolder ? '' : ' for reading'}: ${opened.text}\n`,
  );
  return undefined;
}

export function closeInput(process: Process, input: Input): void {
  if (input.fd !== 0) closeDescriptor(process, input.fd);
}

/** Chunks as they come, each paid for. */
export async function* chunks(process: Process, fd: number): AsyncGenerator<string> {
  for (;;) {
    const text = await process.read(fd);
    if (text === null) return;
    if (text === INTERRUPTED) continue;
    const due = process.cpu(CHUNK_COST_MS + text.length * CHARACTER_COST_MS);
    if (due) await due;
    yield text;
  }
}

/** Whole lines as they come, without their ends; many at once where many came. The last may have had no end. */
export async function* lineChunks(process: Process, fd: number): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const text of chunks(process, fd)) {
    const end = text.lastIndexOf('\n');
    if (end < 0) {
      rest += text;
      if (rest.length > MOST_TEXT) await process.runOut();
      continue;
    }
    const lines = (rest + text.slice(0, end)).split('\n');
    rest = text.slice(end + 1);
    yield lines;
  }
  if (rest !== '') yield [rest];
}

/** All of an input. */
export async function readWhole(process: Process, fd: number): Promise<string> {
  let all = '';
  for await (const text of chunks(process, fd)) {
    all += text;
    if (all.length > MOST_TEXT) await process.runOut();
    const killed = process.allocate(text.length);
    if (killed) await killed;
  }
  return all;
}

/** All texts of the operands one after the other (standard input without any); false when one could not be read. */
export async function forInputs(
  process: Process,
  operands: readonly string[],
  take: {who: string; each: (input: Input) => Promise<void>},
): Promise<boolean> {
  let isFine = true;
  for (const name of operands.length === 0 ? ['-'] : operands) {
    const input = await openInput(process, name, take.who);
    if (!input) {
      isFine = false;
      continue;
    }
    await take.each(input);
    closeInput(process, input);
  }
  return isFine;
}
