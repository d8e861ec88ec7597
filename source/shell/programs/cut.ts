import {makeProgram} from './arguments.ts';
import {forInputs, lineChunks} from './input.ts';
import {complain} from './output.ts';

/** `cut -b list | -c list | -f list [-d char] [-s] [--complement] [--output-delimiter text] [file …]` */
export const cut = makeProgram(
  {
    name: 'cut',
    synopsis: 'OPTION... [FILE]...',
    summary: 'Print selected parts of lines from each FILE to standard output.',
    letters: 'b:c:d:f:nsz1o:',
    long: {
      bytes: 'b',
      characters: 'c',
      delimiter: 'd',
      fields: 'f',
      'only-delimited': 's',
      complement: '1',
      'output-delimiter': 'o',
    },
  },
  async (process, given) => {
    const help = "\nTry 'cut --help' for more information.";
    const list = given.value('f') ?? given.value('c') ?? given.value('b');
    if (list === undefined) return complain(process, `cut: you must specify a list of bytes, characters, or fields${help}`);
    const delimiter = given.value('d') ?? '\t';
    if (delimiter.length > 1) return complain(process, `cut: the delimiter must be a single character${help}`);
    const wanted = selection(list, given.has('1'));
    if (typeof wanted === 'string') return complain(process, `cut: ${wanted}${help}`);
    const byField = given.has('f');
    const joint = given.value('o') ?? (byField ? delimiter : '');
    const shape = (line: string): string => {
      if (!byField)
        return line
          .split('')
          .filter((_, index) => wanted(index + 1))
          .join(joint);
      if (!line.includes(delimiter)) return line;
      return line
        .split(delimiter)
        .filter((_, index) => wanted(index + 1))
        .join(joint);
    };
    const isFine = await forInputs(process, given.operands, {
      who: 'cut',
      each: async input => {
        for await (const lines of lineChunks(process, input.fd)) {
          const kept = byField && given.has('s') ? lines.filter(line => line.includes(delimiter)) : lines;
          await process.out(kept.map(line => `${shape(line)}\n`).join(''));
        }
      },
    });
    return isFine ? 0 : 1;
  },
);

/** Which numbers a list like `1,3-5,7-` names; words when it is wrong. */
function selection(list: string, complement: boolean): ((number: number) => boolean) | string {
  const ranges: (readonly [number, number])[] = [];
  for (const part of list.split(/[, ]/)) {
    const match = /^(\d*)(-?)(\d*)$/.exec(part);
    if (!match || part === '' || part === '-')
      return part === '-' ? 'invalid range with no endpoint: -' : `invalid field value '${part}'`;
    const from = match[1] === '' ? 1 : Number(match[1]);
    const to = match[2] === '' ? from : match[3] === '' ? Infinity : Number(match[3]);
    if (from === 0) return 'fields are numbered from 1';
    if (to < from) return 'invalid decreasing range';
    ranges.push([from, to]);
  }
  return number => ranges.some(([from, to]) => number >= from && number <= to) !== complement;
}
