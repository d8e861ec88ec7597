import {expect, test} from 'vitest';
import {Dice} from './dice.ts';

test('whoever throws under the same name throws the same, and shifts nobody', () => {
  const [a, b] = [new Dice(5), new Dice(5)];
  b.of('somebody else').next();
  expect(a.of('uids').uuid()).toBe(b.of('uids').uuid());
});

test('each life of one name throws a row of its own, the same ones in every run', () => {
  const lives = () => {
    const dice = new Dice(5);
    return [1, 2, 3].map(() => dice.ofLife('kube-apiserver@cp-1').uuid());
  };
  expect(new Set(lives()).size).toBe(3);
  expect(lives()).toEqual(lives());
  expect(lives()[0]).toBe(new Dice(5).of('kube-apiserver@cp-1').uuid());
});
