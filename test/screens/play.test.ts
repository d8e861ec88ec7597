// The game played in a pseudo-terminal, as a newcomer would: keys in, screen out.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {ESCAPE, GameTerminal, pause, type TerminalOptions} from './terminal.ts';

const bundle = resolve(import.meta.dirname, '../../dist/crashloop.js');
let game: GameTerminal | undefined;

afterEach(() => {
  game?.close();
  game = undefined;
});

function start(options: Partial<TerminalOptions> = {}): GameTerminal {
  game = new GameTerminal({columns: 80, rows: 24, ...options});
  return game;
}

/** Past the briefing, at the shell's prompt. */
async function enter(level: string, options: Partial<TerminalOptions> = {}): Promise<GameTerminal> {
  const playing = start({...options, argv: ['play', level]});
  await playing.sees(/It is mended when/);
  playing.type('\r');
  await playing.sees(/\$ kubectl/);
  return playing;
}

test('a key that comes with the first frame is not lost', async () => {
  for (let time = 0; time < 6; time++) {
    const playing = start();
    await playing.hears(/Begin/);
    playing.type('\r');
    await playing.sees(/1\.7a {2}Wrong Crate|The cluster starts/);
    playing.close();
  }
});

test('from the title to the win of the first level, with the keys that the screen names', async () => {
  const playing = start();
  await playing.sees(/Begin/);
  playing.type('\r');
  await playing.sees(/1\.7a {2}Wrong Crate/);
  playing.type('\r');
  await playing.sees(/Enter runs the line/);
  playing.type('\r');
  await playing.sees(/ImagePullBackOff/);
  await playing.sees(/Tab completes/);
  playing.type('kubectl describe pod w\t');
  await playing.sees(/kubectl describe pod web-/);
  await playing.sees(/Esc leaves the terminal/);
  playing.type(ESCAPE);
  await playing.sees(/g goals · o objects/);
  playing.type('o');
  await playing.sees(/deploy +web +0\/3/);
  playing.type(ESCAPE);
  await playing.sees(/Enter run · Tab complete/);
  playing.type('\u0015');
  playing.line('kubectl set image deploy/web web=registry.local/web:1.4');
  await playing.sees(/image updated/);
  playing.type(ESCAPE);
  await playing.sees(/g goals/);
  playing.type('2');
  await playing.sees(/Mended\. ★★★/);
  await pause(1500);
  playing.type('m');
  await playing.sees(/1 of 2 levels solved|1 of \d+ levels solved/);
  playing.type('q');
  expect(await playing.ends()).toBe(0);
});

test('nine nodes, no room: the event, the sums, the mend', async () => {
  const playing = await enter('2.1', {columns: 120, rows: 40});
  playing.type('\r');
  await playing.sees(/Insufficient memory/);
  await playing.sees(/node-1 +● mem/);
  playing.line('kubectl set resources deploy/web --requests=memory=512Mi');
  await playing.sees(/resource requirements updated/);
  playing.type(ESCAPE);
  await playing.sees(/g goals/);
  playing.type('2');
  await playing.sees(/Mended\./);
});

test('a broken rule stops the clock and says why', async () => {
  const playing = await enter('2.1');
  playing.type('\u0015');
  playing.line('kubectl scale deploy/web --replicas=0');
  await playing.sees(/Fewer pods is not more room/);
  await playing.sees(/r start over/);
  await pause(1500);
  playing.type('r');
  await playing.sees(/It is mended when/);
});

test('^C stops what runs and nothing else', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('sleep 1000');
  await playing.sees(/\^C stop/);
  playing.type('\u0003');
  await playing.sees(/\^C[^\n]*\n[^\n]*\$/);
  playing.line('echo $?');
  await playing.sees(/^130$/m);
});

test('a script that never ends is load, not a frozen game', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('while true; do :; done');
  await pause(1500);
  playing.type('\u0003');
  await playing.sees(/\^C[^\n]*\n[^\n]*\$/);
  playing.line('echo alive');
  await playing.sees(/^alive$/m);
});

test('the editor points at what is wrong, and saves what is right', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('nano web.yaml');
  await playing.sees(/1 apiVersion: apps\/v1/);
  playing.type('x: [');
  playing.type('\u0013');
  await playing.sees(/\^ line \d+, column \d+/);
  playing.type('\u007F\u007F\u007F\u007F');
  playing.type('\u0013');
  await playing.sees(/\$ nano web\.yaml\n\$/);
});

test('vi is vi: commands first, i types, :w keeps, a wrong text is pointed at, :wq goes', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('vi web.yaml');
  await playing.sees(/i type · dd cut line/);
  playing.type('/1.44\r');
  await pause(150);
  playing.type('cf4');
  await playing.sees(/-- INSERT --[^]*Esc stop typing/);
  playing.type('1.4: [');
  await pause(150);
  playing.type(ESCAPE);
  await playing.sees(/i type/);
  playing.type(':w\r');
  await playing.sees(/\^ line \d+, column \d+/);
  playing.type('u');
  await pause(150);
  playing.type(':%s/1\\.44$/1.4/g\r');
  await playing.sees(/1 substitution on 1 line/);
  playing.type(':w\r');
  await playing.sees(/"web\.yaml" \d+L, \d+B written/);
  playing.type('dd');
  await pause(150);
  playing.type(':q\r');
  await playing.sees(/not saved: \^S saves/);
  playing.type(':q!\r');
  await playing.sees(/\$ vi web\.yaml\n\$/);
  playing.line('kubectl apply -f web.yaml');
  await playing.sees(/deployment\.apps\/web configured/);
  await playing.sees(/Mended\. ★★★/);
});

test('a manifest that is pasted into vi stays as it is', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('vi new.yaml');
  await playing.sees(/i type/);
  playing.type('i');
  await playing.sees(/INSERT/);
  playing.type('a:\r  - b:\r      c: 1\r  - d: 2\r');
  await playing.sees(/4 {3}- d: 2/);
  playing.type('\u0013');
  await playing.sees(/\$ vi new\.yaml\n\$/);
  playing.line('cat new.yaml');
  await playing.sees(/\$ cat new\.yaml\na:\n {2}- b:\n {6}c: 1\n {2}- d: 2\n\n\$/);
});

test('a run that was cut off is gone on with where it was', async () => {
  const first = await enter('1.7a');
  first.type('\u0015');
  first.line('echo kept > note');
  await first.sees(/\$ echo kept > note\n\$/);
  await pause(300);
  const {home} = first;
  first.kill();
  await pause(300);
  const second = new GameTerminal({columns: 80, rows: 24, home});
  try {
    await second.sees(/Continue: Wrong Crate/);
    second.type('\r');
    await second.sees(/\$ echo kept > note/);
    second.line('cat note');
    await second.sees(/^kept$/m);
  } finally {
    second.close();
  }
});

test('an earlier moment is looked at, left again, and played on from', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('kubectl label deploy/web seen=yes');
  await playing.sees(/deployment\.apps\/web labeled/);
  playing.type(ESCAPE);
  await playing.sees(/g goals/);
  playing.type('t');
  await playing.sees(/wrote +kubectl label/);
  while (!/wrote +kubectl label/.test(playing.chosen)) {
    playing.type('\u001B[A');
    await pause(150);
  }
  playing.type('b');
  await playing.sees(/the past/);
  await playing.sees(/as it was at/);
  expect(playing.text).not.toMatch(/labeled/);
  playing.type(ESCAPE);
  await playing.sees(/wrote +kubectl label/);
  playing.type('b');
  await playing.sees(/as it was at/);
  playing.type('\r');
  await playing.sees(/Enter run · Tab complete/);
  playing.line('kubectl get deploy web');
  await playing.sees(/web +0\/3/);
});

test('a run that was won is kept, plays itself, and is verified', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('kubectl set image deploy/web web=registry.local/web:1.4');
  await playing.sees(/Mended\./);
  await pause(1500);
  playing.type('\u001B[6~'.repeat(8));
  await playing.sees(/crashloop replay wrong-crate$/m);
  const file = join(playing.home, 'runs', 'wrong-crate.json');
  const words = (...more: string[]) =>
    spawnSync(process.execPath, [bundle, 'replay', ...more], {
      encoding: 'utf8',
      env: {...process.env, CRASHLOOP_HOME: playing.home},
    });
  expect(words(file, '--check')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^wrong-crate: won in \d+ s with 1 write /),
  });
  const again = new GameTerminal({columns: 80, rows: 24, home: playing.home, argv: ['replay', 'wrong-crate', '--speed', '10']});
  try {
    await again.sees(/replay/);
    await again.sees(/kubectl set image/);
    await again.sees(/Mended\./);
  } finally {
    again.close();
  }
  const run = readFileSync(file, 'utf8');
  writeFileSync(file, run.replace('web:1.4', 'web:1.5'));
  expect(words(file, '--check')).toMatchObject({status: 1, stdout: expect.stringMatching(/does not win/)});
  writeFileSync(file, run.slice(0, -40));
  expect(words(file)).toMatchObject({status: 2, stderr: expect.stringMatching(/holds no run: it is no JSON/)});
});

test('the wheel scrolls, and a click goes where it is', async () => {
  const playing = await enter('1.7a');
  playing.type('\u0015');
  playing.line('seq 100');
  await playing.sees(/^100$/m);
  for (let notch = 0; notch < 20; notch++) playing.type('\u001B[<64;10;10M');
  await playing.sees(/60 lines back/);
  await playing.sees(/^40$/m);
  for (let notch = 0; notch < 20; notch++) playing.type('\u001B[<65;10;10M');
  await playing.sees(/^100$/m);
  playing.type('\u001B[<0;20;2M');
  await playing.sees(/─ path ─/);
  playing.type('\u001B[<0;20;12M');
  await playing.sees(/Enter run · Tab complete/);
  playing.line('echo back');
  await playing.sees(/^back$/m);
});

describe('sizes and colours', () => {
  test('a terminal that is too small is told so, and grows', async () => {
    const playing = start({columns: 50, rows: 12});
    await playing.sees(/needs 60×16, this is 50×12/);
    playing.resize(80, 24);
    await playing.sees(/Begin/);
  });

  test('NO_COLOR changes the colours and nothing else', async () => {
    const playing = await enter('1.7a', {environment: {NO_COLOR: '1'}});
    await playing.sees(/image✖/);
    expect(playing.raw).not.toMatch(/\u001B\[3[1-6]m/);
  });

  test.each([
    [80, 24],
    [120, 40],
    [60, 16],
  ])('at %d×%d no row is wider than the screen, and the keys are shown', async (columns, rows) => {
    const playing = await enter('1.7a', {columns, rows});
    playing.type('\r');
    await playing.sees(/Enter run · Tab/);
    expect(playing.rows).toHaveLength(rows);
    expect(playing.rows.at(-1)).toMatch(/Enter run · Tab/);
  });
});
