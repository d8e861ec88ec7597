// Before all tests: makes the bundle that the goldens, the package test and the terminal tests run.
import {execFileSync} from 'node:child_process';
import {resolve} from 'node:path';

export default function setup(): void {
  const root = resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, [resolve(root, 'test/build/bundle.ts')], {cwd: root, stdio: 'inherit'});
}
