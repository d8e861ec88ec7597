import {format} from '../builtins/printf.ts';
import {makeProgram} from './arguments.ts';
import {complain, missingOperand} from './output.ts';

/** Numbers that are printed at once. */
const BATCH = 1000;
const NUMBER_COST_MS = 0.0002;
const NO_TIMES = {nowMs: 0, startedMs: 0};

/** `seq [-w] [-s separator] [-f format] [first [step]] last` */
export const seq = makeProgram(
  {
    name: 'seq',
    synopsis: '[OPTION]... [FIRST [INCREMENT]] LAST',
    summary: 'Print numbers from FIRST to LAST, in steps of INCREMENT.',
    letters: 'f:s:w',
    long: {format: 'f', separator: 's', 'equal-width': 'w'},
    inOrder: true,
    negativeNumbers: true,
  },
  async (process, given) => {
    const wrong = given.operands.find(text => !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text));
    if (given.operands.length === 0) return missingOperand(process, 'seq');
    const help = "\nTry 'seq --help' for more information.";
    if (given.operands.length > 3) return complain(process, `seq: extra operand '${given.operands[3]}'${help}`);
    if (wrong !== undefined) {
      return complain(process, `seq: invalid floating point argument: '${wrong}'${help}`);
    }
    const numbers = given.operands.map(Number);
    const first = numbers.length > 1 ? (numbers[0] ?? 1) : 1;
    const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
    const last = numbers.at(-1) ?? 0;
    if (step === 0) return complain(process, `seq: invalid Zero increment value: '${given.operands[1]}'${help}`);
    const places = Math.max(...given.operands.map(text => text.split('.')[1]?.length ?? 0));
    const width = given.has('w') ? Math.max(first.toFixed(places).length, last.toFixed(places).length) : 0;
    const shape = given.value('f');
    const plain = shape?.replaceAll('%%', '') ?? '%g';
    if (!plain.includes('%')) return complain(process, `seq: format '${shape}' has no % directive`);
    if (!/%[-+ #0']*\d*(\.\d*)?[efgEFGaA]/.test(plain)) {
      return complain(process, `seq: format '${shape}' has unknown %${/%[-+ #0']*[\d.]*(.?)/.exec(plain)?.[1]} directive`);
    }
    const show = (value: number): string =>
      shape === undefined ? padded(value.toFixed(places), width) : format(shape, [String(value)], NO_TIMES).text;
    const separator = given.value('s') ?? '\n';
    const total = Math.floor((last - first) / step + 1e-9) + 1;
    for (let done = 0; done < total; done += BATCH) {
      const texts: string[] = [];
      for (let index = done; index < Math.min(done + BATCH, total); index++) texts.push(show(first + index * step));
      await process.cpu(texts.length * NUMBER_COST_MS);
      await process.out(texts.join(separator) + (done + BATCH >= total ? '\n' : separator));
    }
    return 0;
  },
);

function padded(text: string, width: number): string {
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}
