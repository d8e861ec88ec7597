import {expect, test} from 'vitest';
import {Clock} from './clock.ts';
import {Deadlines} from './deadlines.ts';
import {Scope} from './task.ts';

function row() {
  const clock = new Clock();
  const missed: string[] = [];
  const deadlines = new Deadlines(new Scope(clock), 100);
  const add = (name: string) => deadlines.add({miss: () => missed.push(`${name} at ${clock.now}`)});
  const pass = (until: number) => {
    while (clock.next <= until) clock.step();
    clock.settle(until);
  };
  return {clock, missed, deadlines, add, pass};
}

test('who is not answered in time misses, in order, each at its own time', () => {
  const {add, pass, missed, deadlines} = row();
  add('a');
  pass(10);
  const b = add('b');
  pass(30);
  add('c');
  deadlines.met(b);
  pass(500);
  expect(missed).toEqual(['a at 100', 'c at 130']);
});

test('when all were answered nothing is left in the clock, and the next one is on time', () => {
  const {clock, add, pass, missed, deadlines} = row();
  const all = [add('a'), add('b')];
  for (const each of all) deadlines.met(each);
  expect(clock.next).toBe(Infinity);
  pass(50);
  add('c');
  pass(1000);
  expect(missed).toEqual(['c at 150']);
});
