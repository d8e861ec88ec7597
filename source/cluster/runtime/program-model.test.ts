import {expect, test} from 'vitest';
import {coursesOf, type Curve} from './program-model.ts';

const leak: Curve = {
  points: [
    [0, '10Mi'],
    [100, '110Mi'],
    [200, '110Mi'],
  ],
};
const MI = 1024 * 1024;

test('a constant stays', () => {
  const {cpu} = coursesOf({cpu: '80m'});
  expect([cpu.at(0), cpu.at(1e6), cpu.total(100), cpu.above(0.05), cpu.above(0.1)]).toEqual([0.08, 0.08, 8, 0, Infinity]);
});

test.for([
  [0, 10],
  [50, 60],
  [100, 110],
  [1000, 110],
])('a ramp is after %d s at %d Mi', ([second = 0, expected = 0]) => {
  expect(coursesOf({memory: leak}).memory.at(second)).toBe(expected * MI);
});

test('a ramp goes above a bound at its moment, or never', () => {
  const {memory} = coursesOf({memory: leak});
  expect(memory.above(60 * MI)).toBe(50);
  expect(memory.above(5 * MI)).toBe(0);
  expect(memory.above(110 * MI)).toBe(Infinity);
});

test('a period begins again', () => {
  const {cpu} = coursesOf({
    cpu: {
      points: [
        [0, '0'],
        [10, '1'],
      ],
      period: 10,
    },
  });
  expect([cpu.at(5), cpu.at(15), cpu.total(10), cpu.total(25)]).toEqual([0.5, 0.5, 5, 11.25]);
});
