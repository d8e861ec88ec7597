import {expect, test} from 'vitest';
import {Clock} from '../sim/clock.ts';
import {Kernel} from '../sim/process/kernel.ts';
import {Pump} from './pump.ts';

/** A pump whose host takes no time to work, and something that happens every virtual millisecond. */
function aPump(): {pump: Pump; clock: Clock} {
  const clock = new Clock();
  const tick = (): void => void clock.after(1, tick);
  tick();
  const pump = new Pump({kernel: new Kernel(clock), hostNow: () => 0});
  pump.resume();
  return {pump, clock};
}

test('virtual time passes as real time does, times the speed', async () => {
  const {pump, clock} = aPump();
  pump.speed = 2;
  for (let now = 0; now <= 1000; now += 10) await pump.beat(now);
  expect(clock.now).toBe(2000);
});

test('who waits is answered at once, and the beats make good what that took', async () => {
  const {pump, clock} = aPump();
  await pump.beat(0);
  await pump.hurry(0, () => clock.now < 40);
  expect(clock.now).toBe(40);
  await pump.beat(10);
  await pump.beat(30);
  expect(clock.now).toBe(40);
  await pump.beat(50);
  expect(clock.now).toBe(50);
});

test('who waits long waits in real time after 100 ms', async () => {
  const {pump, clock} = aPump();
  await pump.beat(0);
  await pump.hurry(0, () => true);
  expect(clock.now).toBe(100);
  await pump.hurry(0, () => true);
  expect(clock.now).toBe(100);
  await pump.beat(60);
  expect(clock.now).toBe(160);
});

test('with a clock that stands still time passes only while somebody waits', async () => {
  const {pump, clock} = aPump();
  pump.speed = 0;
  await pump.beat(0);
  await pump.beat(5000);
  expect(clock.now).toBe(0);
  await pump.hurry(5000, () => clock.now < 7);
  expect(clock.now).toBe(7);
  await pump.beat(9000);
  expect(clock.now).toBe(7);
});

test('after a long piece of work others have their turn, and then it goes on', async () => {
  const clock = new Clock();
  let pieces = 0;
  const work = (): void => {
    pieces++;
    clock.laboured = true;
    clock.after(1, work);
  };
  work();
  const pump = new Pump({kernel: new Kernel(clock), hostNow: () => 0});
  pump.resume();
  await pump.beat(0);
  const before = pieces;
  expect(await pump.hurry(0, () => pieces < before + 3)).toBe(false);
  expect(pieces).toBe(before + 1);
  while (!(await pump.hurry(0, () => pieces < before + 3)));
  expect(pieces).toBe(before + 3);
  // Who only lets time pass is not held up by it.
  await pump.run(clock.now + 50);
  expect(pieces).toBe(before + 53);
});
