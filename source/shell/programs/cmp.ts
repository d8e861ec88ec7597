import {makeProgram} from './arguments.ts';
import {closeInput, openInput, readWhole} from './input.ts';
import {complain} from './output.ts';

/** `cmp [-s] file [file]` */
export const cmp = makeProgram(
  {
    name: 'cmp',
    synopsis: '[OPTION]... FILE1 [FILE2]',
    summary: 'Compare two files byte by byte.',
    letters: 'bln:s',
    long: {quiet: 's', silent: 's', verbose: 'l'},
    failure: 2,
  },
  async (process, given) => {
    const [first, second = '-'] = given.operands;
    if (first === undefined)
      return complain(process, "cmp: missing operand after 'cmp'\ncmp: Try 'cmp --help' for more information.", 2);
    const texts: string[] = [];
    for (const name of [first, second]) {
      const input = await openInput(process, name, 'cmp');
      if (!input) return 2;
      texts.push(await readWhole(process, input.fd));
      closeInput(process, input);
    }
    const [a = '', b = ''] = texts;
    if (a === b) return 0;
    if (given.has('s')) return 1;
    let at = 0;
    while (at < a.length && at < b.length && a[at] === b[at]) at++;
    const line = a.slice(0, at).split('\n').length;
    if (at < a.length && at < b.length) await process.out(`${first} ${second} differ: byte ${at + 1}, line ${line}\n`);
    else
      await process.err(
        `cmp: EOF on ${a.length < b.length ? first : second} after byte ${at}, ${at > 0 && a[at - 1] === '\n' ? `line ${line - 1}` : `in line ${line}`}\n`,
      );
    return 1;
  },
);
