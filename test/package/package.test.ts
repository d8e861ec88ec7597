// The package as a player gets it: packed, unpacked outside of the checkout, run there, also on the machine's own Node.
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {ownCourse} from '../../source/cli/level-files.ts';
import {CARDS_FILE} from '../../source/cli/own-catalogue.ts';
import {cardOf, type Card} from '../../source/game/catalogue.ts';

const root = resolve(import.meta.dirname, '../..');
let folder = '';
let bin = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashloop-package-'));
  execFileSync('npm', ['pack', resolve(root, 'dist/publish'), '--pack-destination', folder, '--silent'], {cwd: folder});
  const [tarball = ''] = readdirSync(folder).filter(name => name.endsWith('.tgz'));
  execFileSync('tar', ['xzf', tarball], {cwd: folder});
  bin = join(folder, 'package/dist/crashloop.js');
});

afterAll(() => rmSync(folder, {recursive: true, force: true}));

/** The Node of the machine, not the one that the project brings along. */
function hostNode(): string | undefined {
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter(each => !each.includes('node_modules'))
    .join(':');
  const found = spawnSync('which', ['node'], {env: {PATH: path}, encoding: 'utf8'}).stdout.trim();
  return found === '' ? undefined : found;
}

test('has no dependencies and no install scripts', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest['dependencies']).toBeUndefined();
  expect(manifest['scripts']).toBeUndefined();
  expect(manifest['bin']).toEqual({crashloop: 'dist/crashloop.js'});
});

test('the cards that it brings are those of its levels, and a level that was changed is read anew', () => {
  const ready = JSON.parse(readFileSync(join(folder, 'package/dist', CARDS_FILE), 'utf8')) as readonly Card[];
  expect(ready).toEqual(ownCourse().entries.map(cardOf));
  const levels = join(folder, 'package/levels');
  const [first = ''] = readdirSync(levels, {recursive: true, encoding: 'utf8'}).filter(name => name.endsWith('.yaml'));
  const text = readFileSync(join(levels, first), 'utf8');
  writeFileSync(join(levels, first), text.replace(/^title: .*$/m, 'title: Another Title'));
  const env = {PATH: '/usr/bin:/bin', HOME: folder, CRASHLOOP_HOME: folder};
  expect(spawnSync(process.execPath, [bin, 'levels'], {env, encoding: 'utf8'}).stdout).toContain('Another Title');
  writeFileSync(join(levels, first), text);
});

test('tests run on the Node that the project pins', () => {
  const {devDependencies} = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(process.version).toBe(`v${devDependencies['node']}`);
});

const nodes = [
  ['the pinned Node', process.execPath],
  ['the Node of the machine', hostNode()],
] as const;

test.each(nodes)('runs on %s, outside of the checkout', (_, node) => {
  if (node === undefined) return;
  const env = {PATH: '/usr/bin:/bin', HOME: folder, CRASHLOOP_HOME: folder};
  const levels = spawnSync(node, [bin, 'levels'], {cwd: folder, env, encoding: 'utf8'});
  expect(levels.stderr).toBe('');
  expect(levels.stdout).toMatch(/1\.7a +wrong-crate/);
  const line = `${JSON.stringify({run: 'kubectl get nodes -o name'})}\n`;
  const shell = spawnSync(node, [bin, 'shell', 'wrong-crate', '--json'], {cwd: folder, env, encoding: 'utf8', input: line});
  expect(shell.stderr).toBe('');
  expect(JSON.parse(shell.stdout)).toMatchObject({out: 'node/cp-1\nnode/node-1\nnode/node-2\n', code: 0});
});

const prose = resolve(root, 'node_modules/@kubernetes/client-node');

test.skipIf(!existsSync(prose))('types and fields are described in the words that the build took along', () => {
  const env = {PATH: '/usr/bin:/bin', HOME: folder, CRASHLOOP_HOME: folder};
  const line = `${JSON.stringify({run: 'kubectl explain pod.spec.nodeName'})}\n`;
  const shell = spawnSync(process.execPath, [bin, 'shell', 'wrong-crate', '--json'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    input: line,
  });
  const {out} = JSON.parse(shell.stdout) as {out: string};
  expect(out).toContain(
    'FIELD: nodeName <string>\n\n\nDESCRIPTION:\n    NodeName indicates in which node this pod is scheduled.',
  );
});

test.each([
  ['an unknown command', ['fly'], /^crashloop has no command "fly"; there are play/, 2],
  ['an unknown flag', ['levels', '--fast'], /^crashloop levels: unknown option '--fast'; see crashloop levels --help/, 2],
  ['a word too many', ['levels', 'now'], /one word too many/, 2],
  ['an unknown level', ['play', '9.9'], /^there is no level "9\.9"; there are 1\.7a wrong-crate/, 2],
  ['no terminal', [], /^crashloop: there is no terminal to draw on; crashloop shell/, 2],
  ['a nodes file that is missing', ['shell', '--nodes', 'nowhere.yaml'], /^crashloop shell: there is no file nowhere\.yaml/, 2],
] as const)('%s is told in one sentence', (_, argv, words, code) => {
  const {stderr, status} = spawnSync(process.execPath, [bin, ...argv], {
    cwd: folder,
    env: {PATH: '/usr/bin:/bin', HOME: folder, CRASHLOOP_HOME: folder},
    encoding: 'utf8',
    input: '',
  });
  expect(stderr).toMatch(words);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(status).toBe(code);
});
