import {makeProgram} from './arguments.ts';
import {byteLength} from '../text/bytes.ts';
import {chunks, closeInput, openInput} from './input.ts';

interface Counts {
  lines: number;
  words: number;
  bytes: number;
  characters: number;
  longest: number;
}

/** `wc [-clmwL] [file …]` */
export const wc = makeProgram(
  {
    name: 'wc',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Print newline, word, and byte counts for each FILE, and a total line if more than one FILE is given.',
    letters: 'clmwL',
    long: {bytes: 'c', lines: 'l', chars: 'm', words: 'w', 'max-line-length': 'L'},
  },
  async (process, given) => {
    const usual = !['c', 'l', 'm', 'w', 'L'].some(letter => given.has(letter));
    const fields = (counts: Counts): number[] => [
      ...(usual || given.has('l') ? [counts.lines] : []),
      ...(usual || given.has('w') ? [counts.words] : []),
      ...(given.has('m') ? [counts.characters] : []),
      ...(usual || given.has('c') ? [counts.bytes] : []),
      ...(given.has('L') ? [counts.longest] : []),
    ];
    const rows: {numbers: readonly number[]; name: string}[] = [];
    const total: Counts = {lines: 0, words: 0, bytes: 0, characters: 0, longest: 0};
    let status = 0;
    for (const name of given.operands.length === 0 ? [''] : given.operands) {
      const input = await openInput(process, name === '' ? '-' : name, 'wc');
      if (!input) {
        status = 1;
        continue;
      }
      const counts = await count(chunks(process, input.fd));
      closeInput(process, input);
      for (const key of ['lines', 'words', 'bytes', 'characters'] as const) total[key] += counts[key];
      total.longest = Math.max(total.longest, counts.longest);
      rows.push({numbers: fields(counts), name});
    }
    if (given.operands.length > 1) rows.push({numbers: fields(total), name: 'total'});
    const isPlain = rows.length === 1 && rows[0]?.numbers.length === 1;
    const widest = String(Math.max(total.bytes, ...rows.flatMap(row => row.numbers))).length;
    const width = isPlain ? 1 : given.operands.length === 0 || given.operands.includes('-') ? 7 : widest;
    for (const row of rows) {
      const numbers = row.numbers.map(number => String(number).padStart(width)).join(' ');
      await process.out(`${numbers}${row.name === '' ? '' : ` ${row.name}`}\n`);
    }
    return status;
  },
);

async function count(texts: AsyncIterable<string>): Promise<Counts> {
  const counts: Counts = {lines: 0, words: 0, bytes: 0, characters: 0, longest: 0};
  let inWord = false;
  let column = 0;
  for await (const text of texts) {
    counts.bytes += byteLength(text);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0xdc00 || code > 0xdfff) counts.characters++;
      const isBlank = code === 32 || (code >= 9 && code <= 13);
      if (!isBlank && !inWord) counts.words++;
      inWord = !isBlank;
      column = code === 10 ? 0 : column + 1;
      if (column > counts.longest) counts.longest = column;
      if (code === 10) counts.lines++;
    }
  }
  return counts;
}
