// Plays the recordings of the API and of validation once more: typed with the real kubectl and helm at `crashloop serve`. What the
// game's own kubectl hides (it is one of us) the real one shows: bytes, headers, discovery, OpenAPI, protobuf.
//
// Recordings lie outside of the checkout: where they are absent, or where the real kubectl cannot run, the tests are skipped.
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {oracle} from '../serve/oracle.ts';

const root = resolve(import.meta.dirname, '../..');
const recordings = resolve(root, '../shared/golden');
const tools = oracle();
const isThere = tools !== undefined && existsSync(resolve(recordings, 'golden.mjs'));

/** How long a folder may play before it counts as hung, on a busy machine. */
const HUNG_MS = 900_000;

/** Plays a folder, two servers at a time; what the player printed. */
function play(folder: string): Promise<string> {
  const serve = `${process.execPath} ${resolve(root, 'dist/crashloop.js')} serve --nodes {nodes} --kubeconfig {kubeconfig}`;
  const words = ['--quiet', '--bin', tools ?? '', '--start', serve, '--jobs', '2', resolve(recordings, folder)];
  // A kubectl that lives for a tenth of a second need not collect its garbage.
  const env = {...process.env, GOGC: 'off'};
  const player = spawn(process.execPath, [resolve(recordings, 'golden.mjs'), ...words], {cwd: root, env});
  let printed = '';
  player.stdout.on('data', part => (printed += String(part)));
  player.stderr.on('data', part => (printed += String(part)));
  return new Promise(done => player.on('close', () => done(printed)));
}

test.skipIf(!isThere).each([
  {folder: 'api', atLeast: 1000},
  {folder: 'validation', atLeast: 700},
])(
  'the recordings of $folder, typed with the real kubectl',
  async ({folder, atLeast}) => {
    const printed = await play(folder);
    expect(printed).toMatch(/ 0 failed, 0 skipped/);
    expect(Number(/of (\d+) steps as recorded/.exec(printed)?.[1])).toBeGreaterThan(atLeast);
  },
  HUNG_MS,
);
