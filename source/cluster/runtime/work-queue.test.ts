import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Clock} from '../../sim/clock.ts';
import {WorkQueue, type WorkModel} from './work-queue.ts';

interface Arrival {
  readonly at: number;
  readonly hangsUpAfter?: number;
}

/** When each request is done, in milliseconds; undefined for never. */
function play(model: WorkModel, cores: number, arrivals: readonly Arrival[]): readonly (number | undefined)[] {
  const clock = new Clock();
  const queue = new WorkQueue(clock, model, () => cores);
  const done: (number | undefined)[] = arrivals.map(() => undefined);
  for (const [index, {at, hangsUpAfter}] of arrivals.entries()) {
    clock.at(at, () => {
      const forget = queue.add(() => (done[index] = Math.round(clock.now)));
      if (hangsUpAfter !== undefined) clock.after(hangsUpAfter, forget);
    });
  }
  while (clock.step());
  return done;
}

test.for<[string, WorkModel, number, readonly Arrival[], readonly (number | undefined)[]]>([
  ['alone it takes its cost at the limit', {concurrency: 1, cpuSeconds: 0.19}, 0.02, [{at: 0}], [9500]],
  ['nobody uses more than one core', {cpuSeconds: 2}, 8, [{at: 0}, {at: 0}], [2000, 2000]],
  ['one at a time, in order', {concurrency: 1, cpuSeconds: 0.5}, 1, [{at: 0}, {at: 0}, {at: 100}], [500, 1000, 1500]],
  ['all at once share the limit', {cpuSeconds: 0.5}, 1, [{at: 0}, {at: 0}], [1000, 1000]],
  ['one that comes later slows the first', {cpuSeconds: 1}, 1, [{at: 0}, {at: 500}], [1500, 2000]],
  [
    'who hangs up in line takes nothing',
    {concurrency: 1, cpuSeconds: 1},
    1,
    [{at: 0}, {at: 0, hangsUpAfter: 500}, {at: 0}],
    [1000, undefined, 2000],
  ],
  [
    'who hangs up at work makes room',
    {concurrency: 1, cpuSeconds: 9.5},
    1,
    [{at: 0, hangsUpAfter: 3000}, {at: 0}],
    [undefined, 12_500],
  ],
  ['waiting for others costs no CPU', {concurrency: 2, waitSeconds: 1, cpuSeconds: 0.1}, 0.1, [{at: 0}, {at: 0}], [3000, 3000]],
  ['without cost it is done at once', {}, 1, [{at: 7}], [7]],
])('%s', ([, model, cores, arrivals, expected]) => {
  expect(play(model, cores, arrivals)).toEqual(expected);
});

test('a higher limit helps those who are at work', () => {
  const clock = new Clock();
  let cores = 0.1;
  const queue = new WorkQueue(clock, {cpuSeconds: 1}, () => cores);
  let done = 0;
  queue.add(() => (done = clock.now));
  clock.at(5000, () => {
    cores = 1;
    queue.changed();
  });
  while (clock.step());
  expect([done, queue.cpuSeconds]).toEqual([5500, 1]);
});

test('no CPU time is lost or made: what was done is what was paid, and the order is kept', () => {
  const arrivals = fc.array(fc.integer({min: 0, max: 5000}), {minLength: 1, maxLength: 20});
  fc.assert(
    fc.property(arrivals, fc.integer({min: 1, max: 4}), fc.integer({min: 1, max: 30}), (times, concurrency, tenths) => {
      const sorted = times.toSorted((a, b) => a - b);
      const done = play(
        {concurrency, cpuSeconds: 0.3},
        tenths / 10,
        sorted.map(at => ({at})),
      ).map(each => each ?? Infinity);
      const last = Math.max(...done);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
      expect(last).toBeGreaterThanOrEqual((sorted[0] ?? 0) + 300 * (sorted.length / Math.min(tenths / 10, concurrency)) - 2);
    }),
  );
});
