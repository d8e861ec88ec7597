// From `node` starting to the first frame, as a whole process under a pseudo-terminal, against a bare Ink program; and what a paused
// game costs.
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {spawn, type IPty} from '@lydell/node-pty';
import {rolldown} from 'rolldown';
import {median, type Bench} from './measure.ts';

const root = process.cwd();
const TIMES = 7;

export const start: Bench = {
  name: 'start',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'crashloop-bench-'));
    const hello = await bareInk(folder);
    const ours: number[] = [];
    const bare: number[] = [];
    await visit(folder);
    for (let i = 0; i < TIMES; i++) {
      bare.push(await firstFrame([hello], /hello/, folder));
      ours.push(await firstFrame([resolve(root, 'dist/crashloop.js')], /mend/, folder));
    }
    const paused = await pausedCpu(folder);
    rmSync(folder, {recursive: true, force: true});
    return [
      {name: 'first frame', value: median(ours), unit: 'ms of CPU'},
      {name: 'a bare Ink hello world', value: median(bare), unit: 'ms of CPU'},
      {name: 'ratio', value: median(ours) / median(bare), unit: '', goal: 'at most 1.5'},
      {name: 'CPU of ten seconds of a paused level', value: paused, unit: 'ms', goal: '0'},
    ];
  },
};

async function bareInk(folder: string): Promise<string> {
  const source = join(root, 'node_modules/.cache-bench-hello.tsx');
  writeFileSync(source, `import {render, Text} from 'ink';\nrender(<Text>hello</Text>);\nsetTimeout(() => {}, 5000);\n`);
  const empty = join(folder, 'empty.js');
  writeFileSync(empty, 'export default {};\n');
  const bundle = await rolldown({
    input: source,
    platform: 'node',
    resolve: {alias: {'react-devtools-core': empty}},
    transform: {define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'}},
    onLog: () => undefined,
  });
  await bundle.write({file: join(folder, 'hello.mjs'), format: 'esm', minify: true, codeSplitting: false});
  rmSync(source);
  return join(folder, 'hello.mjs');
}

function open(argv: readonly string[], folder: string): IPty {
  // Where CI is set, even to nothing, Ink draws no frame before the end.
  const {CI: _ci, ...env} = process.env;
  return spawn(process.execPath, [...argv], {
    cols: 80,
    rows: 24,
    cwd: folder,
    env: {...env, CRASHLOOP_HOME: folder, TERM: 'xterm-256color'},
  });
}

/** CPU of the process when its first frame with these words is there. */
function firstFrame(argv: readonly string[], words: RegExp, folder: string): Promise<number> {
  return new Promise(done => {
    const pty = open(argv, folder);
    let seen = '';
    pty.onData(text => {
      seen += text;
      if (!words.test(seen)) return;
      done(cpuOf(pty.pid));
      pty.kill('SIGKILL');
      seen = '';
    });
  });
}

/** A whole visit, with a proper end: what Node keeps of the sources for the next start is written then. */
function visit(folder: string): Promise<void> {
  return new Promise(done => {
    const pty = open([resolve(root, 'dist/crashloop.js')], folder);
    let seen = '';
    pty.onData(text => {
      const before = seen.includes('mend');
      seen += text;
      if (!before && seen.includes('mend')) pty.write('q');
    });
    pty.onExit(() => done());
  });
}

async function pausedCpu(folder: string): Promise<number> {
  const pty = open([resolve(root, 'dist/crashloop.js'), 'play', 'wrong-crate'], folder);
  const wait = (ms: number) => new Promise(resolveWait => setTimeout(resolveWait, ms));
  await wait(3000);
  pty.write('\r');
  await wait(1000);
  pty.write('\u001B');
  await wait(500);
  pty.write(' ');
  await wait(2000);
  const before = cpuOf(pty.pid);
  await wait(10_000);
  const after = cpuOf(pty.pid);
  pty.kill('SIGKILL');
  return after - before;
}

/** CPU milliseconds of a process so far, from /proc. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ');
  return (Number(fields[10]) + Number(fields[11])) * 10;
}
