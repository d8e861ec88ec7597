import {expect, test} from 'vitest';
import {CpuMeter} from './cpu-meter.ts';

/** Uses a share of a CPU from one second to another, a millisecond at a time. */
function use(meter: CpuMeter, share: number, from: number, to: number): void {
  for (let ms = from * 1000 + 1; ms <= to * 1000; ms++) meter.add(share, ms);
}

test('a busy program shows what it burns, a sleeping one nothing, and all of it is counted', () => {
  const meter = new CpuMeter(0);
  expect(meter.rate(0)).toBe(0);
  use(meter, 0.5, 0, 5);
  expect(meter.rate(5000)).toBeCloseTo(0.5, 5);
  use(meter, 0.5, 5, 60);
  expect(meter.rate(60_000)).toBeCloseTo(0.5, 5);
  expect(meter.rate(80_000)).toBe(0);
  expect(meter.seconds).toBeCloseTo(30, 5);
});

test('what changes shows within twenty seconds, also after a long silence', () => {
  const meter = new CpuMeter(0);
  use(meter, 1, 0, 30);
  use(meter, 0.1, 30, 50);
  expect(meter.rate(50_000)).toBeCloseTo(0.1, 2);
  use(meter, 1, 500, 512);
  expect(meter.rate(512_000)).toBeGreaterThan(0.5);
  use(meter, 1, 512, 530);
  expect(meter.rate(530_000)).toBeCloseTo(1, 2);
});
