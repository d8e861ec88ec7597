import {makeProgram} from './arguments.ts';
import {forInputs, readWhole} from './input.ts';

/** `tac [file …]` */
export const tac = makeProgram(
  {name: 'tac', synopsis: '[FILE]...', summary: 'Write each FILE to standard output, last line first.', letters: ''},
  async (process, given) => {
    const isFine = await forInputs(process, given.operands, {
      who: 'tac',
      each: async input => {
        const text = await readWhole(process, input.fd);
        const lines = text.split('\n');
        if (lines.at(-1) === '') lines.pop();
        await process.out(
          lines
            .reverse()
            .map(line => `${line}\n`)
            .join(''),
        );
      },
    });
    return isFine ? 0 : 1;
  },
);
