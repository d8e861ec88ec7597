// Recordings played twice are one run: what is said, and everything in the trace, byte for byte. A cheap sample; every level is
// played twice by test/stories/determinism.test.ts.
import {createHash} from 'node:crypto';
import {existsSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {nodesFrom} from '../../source/cli/nodes.ts';
import {openShell} from '../../source/game/line-shell.ts';

const recordings = resolve(import.meta.dirname, '../../../shared/golden');

const SAMPLE = [
  'workloads/deployment-surge-arithmetic',
  'workloads/job-indexed-and-parallel',
  'scheduling/preemption-basic',
  'scheduling/pod-anti-affinity',
  'storage/csi-attach',
  'storage/wait-for-first-consumer',
  'network/many-endpoints',
];

interface Recording {
  readonly cluster?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly steps: readonly {readonly run: string; readonly until?: string}[];
}

async function play({cluster = 'trio', files = {}, steps}: Recording, seed?: number): Promise<{said: string; trace: string}> {
  const path = resolve(recordings, 'clusters', `${cluster}.yaml`);
  const nodes = nodesFrom(readFileSync(path, 'utf8'), path);
  const shell = await openShell({nodes, hostNow: () => performance.now(), ...(seed === undefined ? {} : {seed})});
  const said = createHash('sha256');
  for (const [file, text] of Object.entries(files)) await shell.answer(JSON.stringify({file, text}));
  for (const {run, until} of steps) {
    said.update(JSON.stringify(await shell.answer(JSON.stringify({run}))));
    if (until !== undefined) await shell.answer(JSON.stringify({advance: 3}));
  }
  await shell.answer(JSON.stringify({advance: 30}));
  return {said: said.digest('hex'), trace: JSON.stringify(await shell.answer(JSON.stringify({trace: true})))};
}

test.skipIf(!existsSync(recordings)).each(SAMPLE)('%s plays the same way twice', async name => {
  const recording = parse(readFileSync(resolve(recordings, `${name}.yaml`), 'utf8')) as Recording;
  const first = await play(recording);
  expect(first.trace).toMatch(/"entries":[1-9]\d{2}/);
  expect(await play(recording)).toEqual(first);
});

test.skipIf(!existsSync(recordings))('another seed is another run', async () => {
  const recording = parse(readFileSync(resolve(recordings, 'workloads/deployment-surge-arithmetic.yaml'), 'utf8')) as Recording;
  expect((await play(recording, 8)).trace).not.toBe((await play(recording)).trace);
});
