// `npm run simulate -- --seeds 50`: plays seeds 1 to 50. `-- 123`: plays one seed again and tells what happens.
import {performance} from 'node:perf_hooks';
import {Violation} from './history.ts';
import {Simulation} from './simulation.ts';

const LAST_LINES = 40;

function numberAfter(flag: string, otherwise: number): number {
  const at = process.argv.indexOf(flag);
  const value = at < 0 ? otherwise : Number(process.argv[at + 1]);
  if (!Number.isInteger(value)) throw new Error(`${flag} takes a whole number`);
  return value;
}

/** Plays a seed; false when something was violated. */
function play(seed: number, isTold: boolean): boolean {
  const lines: string[] = [];
  try {
    const outcome = new Simulation(seed, line => (isTold ? console.log(line) : lines.push(line))).run();
    if (isTold) console.log(outcome);
    return true;
  } catch (error) {
    for (const line of lines.slice(-LAST_LINES)) console.log(line);
    const words = error instanceof Violation ? error.message : (error as Error).stack;
    console.log(`seed ${seed}: ${words}\nplay it again with: npm run simulate -- ${seed}`);
    return false;
  }
}

const [given] = process.argv.slice(2).filter(word => /^\d+$/.test(word));
const isOne = given !== undefined && process.argv[2] === given;
const first = isOne ? Number(given) : numberAfter('--from', 1);
const count = isOne ? 1 : numberAfter('--seeds', 50);
const started = performance.now();
const failed: number[] = [];
for (let seed = first; seed < first + count; seed++) if (!play(seed, isOne)) failed.push(seed);
const seconds = (performance.now() - started) / 1000;
console.log(
  `${count - failed.length} of ${count} seeds held, ${(count / seconds).toFixed(1)} seeds a second${failed.length > 0 ? `; these did not: ${failed.join(' ')}` : ''}`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
