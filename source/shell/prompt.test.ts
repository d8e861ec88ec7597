import {expect, test} from 'vitest';
import {Session} from './testing/laptop.ts';

test('what was typed while a command ran is shown at the prompt that reads it', async () => {
  const session = new Session();
  await session.type('sleep 2', 500);
  session.take();
  await session.type('echo hi', 100);
  await session.type('', 3000);
  expect(session.take()).toBe('$ echo hi\nhi\n$ \n$ ');
});

test('a line that is typed at the prompt is not shown again', async () => {
  const session = new Session();
  await session.pass(10);
  session.take();
  await session.type('echo hi');
  expect(session.take()).toBe('hi\n$ ');
});

test('lines pasted at once are shown one by one, as they run', async () => {
  const session = new Session();
  await session.pass(10);
  session.take();
  await session.type('echo one\nfor i in 1 2; do\necho $i; done');
  expect(session.take()).toBe('one\n$ for i in 1 2; do\n> echo $i; done\n1\n2\n$ ');
});

test('a login shell says whose it is, and says goodbye', async () => {
  const session = new Session(undefined, '-bash');
  await session.pass(10);
  expect(session.take()).toBe('nina@laptop:~$ ');
  session.terminal.end();
  await session.pass(10);
  expect(session.take()).toBe('logout\n');
});

test('an earlier line is put in, shown, run and remembered as what it became', async () => {
  const session = new Session();
  await session.pass(10);
  await session.type('echo one two');
  session.take();
  await session.type('echo !$!');
  expect(session.take()).toBe('echo two!\ntwo!\n$ ');
  await session.type('!nothing');
  expect(session.take()).toBe('bash: !nothing: event not found\n$ ');
  await session.type('set +H; echo !!');
  session.take();
  await session.type('echo !!');
  expect(session.take()).toBe('!!\n$ ');
  await session.type('history 2');
  expect(session.take()).toMatch(/echo !!\n +\d+ {2}history 2\n\$ $/);
});
