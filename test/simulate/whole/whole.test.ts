// A few seeds of whole clusters with every run of the tests; `npm run simulate -- --whole` plays as many as one likes.
import {expect, test} from 'vitest';
import {WholeSimulation} from './simulation.ts';

test.each([1, 2, 3, 4])('the cluster of seed %i keeps its promises', async seed => {
  expect((await new WholeSimulation({seed, rounds: 2}).run()).writes).toBeGreaterThan(0);
});

test('a seed of a whole cluster is one run', async () => {
  const told = async () => {
    const lines: string[] = [];
    await new WholeSimulation({seed: 5, rounds: 1, say: line => lines.push(line)}).run();
    return lines;
  };
  expect(await told()).toEqual(await told());
});
