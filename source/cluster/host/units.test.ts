// Services of a machine: started, stopped, dying, started again, and what the journal says of it.
import {beforeEach, expect, test} from 'vitest';
import {Clock} from '../../sim/clock.ts';
import {Daemon} from '../../sim/daemon.ts';
import {Dice} from '../../sim/dice.ts';
import {Trace} from '../../sim/trace.ts';
import {Journal} from './journal.ts';
import {Units} from './units.ts';

let clock: Clock;
let journal: Journal;
let units: Units;
let running: Daemon[];
let dies = false;

function advance(ms: number): void {
  const until = clock.now + ms;
  clock.at(until, () => undefined);
  while (clock.now < until && clock.step());
}

beforeEach(() => {
  clock = new Clock();
  journal = new Journal();
  running = [];
  dies = false;
  units = new Units({clock, wall: () => clock.now, journal});
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
    description: 'The node agent',
    file: '/kubelet.service',
    command: () => '/usr/bin/kubelet',
    restartMs: 10_000,
    start: () => {
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
  expect([units.start('nope'), units.stop('nope'), units.restart('nope'), units.enable('nope', true)]).toEqual(
    Array.from({length: 4}, () => false),
  );
});
