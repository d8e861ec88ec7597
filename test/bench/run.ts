// Bundles the bench, since it has screens in it, and runs it with the collector at hand.
import {spawnSync} from 'node:child_process';
import {resolve} from 'node:path';
import {rolldown} from 'rolldown';

const root = resolve(import.meta.dirname, '../..');
// Two folders below the root, as its sources are: some of them find files from where they are.
const file = resolve(root, 'node_modules/.cache/bench.mjs');
const bundle = await rolldown({
  input: resolve(root, 'test/bench/bench.ts'),
  platform: 'node',
  external: /^[^./]/,
  transform: {define: {'process.env.NODE_ENV': '"production"'}},
  onLog: () => undefined,
});
await bundle.write({file, format: 'esm', codeSplitting: false});
const {status} = spawnSync(process.execPath, ['--expose-gc', file, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: {...process.env, NODE_ENV: 'production'},
});
process.exit(status ?? 1);
