// `basename`, `dirname`.
import {makeProgram} from './arguments.ts';
import {baseName} from './ls.ts';
import {complain, missingOperand} from './output.ts';

/** `basename name [suffix]`, `basename -a name …` */
export const basename = makeProgram(
  {
    name: 'basename',
    synopsis: 'NAME [SUFFIX]',
    summary: 'Print NAME with any leading directory components removed.',
    letters: 'as:z',
    long: {multiple: 'a', suffix: 's'},
  },
  async (process, given) => {
    const [first, second, third] = given.operands;
    if (first === undefined) return missingOperand(process, 'basename');
    const many = given.has('a') || given.has('s');
    if (!many && third !== undefined)
      return complain(process, `basename: extra operand '${third}'\nTry 'basename --help' for more information.`);
    const suffix = many ? (given.value('s') ?? '') : (second ?? '');
    for (const name of many ? given.operands : [first]) {
      const base = name === '' ? '' : baseName(name);
      await process.out(`${suffix !== '' && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base}\n`);
    }
    return 0;
  },
);

/** `dirname name …` */
export const dirname = makeProgram(
  {name: 'dirname', synopsis: 'NAME...', summary: 'Print each NAME with its last component removed.', letters: 'z'},
  async (process, given) => {
    if (given.operands.length === 0) return missingOperand(process, 'dirname');
    for (const name of given.operands) {
      const bare = name.replace(/\/+$/, '');
      const at = bare.lastIndexOf('/');
      const folder = at < 0 ? (name.startsWith('/') ? '/' : '.') : bare.slice(0, at).replace(/\/+$/, '') || '/';
      await process.out(`${folder}\n`);
    }
    return 0;
  },
);
