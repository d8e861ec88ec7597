// Makes dist/: the bundle that `npm start` runs and that is published. The door (crashloop.js) has no static imports, so that an
// old Node can still say what it lacks; all else lies in chunks that load when they are needed. `publish/` inside dist is the folder to pack.
import {copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {gzipSync} from 'node:zlib';
import {rolldown} from 'rolldown';
import {ownCourse} from '../../source/cli/level-files.ts';
import {CARDS_FILE} from '../../source/cli/own-catalogue.ts';
import {cardOf} from '../../source/game/catalogue.ts';
import {readBooks} from './books.ts';

const root = resolve(import.meta.dirname, '../..');
const finished = resolve(root, 'dist');
/** Made beside the old one and put in its place at the end, so that nobody finds half a bundle. */
const dist = resolve(root, `node_modules/.cache/dist.${process.pid}`);
const manifest = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as Record<string, unknown>;

const DOOR = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  // Where Node can (22.8 and later), what it made of the sources is kept in the folder for temporary files: the next start is quicker.
  import('node:module').then(({enableCompileCache}) => {
    enableCompileCache?.();
    return import('./main.js');
  });
} else {
  console.error('crashloop needs Node 20.19 or newer; this is ' + process.versions.node + '. Get a newer one from https://nodejs.org and try again.');
  process.exitCode = 2;
}
`;

const empty = resolve(dist, 'empty.js');
rmSync(dist, {recursive: true, force: true});
mkdirSync(dist, {recursive: true});
writeFileSync(empty, 'export default {};\n');

const bundle = await rolldown({
  input: {main: resolve(root, 'source/main.tsx')},
  platform: 'node',
  resolve: {alias: {'react-devtools-core': empty}},
  transform: {define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'}},
  external: [/^node-liblzma$/, /^@mongodb-js/, /^seek-bzip$/, /\.node$/],
  onLog: (level, log, print) => {
    if (level === 'warn' && /(EVAL|CIRCULAR|INEFFECTIVE)/.test(log.code ?? '')) return;
    print(level, log);
  },
});
await bundle.write({
  dir: dist,
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
});
rmSync(empty);
await layOutBooks();
writeFileSync(resolve(dist, 'crashloop.js'), DOOR, {mode: 0o755});
writeFileSync(resolve(dist, CARDS_FILE), JSON.stringify(ownCourse().entries.map(cardOf)));
layOutPackage();
rmSync(finished, {recursive: true, force: true});
renameSync(dist, finished);

/** Kubernetes' own prose: too much to load before somebody asks. */
async function layOutBooks(): Promise<void> {
  for (const [name, book] of Object.entries(await readBooks()))
    writeFileSync(resolve(dist, `chunks/${name}.json.gz`), gzipSync(JSON.stringify(book)));
}

/** A package that needs no other: the bundle, the levels, and a package.json without dependencies. */
function layOutPackage(): void {
  const folder = resolve(dist, 'publish');
  mkdirSync(folder);
  const {name, version, description, license, type, engines, bin} = manifest;
  writeFileSync(
    resolve(folder, 'package.json'),
    `${JSON.stringify({name, version, description, license, type, engines, bin, files: ['dist', 'levels']}, null, 2)}\n`,
  );
  for (const file of ['README.md', 'LICENSE'])
    if (existsSync(resolve(root, file))) copyFileSync(resolve(root, file), resolve(folder, file));
  cpSync(resolve(root, 'levels'), resolve(folder, 'levels'), {recursive: true});
  mkdirSync(resolve(folder, 'dist'));
  for (const part of ['crashloop.js', 'main.js', CARDS_FILE, 'chunks'])
    if (existsSync(resolve(dist, part))) cpSync(resolve(dist, part), resolve(folder, 'dist', part), {recursive: true});
}
