// A few seeds with every run of the tests; `npm run simulate` plays as many as one likes.
import {expect, test} from 'vitest';
import {History, Violation} from './history.ts';
import {Simulation} from './simulation.ts';

test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i holds', seed => {
  expect(new Simulation(seed).run().acknowledged).toBeGreaterThan(0);
});

test('a seed is one run', () => {
  const told = () => {
    const lines: string[] = [];
    new Simulation(11, line => lines.push(line)).run();
    return lines;
  };
  expect(told()).toEqual(told());
});

test('the checks find what they are for', () => {
  const event = (key: string, value: string, modRevision: number) =>
    ({type: 'put', current: {key, value, createRevision: modRevision, modRevision, version: 1, lease: 0}, cause: 0}) as const;
  const history = new History();
  history.see('a', 2, [event('k', 'x', 2)]);
  expect(() => history.see('b', 2, [event('k', 'y', 2)])).toThrow(Violation);
  expect(() => history.see('b', 4, [event('k', 'y', 4)])).toThrow('went from revision 2 to 4');
  expect(() => history.read('b', {key: 'k', revision: 2, value: 'y'})).toThrow('said k=y at revision 2, where it is x');
  history.leads('a', 3);
  expect(() => history.leads('b', 3)).toThrow('a and b both lead term 3');
});
