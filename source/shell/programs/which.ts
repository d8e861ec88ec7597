import {findByName} from './find-program.ts';
import {makeProgram} from './arguments.ts';

/** `which [-a] name …` */
export const which = makeProgram(
  {name: 'which', synopsis: '[-a] NAME...', summary: 'Print the paths of programs.', letters: 'as'},
  async (process, given) => {
    let status = given.operands.length === 0 ? 1 : 0;
    for (const name of given.operands) {
      const found = findByName(process, [name]);
      if (!found.ok) status = 1;
      else if (!given.has('s')) await process.out(`${found.path}\n`);
    }
    return status;
  },
);
