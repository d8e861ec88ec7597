import {existsSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {levels} from './levels.ts';
import {reset} from './reset.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'crashloop-profile-'));
  vi.stubEnv('CRASHLOOP_HOME', home);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(home, {recursive: true});
});

test.each([
  ['levels', levels, {}],
  ['reset', reset, {yes: true}],
] as const)('%s says that a damaged file was moved aside', async (_, command, flags) => {
  const file = join(home, 'progress.json');
  writeFileSync(file, '{broken');
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await command.run({flags, words: []} as never)).toBe(0);
  expect(said.mock.calls.join('')).toContain(`kept as ${file}.broken`);
  expect(existsSync(`${file}.broken`)).toBe(true);
});
