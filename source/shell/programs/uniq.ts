import {openToWrite} from '../../sim/process/open.ts';
import {makeProgram} from './arguments.ts';
import {closeInput, lineChunks, openInput} from './input.ts';
import {complain} from './output.ts';

/** `uniq [-cdiu] [-f count] [-s count] [-w count] [input [output]]` */
export const uniq = makeProgram(
  {
    name: 'uniq',
    synopsis: '[OPTION]... [INPUT [OUTPUT]]',
    summary: 'Filter adjacent matching lines from INPUT, writing to OUTPUT.',
    letters: 'cdDf:is:uw:z',
    long: {
      count: 'c',
      repeated: 'd',
      'ignore-case': 'i',
      unique: 'u',
      'skip-fields': 'f',
      'skip-chars': 's',
      'check-chars': 'w',
      'all-repeated': 'D',
    },
  },
  async (process, given) => {
    const input = await openInput(process, given.operands[0] ?? '-', 'uniq');
    if (!input) return 1;
    const output = given.operands[1];
    if (output !== undefined) {
      const opened = openToWrite(process, output);
      if (!opened.ok) return complain(process, `uniq: ${output}: ${opened.text}`);
      process.streams.set(1, opened.stream);
    }
    const fields = Number(given.value('f') ?? 0);
    const skip = Number(given.value('s') ?? 0);
    const width = Number(given.value('w') ?? Infinity);
    const keyOf = (line: string): string => {
      let rest = line;
      for (let left = fields; left > 0; left--) rest = rest.replace(/^\s*\S+/, '');
      const key = rest.slice(skip, skip + width);
      return given.has('i') ? key.toLowerCase() : key;
    };
    const show = (line: string, count: number): string => {
      if ((given.has('d') && count < 2) || (given.has('u') && count > 1)) return '';
      if (given.has('D')) return count > 1 ? `${line}\n`.repeat(count) : '';
      return given.has('c') ? `${String(count).padStart(7)} ${line}\n` : `${line}\n`;
    };
    let held: {line: string; key: string; count: number} | undefined;
    for await (const lines of lineChunks(process, input.fd)) {
      let text = '';
      for (const line of lines) {
        const key = keyOf(line);
        if (held?.key === key) {
          held.count++;
          continue;
        }
        if (held) text += show(held.line, held.count);
        held = {line, key, count: 1};
      }
      await process.out(text);
    }
    if (held) await process.out(show(held.line, held.count));
    closeInput(process, input);
    return 0;
  },
);
