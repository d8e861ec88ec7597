// Plays recordings of a real v1.35 through `crashloop shell --json`, with the player that lies beside them. Recordings live outside
// of the checkout: where they are absent the tests are skipped, and say so.
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {expect, test} from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const recordings = resolve(root, '../shared/golden');
const isThere = existsSync(resolve(recordings, 'golden.mjs'));
if (!isThere) console.log('the recordings in ../shared/golden are absent: their tests are skipped');

/** Recordings that must play as recorded. */
const WHOLE: readonly string[] = ['smoke'];

test.skipIf(!isThere).each(WHOLE)('the recordings of %s play as recorded', folder => {
  const shell = `${process.execPath} ${resolve(root, 'dist/crashloop.js')} shell --json --nodes {nodes}`;
  const {stdout, status} = spawnSync(
    process.execPath,
    [resolve(recordings, 'golden.mjs'), '--shell', shell, '--jobs', '2', resolve(recordings, folder)],
    {cwd: root, encoding: 'utf8'},
  );
  expect(stdout).toMatch(/ 0 failed/);
  expect(status).toBe(0);
});
