import {Dice} from '../../sim/dice.ts';
import {makeProgram} from './arguments.ts';
import {closeInput, lineChunks, openInput} from './input.ts';
import {complain} from './output.ts';

/** `shuf [-er] [-i from-to] [-n count] [file]`: the order repeats with the run. */
export const shuf = makeProgram(
  {
    name: 'shuf',
    synopsis: '[OPTION]... [FILE]',
    summary: 'Write a random permutation of the input lines to standard output.',
    letters: 'ei:n:r',
    long: {echo: 'e', 'input-range': 'i', 'head-count': 'n', repeat: 'r'},
  },
  async (process, given) => {
    let lines: string[] = [];
    const range = given.value('i');
    if (range !== undefined) {
      const match = /^(\d+)-(\d+)$/.exec(range);
      if (!match || Number(match[2]) < Number(match[1])) return complain(process, `shuf: invalid input range: ‘${range}’`);
      const size = Number(match[2]) - Number(match[1]) + 1;
      if (size > MOST_LINES) return complain(process, 'shuf: memory exhausted');
      lines = Array.from({length: size}, (_, index) => String(Number(match[1]) + index));
    } else if (given.has('e')) lines = [...given.operands];
    else {
      const input = await openInput(process, given.operands[0] ?? '-', 'shuf');
      if (!input) return 1;
      for await (const chunk of lineChunks(process, input.fd)) for (const line of chunk) lines.push(line);
      closeInput(process, input);
    }
    const dice = new Dice(process.pid * 31 + Math.floor(process.kernel.clock.now * 1000));
    const most = Number(given.value('n') ?? (given.has('r') ? MOST_LINES : lines.length));
    const shown: string[] = [];
    while (shown.length < most && lines.length > 0) {
      const at = dice.below(lines.length);
      shown.push(lines[at] ?? '');
      if (given.has('r')) continue;
      lines[at] = lines.at(-1) ?? '';
      lines.pop();
    }
    await process.cpu(shown.length * 0.0005);
    await process.out(shown.map(line => `${line}\n`).join(''));
    return 0;
  },
);

const MOST_LINES = 1_000_000;
