import {Buffer} from 'node:buffer';
import {makeProgram} from './arguments.ts';
import {chunks, forInputs} from './input.ts';

/** `cat [-nbsEA] [file …]`: what comes goes on at once. */
export const cat = makeProgram(
  {
    name: 'cat',
    synopsis: '[OPTION]... [FILE]...',
    summary: 'Concatenate FILE(s) to standard output.',
    letters: 'AbeEnstTuv',
    long: {number: 'n', 'number-nonblank': 'b', 'show-ends': 'E', 'squeeze-blank': 's', 'show-tabs': 'T', 'show-all': 'A'},
  },
  async (process, given) => {
    const shape = shaper({
      numbers: given.has('n') || given.has('b'),
      onlyFull: given.has('b'),
      squeezes: given.has('s'),
      ends: given.has('E') || given.has('A') || given.has('e'),
      tabs: given.has('T') || given.has('A') || given.has('t'),
      visible: ['v', 'A', 'e', 't'].some(given.has),
    });
    const isFine = await forInputs(process, given.operands, {
      who: 'cat',
      each: async input => {
        for await (const text of chunks(process, input.fd)) await process.out(shape(text));
      },
    });
    if (process.writeFailure === undefined) return isFine ? 0 : 1;
    await process.err(`cat: write error: ${process.writeFailure}\n`);
    return 1;
  },
);

interface Shape {
  readonly numbers: boolean;
  readonly onlyFull: boolean;
  readonly squeezes: boolean;
  readonly ends: boolean;
  readonly tabs: boolean;
  readonly visible: boolean;
}

/** Adds numbers and signs; a line that is not whole yet goes on in the next chunk. */
function shaper(shape: Shape): (text: string) => string {
  if (!Object.values(shape).some(Boolean)) return text => text;
  let number = 0;
  let atStart = true;
  let blanks = 0;
  return text =>
    text.replace(/([^\n]*)(\n|$)/g, (_, line: string, end: string) => {
      if (line === '' && end === '') return '';
      const isBlank = atStart && line === '';
      blanks = isBlank ? blanks + 1 : 0;
      if (shape.squeezes && blanks > 1) return '';
      const isNumbered = shape.numbers && atStart && !(shape.onlyFull && isBlank);
      const head = isNumbered ? `${String(++number).padStart(6)}\t` : '';
      atStart = end === '\n';
      const seen = shape.visible ? visible(line) : line;
      return head + (shape.tabs ? seen.replaceAll('\t', '^I') : seen) + (end === '\n' && shape.ends ? '$' : '') + end;
    });
}

/** Control characters as `^A`, bytes above ASCII as `M-…`. */
function visible(line: string): string {
  return line.replace(/[^\t -~]/gu, char => Array.from(Buffer.from(char, 'utf8'), sign).join(''));
}

function sign(byte: number): string {
  if (byte >= 128) return `M-${byte >= 160 && byte < 255 ? String.fromCharCode(byte - 128) : sign(byte - 128)}`;
  return byte === 127 ? '^?' : byte < 32 ? `^${String.fromCharCode(byte + 64)}` : String.fromCharCode(byte);
}
