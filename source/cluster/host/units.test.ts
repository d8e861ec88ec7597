// Services of a machine: started, stopped, dying, started again, and what the journal says of it.
import {beforeEach, expect, test} from 'vitest';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Trace} from '../../sim/trace.ts';
import {Files} from '../../sim/files.ts';
import {Journal} from './journal.ts';
import {Units} from './units.ts';

let clock: Clock;
let journal: Journal;
let units: Units;
let running: Daemon[];
let dies = false;
let files: Files;
let lines: string[];

const UNIT = '[Unit]\nDescription=The node agent\n\n[Service]\nExecStart=/usr/bin/kubelet\nRestart=always\nRestartSec=10\n';

function advance(ms: number): void {
  const until = clock.now + ms;
  clock.at(until, () => undefined);
  while (clock.now < until && clock.step());
}

beforeEach(() => {
  clock = new Clock();
  journal = new Journal();
  running = [];
  lines = [];
  dies = false;
  files = new Files(() => clock.now);
  files.place('/usr/lib/systemd/system/kubelet.service', UNIT);
  units = new Units({clock, wall: () => clock.now, journal, files, nextPid: () => 900});
  const surroundings = {
    clock,
    trace: new Trace(clock),
    dice: new Dice(1),
    host: 'n',
    wall: () => clock.now,
    dial: () => ({send: () => undefined, cancel: () => undefined}),
    listen: () => undefined,
  };
  units.add({
    name: 'kubelet',
    start: argv => {
      lines.push(argv.join(' '));
      if (argv[0] !== '/usr/bin/kubelet') return undefined;
      const daemon = new Daemon('kubelet', 100 + running.length, surroundings);
      running.push(daemon);
      if (dies) daemon.exit(1);
      return daemon;
    },
  });
});

const said = () => journal.entries.map(entry => entry.text);

test('a service that is started runs, and one that is stopped stays stopped', () => {
  units.start('kubelet.service');
  expect(units.state('kubelet')).toMatchObject({active: 'active', sub: 'running', pid: 100});
  units.stop('kubelet');
  expect(running[0]?.exitCode).toBe(0);
  advance(60_000);
  expect(units.state('kubelet')).toMatchObject({active: 'inactive', sub: 'dead', pid: undefined, mainPid: 100, exitCode: 0});
  expect(running).toHaveLength(1);
  expect(said()).toEqual([
    'Started kubelet.service - The node agent.',
    'Stopping kubelet.service - The node agent...',
    'kubelet.service: Deactivated successfully.',
    'Stopped kubelet.service - The node agent.',
  ]);
});

test('one that dies comes back after its time, and is counted', () => {
  dies = true;
  units.start('kubelet');
  expect(units.state('kubelet')).toMatchObject({active: 'activating', sub: 'auto-restart', exitCode: 1});
  advance(25_000);
  expect(running).toHaveLength(3);
  expect(units.state('kubelet')).toMatchObject({restarts: 2});
  dies = false;
  advance(10_000);
  expect(units.state('kubelet')).toMatchObject({active: 'active', restarts: 3, pid: 103});
  expect(said()).toContain('kubelet.service: Main process exited, code=exited, status=1/FAILURE');
  expect(journal.entries.find(entry => entry.text.includes('Failed with'))?.priority).toBe(4);
});

test('killed from outside it is started again; stopped while it waits it is not', () => {
  units.start('kubelet');
  running[0]?.exit(137);
  expect(said().at(-1)).toBe("kubelet.service: Failed with result 'signal'.");
  units.stop('kubelet');
  advance(60_000);
  expect(running).toHaveLength(1);
});

test('only what is enabled comes up with the machine, whose starts the journal counts', () => {
  units.boot(true);
  expect(running).toHaveLength(1);
  units.enable('kubelet', false);
  units.powerOff();
  expect(units.state('kubelet')).toMatchObject({active: 'inactive'});
  units.boot();
  expect(running).toHaveLength(1);
  expect(journal.boot).toBe(1);
});

test('nobody is called so', () => {
  expect([units.start('nope'), units.restart('nope')]).toEqual(['not-found', 'not-found']);
  expect([units.stop('nope'), units.enable('nope', true)]).toEqual([false, false]);
});

test('its files are read when they are told to be, those of its environment at each start', () => {
  const dropIn = '/etc/systemd/system/kubelet.service.d/10-flags.conf';
  units.start('kubelet');
  files.place(
    dropIn,
    '[Service]\nEnvironment="A=--one --two"\nEnvironmentFile=-/etc/default/kubelet\nExecStart=\nExecStart=/usr/bin/kubelet $A ${B}\n',
  );
  expect(units.isStale('kubelet')).toBe(true);
  units.restart('kubelet');
  expect(lines.at(-1)).toBe('/usr/bin/kubelet');
  units.reload();
  expect(units.isStale('kubelet')).toBe(false);
  files.place('/etc/default/kubelet', 'B="--three 4"\n');
  units.restart('kubelet');
  expect(lines.at(-1)).toBe('/usr/bin/kubelet --one --two --three 4');
});

test.each<[string, string, string | undefined]>([
  ['a program that is not there', UNIT.replace('/usr/bin', '/usr/local/bin'), undefined],
  ['no program', UNIT.replace(/ExecStart.*/, ''), 'bad-setting'],
  ['a path that is none', UNIT.replace('=/usr/bin/kubelet', '=kubelet'), 'bad-setting'],
])('%s', (_, text, refusal) => {
  files.place('/usr/lib/systemd/system/kubelet.service', text);
  units.reload();
  expect(units.start('kubelet')).toBe(refusal);
  if (refusal) return;
  expect(units.state('kubelet')).toMatchObject({active: 'activating', sub: 'auto-restart', exitCode: 203, mainPid: 900});
  expect(said()).toContain("kubelet.service: Unable to locate executable '/usr/local/bin/kubelet': No such file or directory");
  expect(said()).toContain('kubelet.service: Main process exited, code=exited, status=203/EXEC');
  advance(10_000);
  expect(said().filter(text => text.endsWith('restart counter is at 1.'))).toHaveLength(1);
});

test('a masked service cannot be started, and a file that is gone is no service', () => {
  expect(units.mask('kubelet', true)).toBe(true);
  expect(units.start('kubelet')).toBe('masked');
  expect(units.mask('kubelet', false)).toBe(true);
  expect(units.start('kubelet')).toBeUndefined();
  files.remove('/usr/lib/systemd/system/kubelet.service');
  units.reload();
  expect(units.restart('kubelet')).toBe('not-found');
});
