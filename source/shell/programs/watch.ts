import {pipe} from '../../sim/process/streams.ts';
import {closeDescriptor, takeDescriptor} from '../../sim/process/open.ts';
import type {Process} from '../../sim/process/process.ts';
import {strftime} from '../text/dates.ts';
import {makeProgram} from './arguments.ts';
import {findByName} from './find-program.ts';
import {readWhole} from './input.ts';
import {complain} from './output.ts';

/** `watch [-n seconds] [-tegx] command …`: runs a command again and again and shows the latest output. */
export const watch = makeProgram(
  {
    name: 'watch',
    synopsis: '[options] command',
    summary: 'Run a command every 2 seconds and show its output.',
    letters: 'n:tdegxcb',
    long: {interval: 'n', 'no-title': 't', differences: 'd', errexit: 'e', chgexit: 'g', exec: 'x', color: 'c', beep: 'b'},
    inOrder: true,
  },
  async (process, given) => {
    const seconds = Number((given.value('n') ?? '2').replace(',', '.'));
    if (given.operands.length === 0) return complain(process, 'Usage:\n watch [options] command');
    if (Number.isNaN(seconds)) return complain(process, `watch: failed to parse argument: '${given.value('n')}'`);
    const every = Math.max(100, seconds * 1000);
    let last: string | undefined;
    for (;;) {
      const {text, code} = await once(process, given.has('x') ? given.operands : ['sh', '-c', given.operands.join(' ')]);
      const title = `Every ${seconds.toFixed(1)}s: ${given.operands.join(' ')}`;
      const place = `${process.machine.name}: ${strftime('%a %b %e %T %Y', process.machine.wall())}`;
      const width = process.streams.get(1)?.terminal?.columns ?? 80;
      const rows = (process.streams.get(1)?.terminal?.rows ?? 24) - (given.has('t') ? 0 : 2);
      const head = given.has('t') ? '' : `${title}${place.padStart(Math.max(1, width - title.length))}\n\n`;
      await process.out(`\u001b[H\u001b[2J${head}${text.split('\n').slice(0, rows).join('\n')}`);
      if (given.has('e') && code !== 0) return code;
      if (given.has('g') && last !== undefined && last !== text) return 0;
      last = text;
      await process.sleep(every);
    }
  },
);

async function once(process: Process, words: readonly string[]): Promise<{text: string; code: number}> {
  const found = findByName(process, words);
  if (!found.ok) return {text: `${words[0]}: ${found.words}\n`, code: found.status};
  const {reader, writer} = pipe();
  const child = process.spawn(found.program, {argv: found.argv, streams: new Map(process.streams).set(1, writer).set(2, writer)});
  writer.close();
  if (!child) {
    reader.close();
    return {text: 'fork: Resource temporarily unavailable\n', code: 1};
  }
  const fd = takeDescriptor(process, reader);
  const text = await readWhole(process, fd);
  closeDescriptor(process, fd);
  const code = await process.wait(child);
  return {text, code: typeof code === 'number' ? code : 130};
}
