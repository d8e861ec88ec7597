import type {Process} from '../../sim/process/process.ts';
import {makeProgram} from './arguments.ts';
import {closeInput, lineChunks, openInput} from './input.ts';

/** `paste [-sz] [-d list] [file]…`: lines of files beside each other, or of each file in one line. */
export const paste = makeProgram(
  {
    name: 'paste',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Write lines consisting of the sequentially corresponding lines from each FILE.',
    letters: 'd:sz',
    long: {delimiters: 'd', serial: 's', 'zero-terminated': 'z'},
  },
  async (process, given) => {
    const signs = delimitersOf(given.value('d') ?? '\t');
    const names = given.operands.length === 0 ? ['-'] : given.operands;
    const columns: string[][] = [];
    let shared: string[] | undefined;
    for (const name of names) {
      if (name === '-' && shared) {
        columns.push(shared);
        continue;
      }
      const lines = await linesOf(process, name);
      if (!lines) return 1;
      if (name === '-') shared = lines;
      columns.push(lines);
    }
    const sign = (index: number): string => signs[index % signs.length] ?? '';
    if (given.has('s')) {
      for (const lines of columns)
        await process.out(`${lines.map((line, at) => (at === 0 ? '' : sign(at - 1)) + line).join('')}\n`);
      return 0;
    }
    // Columns that are the same input take turns at its lines.
    const taken = new Map<string[], number>();
    let text = '';
    while (columns.some(lines => (taken.get(lines) ?? 0) < lines.length)) {
      for (const [index, lines] of columns.entries()) {
        const at = taken.get(lines) ?? 0;
        taken.set(lines, at + 1);
        text += (index === 0 ? '' : sign(index - 1)) + (lines[at] ?? '');
      }
      text += '\n';
    }
    await process.out(text);
    return 0;
  },
);

async function linesOf(process: Process, name: string): Promise<string[] | undefined> {
  const input = await openInput(process, name, 'paste');
  if (!input) return undefined;
  const all: string[] = [];
  for await (const lines of lineChunks(process, input.fd)) for (const line of lines) all.push(line);
  closeInput(process, input);
  return all;
}

/** The signs of a list; `\0` is none at all. */
function delimitersOf(list: string): readonly string[] {
  const signs = list.match(/\\[^]|[^]/gu) ?? [''];
  return signs.map(sign => (sign.length > 1 ? ({n: '\n', t: '\t', '0': '', '\\': '\\'}[sign[1] ?? ''] ?? sign[1] ?? '') : sign));
}
