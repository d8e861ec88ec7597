// `npm run bench`: the figures of design.md, *Speed*. CPU seconds of the process, beside a fixed JSON job timed in the same run, so
// that two machines can be compared. `npm run bench -- WORD` runs the benches whose name contains the word. What could grow faster than
// its size is measured at two sizes.
import {apiOverTls} from './api-tls.ts';
import {apiInProcess} from './api.ts';
import {boundThroughApi} from './bound.ts';
import {frames} from './frames.ts';
import {largeBodies} from './bodies.ts';
import {levels} from './levels.ts';
import {yardstick, type Bench} from './measure.ts';
import {podsToReady} from './pods.ts';
import {quietMinute} from './quiet.ts';
import {quorum} from './quorum.ts';
import {preemptions, scheduling} from './scheduling.ts';
import {shell} from './shell.ts';
import {start} from './start.ts';
import {controllerRestart, largeDeployment, lostNode} from './workloads.ts';

const BENCHES: readonly Bench[] = [
  start,
  levels,
  frames(80, 24),
  frames(200, 60),
  shell,
  quietMinute('solo', ''),
  quietMinute('ha', 'under 20'),
  quorum,
  scheduling({nodes: 1000, pods: 10_000, goal: 'at least 10,000'}),
  scheduling({nodes: 1000, pods: 20_000}),
  scheduling({nodes: 2000, pods: 10_000}),
  scheduling({nodes: 5000, pods: 10_000, goal: 'at least 2,000'}),
  ...(['spread over zones', 'spread over nodes', 'never two on a node', 'near each other'] as const).flatMap(mix => [
    scheduling({nodes: 500, pods: 5000, mix}),
    scheduling({nodes: 1000, pods: 10_000, mix}),
    scheduling({nodes: 5000, pods: 10_000, mix, goal: 'at least 2,000'}),
  ]),
  boundThroughApi({nodes: 1000, pods: 5000}),
  boundThroughApi({nodes: 1000, pods: 10_000}),
  boundThroughApi({nodes: 5000, pods: 5000}),
  preemptions({nodes: 500, pods: 250}),
  preemptions({nodes: 1000, pods: 500}),
  apiInProcess(2500),
  apiInProcess(5000),
  apiOverTls(2500),
  apiOverTls(5000),
  largeBodies(),
  podsToReady({nodes: 100, pods: 1000}),
  podsToReady({nodes: 100, pods: 2000}),
  podsToReady({nodes: 1000, pods: 5000}),
  podsToReady({nodes: 1000, pods: 10_000, goal: '10,000; under 4,000 is a defect'}),
  largeDeployment({nodes: 100, pods: 2500}),
  largeDeployment({nodes: 100, pods: 5000}),
  lostNode({nodes: 50, pods: 1000}),
  lostNode({nodes: 100, pods: 2000}),
  controllerRestart({nodes: 50, pods: 1000}),
  controllerRestart({nodes: 100, pods: 2000}),
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
