import {expect, test} from 'vitest';
import {stepFor} from './node-ttl.ts';

const cases: readonly (readonly [nodes: number, from: number, step: number])[] = [
  [3, 0, 0],
  [100, 0, 0],
  [101, 0, 1],
  [95, 1, 1],
  [89, 1, 0],
  [5000, 0, 4],
  [10, 4, 0],
];
for (const [nodes, from, step] of cases) {
  test(`${nodes} nodes, coming from step ${from}: step ${step}`, () => {
    expect(stepFor(nodes, from)).toBe(step);
  });
}
