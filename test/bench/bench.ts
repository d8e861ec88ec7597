// `npm run bench`: the figures of design.md, *Speed*. CPU seconds of the process, beside a fixed JSON job timed in the same run, so
// that two machines can be compared. `npm run bench -- WORD` runs the benches whose name contains the word.
import {frames} from './frames.ts';
import {levels} from './levels.ts';
import {yardstick, type Bench} from './measure.ts';
import {podsToReady} from './pods.ts';
import {quietMinute} from './quiet.ts';
import {scheduling} from './scheduling.ts';
import {shell} from './shell.ts';
import {start} from './start.ts';

const BENCHES: readonly Bench[] = [
  start,
  levels,
  frames(80, 24),
  frames(200, 60),
  shell,
  quietMinute('solo', ''),
  quietMinute('ha', 'under 20'),
  scheduling(1000, 'at least 10,000'),
  scheduling(2000, ''),
  podsToReady({nodes: 100, pods: 2000}),
  podsToReady({nodes: 1000, pods: 2000}),
  podsToReady({nodes: 1000, pods: 10_000, goal: '10,000; under 4,000 is a defect'}),
];

const [word = ''] = process.argv.slice(2);
console.log(`a fixed JSON job: ${(await yardstick()).toFixed(0)} ms of CPU, Node ${process.version}`);
for (const bench of BENCHES.filter(each => each.name.includes(word))) {
  console.log(`\n${bench.name}`);
  for (const {name, value, unit, goal} of await bench.run()) {
    const shown = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1);
    console.log(`  ${name.padEnd(40)} ${shown.padStart(10)} ${unit}${goal ? `   (goal: ${goal})` : ''}`);
  }
}
process.exit(0);
