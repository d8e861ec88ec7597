// `npm run simulate -- --seeds 50`: plays seeds 1 to 50 of etcd's members. `-- --whole --seeds 50`: of whole clusters. `-- 123`, `-- --whole 123`:
// plays one seed again and tells what happens.
import {performance} from 'node:perf_hooks';
import {Violation} from './history.ts';
import {Simulation} from './simulation.ts';
import {WholeSimulation} from './whole/simulation.ts';

const LAST_LINES = 40;
const words = process.argv.slice(2);
const isWhole = words.includes('--whole');

function numberAfter(flag: string, otherwise: number): number {
  const at = words.indexOf(flag);
  const value = at < 0 ? otherwise : Number(words[at + 1]);
  if (!Number.isInteger(value)) throw new Error(`${flag} takes a whole number`);
  return value;
}

/** Plays a seed; false when something was violated. */
async function play(seed: number, isTold: boolean): Promise<boolean> {
  const lines: string[] = [];
  const say = (line: string) => (isTold ? console.log(line) : lines.push(line));
  try {
    const outcome = isWhole ? await new WholeSimulation({seed, say}).run() : new Simulation(seed, say).run();
    if (isTold) console.log(outcome);
    return true;
  } catch (error) {
    for (const line of lines.slice(-LAST_LINES)) console.log(line);
    const said = error instanceof Violation ? error.message : (error as Error).stack;
    console.log(`seed ${seed}: ${said}\nplay it again with: npm run simulate -- ${isWhole ? '--whole ' : ''}${seed}`);
    return false;
  }
}

const given = words.find((word, at) => /^\d+$/.test(word) && (at === 0 || words[at - 1] === '--whole'));
const first = given === undefined ? numberAfter('--from', 1) : Number(given);
const count = given === undefined ? numberAfter('--seeds', 50) : 1;
const started = performance.now();
const failed: number[] = [];
for (let seed = first; seed < first + count; seed++) if (!(await play(seed, given !== undefined))) failed.push(seed);
const seconds = (performance.now() - started) / 1000;
console.log(
  `${count - failed.length} of ${count} seeds held, ${(count / seconds).toFixed(1)} seeds a second${failed.length > 0 ? `; these did not: ${failed.join(' ')}` : ''}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
